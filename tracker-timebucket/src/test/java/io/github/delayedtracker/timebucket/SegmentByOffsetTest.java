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

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Segments for storage that number positions by their offsets instead of listing them. */
class SegmentByOffsetTest {

    private static final String DOCUMENTED = ""
            + "6474733188000000"
            + "0400000001000000"
            + "0d00000000000000"
            + "0028000000000000"
            + "0050000000000000"
            + "0a01000000000000"
            + "0700000000000000"
            + "0000000000000000"
            + "0000000000000007"
            + "0900000000000000"
            + "0700000000000000"
            + "6400000000000000"
            + "0000000000000000"
            + "1d4d270500000000"
            + "fce1aebb00000000";

    private static long[] encode(SortedMap<Position, Long> positions) {
        Scratch scratch = Scratch.borrow(positions.size());
        positions.forEach((position, dueMillis) -> scratch.append(position.ledgerId(), position.entryId(), dueMillis));
        long[] words = SegmentEncoder.encodeShortest(scratch);
        Scratch.giveBack(scratch);
        return words;
    }

    private static boolean isByOffset(long[] words) {
        return SegmentFormat.of(words).has(SegmentFormat.BY_OFFSET);
    }

    /** In the order of the due stream, which is checked. */
    private static SortedMap<Position, Long> decode(byte[] bytes) throws CorruptSegmentException {
        SealedSegment segment = SealedSegment.read(ByteBuffer.wrap(bytes));
        TreeMap<Position, Long> positions = new TreeMap<>();
        long[] beforeMillis = {segment.firstDueMillis()};
        segment.forEach((dueMillis, ledgerId, entryId) -> {
            assertTrue(dueMillis >= beforeMillis[0] && dueMillis <= segment.lastDueMillis(), "due at " + dueMillis);
            assertTrue(ledgerId >= 0 && entryId >= 0, ledgerId + ":" + entryId);
            beforeMillis[0] = dueMillis;
            positions.put(new Position(ledgerId, entryId), dueMillis);
        });
        assertEquals(segment.positions(), positions.size());
        return positions;
    }

    /** Every so manieth of a row, due at random within a span, as a bucket cut by time has them. */
    static SortedMap<Position, Long> oneIn(Random random, int share, int positions) {
        TreeMap<Position, Long> all = new TreeMap<>();
        for (int entry = 0; all.size() < positions; entry++) {
            if (random.nextInt(share) == 0) {
                all.put(new Position(3 + entry / 50_000, entry % 50_000), 1_024L * (1_000 + random.nextInt(150)));
            }
        }
        return all;
    }

    @Test
    void whatIsEncodedIsDecoded() throws CorruptSegmentException {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        int byOffset = 0;
        for (int run = 0; run < 420; run++) {
            Random random = new Random(firstSeed + run);
            int count = 1 + random.nextInt(1 << 1 + random.nextInt(12));
            int kind = run / 2 % SegmentFormatTest.KINDS;
            SortedMap<Position, Long> positions = run % 2 == 0 ? SegmentFormatTest.positions(random, kind, count)
                    : oneIn(random, 1 + random.nextInt(200), count);
            long[] words = encode(positions);
            byOffset += isByOffset(words) ? 1 : 0;
            assertEquals(positions, decode(SegmentFormat.encode(words)), "-Ddelayed.test.seed=" + firstSeed + ", run " + run);
        }
        assertTrue(byOffset > 100, "only " + byOffset + " of 420 were numbered by offset");
    }

    @Test
    void aSegmentCutByTimeTakesHalfABitAPositionLess() {
        SortedMap<Position, Long> positions = oneIn(new Random(5), 4, 5_000);
        Scratch scratch = Scratch.borrow(positions.size());
        positions.forEach((position, dueMillis) -> scratch.append(position.ledgerId(), position.entryId(), dueMillis));
        long byRank = SegmentEncoder.encode(scratch).length * 64L;
        Scratch.giveBack(scratch);
        long byOffset = encode(positions).length * 64L;
        assertTrue(byOffset + 5_000 / 2 <= byRank, byOffset + " bits instead of " + byRank);
    }

    @Test
    void whatIsInARowOrInAscendingOrderIsNotNumberedByOffset() {
        TreeMap<Position, Long> row = new TreeMap<>();
        TreeMap<Position, Long> line = new TreeMap<>();
        for (int i = 0; i < 1_000; i++) {
            row.put(new Position(5, i), 1_024L * (i * 7_919 % 1_000));
            line.put(new Position(5, 3L * i), 1_024L * i);
        }
        assertFalse(isByOffset(encode(row)));
        assertFalse(isByOffset(encode(line)));
    }

    @Test
    void noPositionOfItCanBeLookedUp() {
        long[] words = encode(oneIn(new Random(5), 4, 500));
        assertTrue(isByOffset(words));
        assertThrows(IllegalArgumentException.class, () -> Segment.of(words));
    }

    /** docs/format.md explains these bytes. */
    @Test
    void theBytesAreThoseOfTheDocumentation() throws CorruptSegmentException {
        TreeMap<Position, Long> positions = new TreeMap<>();
        positions.put(new Position(7, 100), 20_480L);
        positions.put(new Position(7, 103), 10_240L);
        positions.put(new Position(7, 104), 17_408L);
        positions.put(new Position(7, 109), 13_312L);
        byte[] bytes = SegmentFormat.encode(encode(positions));
        assertEquals(DOCUMENTED, HexFormat.of().formatHex(bytes));
        assertEquals(positions, decode(bytes));
    }

    @Test
    void damageUnderARightChecksumIsRefusedOrHarmless() {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        List<Integer> refused = new ArrayList<>();
        for (int run = 0; run < 10_000; run++) {
            Random random = new Random(firstSeed + run);
            long[] words = encode(oneIn(random, 2 + random.nextInt(100), 1 + random.nextInt(80)));
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                words[random.nextInt(words.length - 1)] ^= 1L << random.nextInt(64);
            }
            SegmentFormat.seal(words);
            try {
                decode(SegmentFormat.encode(words));
            } catch (CorruptSegmentException e) {
                refused.add(run);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("-Ddelayed.test.seed=" + firstSeed + ", run " + run, e);
            }
        }
        assertTrue(refused.size() > 4_000, "only " + refused.size() + " of 10,000 refused");
    }

    @Test
    void moreOffsetsThanThereMayBeAreRefused() {
        Map<Position, Long> positions = oneIn(new Random(9), 4, 100);
        long[] words = encode(new TreeMap<>(positions));
        words[9] = SegmentFormat.MOST_OFFSETS;
        SegmentFormat.seal(words);
        assertThrows(CorruptSegmentException.class, () -> SegmentFormat.decode(SegmentFormat.encode(words)));
    }
}
