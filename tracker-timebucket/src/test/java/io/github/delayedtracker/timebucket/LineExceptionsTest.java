/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Times on a line of which a few lie elsewhere (X10). */
class LineExceptionsTest {

    private static final int OBJECT_BYTES = 1_300;
    private static final String DOCUMENTED = ""
            + "647473314a040000"
            + "9600000001000000"
            + "0d00000000000000"
            + "0028000000000000"
            + "00a00f0000000000"
            + "0b00000000100000"
            + "0700000000000000"
            + "0000000000000000"
            + "0000000000000007"
            + "9500000000000000"
            + "0700000000000000"
            + "6400000000000000"
            + "0000000000000000"
            + "01004881efffffff"
            + "ffffffffffffffff"
            + "ffffffffffffff1f"
            + "5932465900000000";

    @Test
    void aFewTimesBesideTheLineAreWrittenApartX10() throws CorruptSegmentException {
        TreeMap<Position, Long> positions = new TreeMap<>();
        for (int i = 0; i < 10_000; i++) {
            positions.put(new Position(5 + i / 3_000, 7L * i), 1_024L * (7 * i + 1));
        }
        int plain = SegmentFormatTest.encode(positions).length;
        long[] others = {1_024L * 300, 1_024, 1L << 40, Long.MAX_VALUE & -1_024, 1_024L * 300_000};
        for (int i = 0; i < others.length; i++) {
            positions.put(new Position(5, 7L * i * 600), others[i]);
        }
        long[] words = SegmentFormatTest.encode(positions);
        assertTrue(SegmentFormat.of(words).has(SegmentFormat.ON_A_LINE | SegmentFormat.BESIDE_THE_LINE));
        assertTrue(words.length - plain <= 8, plain + " words, with five times otherwise " + words.length);
        assertEquals(positions, SegmentFormatTest.decode(SegmentFormat.encode(words)));
    }

    @Test
    void theBytesOfALineWithAnExceptionAreThoseOfTheDocumentation() {
        TreeMap<Position, Long> positions = new TreeMap<>();
        for (int i = 0; i < 150; i++) {
            positions.put(new Position(7, 100 + i), 2_048L * (i == 5 ? 500 : 5 + i));
        }
        assertEquals(DOCUMENTED, HexFormat.of().formatHex(SegmentFormat.encode(SegmentFormatTest.encode(positions))));
    }

    @Test
    void aSegmentWithExceptionsTakesNoMoreMemoryThanOneInGroups() {
        for (int every = 33; every <= 2_000; every *= 2) {
            Scratch scratch = Scratch.borrow(PartSizes.SEGMENT);
            for (int i = 0; i < PartSizes.SEGMENT; i++) {
                scratch.append(5, i, 1_024L * (i % every == every - 1 ? i + 500_000 : i));
            }
            Segment segment = Segment.of(scratch);
            Scratch.giveBack(scratch);
            // In groups: a gap, a size and whether it follows the one before, a bit each; an exception takes two gaps of 19 bits.
            double inGroups = PartSizes.SEGMENT * (3 + 60.0 / every) / Byte.SIZE + OBJECT_BYTES;
            assertTrue(segment.retainedBytes() <= inGroups, every + ": " + segment.retainedBytes() + " for " + inGroups);
        }
    }

    @Test
    void manyTimesBesideTheLineAreGroups() {
        TreeMap<Position, Long> positions = new TreeMap<>();
        for (int i = 0; i < 1_000; i++) {
            positions.put(new Position(5, 10L * i), 1_024L * (i % 25 == 0 ? i + 500 : i));
        }
        assertFalse(SegmentFormat.of(SegmentFormatTest.encode(positions)).has(SegmentFormat.ON_A_LINE));
    }

    @Test
    void noSmallerNumberOfExceptionsWouldDo() {
        long seed = Long.getLong("delayed.test.seed", new Random().nextLong());
        Random random = new Random(seed);
        for (int run = 0; run < 300; run++) {
            int count = 64 + random.nextInt(200);
            Scratch scratch = Scratch.borrow(count);
            for (int i = 0; i < count; i++) {
                long steady = 1_024L * (i + random.nextInt(2));
                scratch.append(5, i, random.nextInt(60) == 0 ? 1_024L * random.nextInt(2 * count) : steady);
            }
            int unitShift = scratch.sortByTime();
            LineExceptions exceptions = LineExceptions.of(scratch, unitShift);
            int fewest = count - longestChain(scratch);
            String where = "-Ddelayed.test.seed=" + seed + ", run " + run;
            if (exceptions == null) {
                assertTrue(Math.max(fewest, descents(scratch)) > count >>> LineExceptions.MOST_SHIFT, where);
            } else {
                assertEquals(fewest, exceptions.count(), where);
            }
            Scratch.giveBack(scratch);
        }
    }

    @Test
    void exceptionsThatDoNotFitIntoTheSegmentAreRefused() {
        TreeMap<Position, Long> positions = new TreeMap<>();
        for (int i = 0; i < 200; i++) {
            positions.put(new Position(7, i), 1_024L * (i % 50 == 5 ? 10_000 + i : i));
        }
        long[] words = SegmentFormatTest.encode(positions);
        assertTrue(SegmentFormat.of(words).has(SegmentFormat.BESIDE_THE_LINE));
        int first = SegmentFormat.of(words).dueStartWord();
        long[] damages = {4, 0xffff ^ 4, 100 ^ 4, 0xffL << 22, 0x3f << 16};
        for (long damage : damages) {
            long[] damaged = words.clone();
            damaged[first] ^= damage;
            SegmentFormat.seal(damaged);
            assertThrows(CorruptSegmentException.class, () -> SegmentFormat.decode(SegmentFormat.encode(damaged)),
                    () -> Long.toHexString(damage));
        }
    }

    private static int longestChain(Scratch scratch) {
        int[] lengths = new int[scratch.count];
        int longest = 0;
        for (int i = 0; i < scratch.count; i++) {
            for (int before = 0; before < i; before++) {
                if (scratch.dueMillis[before] <= scratch.dueMillis[i]) {
                    lengths[i] = Math.max(lengths[i], lengths[before]);
                }
            }
            lengths[i]++;
            longest = Math.max(longest, lengths[i]);
        }
        return longest;
    }

    private static int descents(Scratch scratch) {
        int descents = 0;
        for (int i = 1; i < scratch.count; i++) {
            descents += scratch.dueMillis[i] < scratch.dueMillis[i - 1] ? 1 : 0;
        }
        return descents;
    }
}
