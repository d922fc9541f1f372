/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.WildNumbers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every byte of a sealed segment, and that bytes which are none are refused. */
class SegmentFormatTest {

    static final int KINDS = 11;
    private static final String DOCUMENTED = ""
            + "647473310a030000"
            + "0400000002000000"
            + "1000000000000000"
            + "0004000000000000"
            + "0010000000000000"
            + "0a00000000000000"
            + "0700000000000000"
            + "0200000000000000"
            + "0300000000000007"
            + "0300000000000000"
            + "0700000000000000"
            + "6400000000000000"
            + "0000000000000000"
            + "0900000000000000"
            + "0000000000000000"
            + "0300000000000000"
            + "5504000000000000"
            + "abcae53000000000";
    private static final String IN_GROUPS = ""
            + "647473310a010000"
            + "0600000001000000"
            + "0d00000000000000"
            + "0004000000000000"
            + "0008000000000000"
            + "0a00010000000000"
            + "0700000000000000"
            + "0000000000000000"
            + "0000000000000007"
            + "0500000000000000"
            + "0700000000000000"
            + "6400000000000000"
            + "0000000000000000"
            + "ad7d010000000000"
            + "33ca8c1800000000";
    private static final String ON_A_LINE = ""
            + "6474733148000000"
            + "0400000001000000"
            + "1000000000000000"
            + "0028000000000000"
            + "00a0000000000000"
            + "0a00000000100000"
            + "0700000000000000"
            + "0000000000000000"
            + "0000000000000007"
            + "1e00000000000000"
            + "0700000000000000"
            + "6400000000000000"
            + "0000000000000000"
            + "0000000000000000"
            + "0905000000000000"
            + "9800000000000000"
            + "6900000000000000"
            + "893cf10600000000";

    static long[] encode(SortedMap<Position, Long> positions) {
        Scratch scratch = Scratch.borrow(positions.size());
        positions.forEach((position, dueMillis) -> scratch.append(position.ledgerId(), position.entryId(), dueMillis));
        long[] words = SegmentEncoder.encode(scratch);
        Scratch.giveBack(scratch);
        return words;
    }

    static SortedMap<Position, Long> decode(byte[] bytes) throws CorruptSegmentException {
        Segment segment = Segment.of(SegmentFormat.decode(bytes));
        TreeMap<Position, Long> positions = new TreeMap<>();
        while (segment.size() > 0) {
            positions.put(new Position(segment.headLedgerId(), segment.headEntryId()), segment.headDueMillis());
            segment.takeHead();
        }
        return positions;
    }

    /** Positions of one of the kinds that take different forms. */
    static SortedMap<Position, Long> positions(Random random, int kind, int count) {
        TreeMap<Position, Long> positions = new TreeMap<>();
        long[] steps = {1, 1, 3, 200, 1L << 40, 1, 2, 1, 100, 3, 20};
        int[] perLedger = {Integer.MAX_VALUE, 100, 1_000, 50, 7, 1, 5_000, Integer.MAX_VALUE, 2_000, 1_000, 500};
        long ledgerId = random.nextInt(1_000);
        long entryId = random.nextInt(1_000);
        long steadyMillis = 0;
        for (int i = 0; i < count; i++) {
            long entryBefore = entryId;
            boolean gap = kind == 7 && random.nextInt(50) == 0;
            entryId += gap ? 2 + random.nextInt(9) : 1 + random.nextLong(steps[kind]);
            if (random.nextInt(perLedger[kind]) == 0) {
                ledgerId += 1 + random.nextInt(20);
                entryId = random.nextInt(50_000);
            }
            steadyMillis += 1_024 * Math.max(0, entryId - entryBefore + random.nextInt(2));
            boolean steady = kind == 8 || kind == 10 && random.nextInt(80) != 0;
            long dueMillis = steady ? steadyMillis : switch (random.nextInt(1, 8) * 10 + kind) {
                case 19, 29, 39, 49, 59, 69, 79 -> 512L * random.nextInt(1 + 20 * count);
                case 10, 20, 30, 40 -> 1_024L * (i / 50);
                case 11, 21, 31 -> 1_024L * (i / 50 + random.nextInt(2));
                case 12, 22 -> 1L << random.nextInt(62);
                default -> 512L * random.nextInt(1 + count / 3);
            };
            positions.put(new Position(ledgerId, entryId), dueMillis);
        }
        return positions;
    }

    @Test
    void whatIsEncodedIsDecoded() throws CorruptSegmentException {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        for (int run = 0; run < 420; run++) {
            Random random = new Random(firstSeed + run);
            int count = 1 + random.nextInt(1 << 1 + random.nextInt(13));
            SortedMap<Position, Long> positions = positions(random, run % KINDS, count);
            String seed = "-Ddelayed.test.seed=" + firstSeed + ", run " + run;
            assertEquals(positions, decode(SegmentFormat.encode(encode(positions))), seed);
        }
    }

    @Test
    void aRankIsFoundForEachPositionAndForNoOther() {
        for (int kind = 0; kind < KINDS; kind++) {
            SortedMap<Position, Long> positions = positions(new Random(kind), kind, 3_000);
            Segment segment = Segment.of(encode(positions));
            for (Position position : positions.keySet()) {
                assertTrue(segment.contains(position.ledgerId(), position.entryId()), () -> position.toString());
                for (int step = -1; step <= 1; step += 2) {
                    Position entryBeside = new Position(position.ledgerId(), position.entryId() + step);
                    assertEquals(positions.containsKey(entryBeside),
                            segment.contains(entryBeside.ledgerId(), entryBeside.entryId()), () -> entryBeside.toString());
                    Position ledgerBeside = new Position(position.ledgerId() + step, position.entryId());
                    assertEquals(positions.containsKey(ledgerBeside),
                            segment.contains(ledgerBeside.ledgerId(), ledgerBeside.entryId()), () -> ledgerBeside.toString());
                }
            }
            assertFalse(segment.contains(Long.MAX_VALUE, Long.MAX_VALUE));
            assertFalse(segment.contains(0, Long.MAX_VALUE));
        }
    }

    /** Positions with the largest ids there are. */
    static SortedMap<Position, Long> largeNumbers() {
        TreeMap<Position, Long> positions = new TreeMap<>();
        for (long ledgerId : new long[] {0, 1, 1L << 40, Long.MAX_VALUE}) {
            for (long entryId : new long[] {0, 77, 1L << 60, Long.MAX_VALUE}) {
                positions.put(new Position(ledgerId, entryId), ledgerId ^ entryId);
            }
        }
        return positions;
    }

    @Test
    void idsAndTimesUpToTheLargestAreKept() throws CorruptSegmentException {
        assertEquals(largeNumbers(), decode(SegmentFormat.encode(encode(largeNumbers()))));
    }

    @Test
    @DisplayName("X5: numbers that lie powers of two apart, in order and out of order, are those that come back")
    void x5NumbersFarApartComeBackFromTheirBytes() throws CorruptSegmentException {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        for (int run = 0; run < 4_000; run++) {
            Random random = new Random(firstSeed + run);
            SortedMap<Position, Long> positions = wild(random);
            String seed = "-Ddelayed.test.seed=" + (firstSeed + run);
            assertEquals(positions, decode(SegmentFormat.encode(encode(positions))), seed);
            TreeMap<Position, Long> stored = new TreeMap<>();
            SealedSegment.read(ByteBuffer.wrap(SegmentFormat.encode(encodeShortest(positions))))
                    .forEach((dueMillis, ledgerId, entryId) -> stored.put(new Position(ledgerId, entryId), dueMillis));
            assertEquals(positions, stored, seed);
        }
    }

    private static SortedMap<Position, Long> wild(Random random) {
        WildNumbers ledgerIds = new WildNumbers(random, 7);
        WildNumbers entryIds = new WildNumbers(random, 0);
        WildNumbers times = new WildNumbers(random, 1_700_000_000_000L);
        int positions = 1 + random.nextInt(1 << random.nextInt(8));
        TreeMap<Position, Long> wild = new TreeMap<>();
        for (int i = 0; i < positions; i++) {
            wild.put(new Position(random.nextInt(8) > 0 ? ledgerIds.last() : ledgerIds.next(), entryIds.next()), times.next());
        }
        if (random.nextBoolean()) {
            List<Long> ascending = wild.values().stream().sorted().toList();
            int at = 0;
            for (Map.Entry<Position, Long> each : wild.entrySet()) {
                each.setValue(ascending.get(at++));
            }
        }
        return wild;
    }

    private static long[] encodeShortest(SortedMap<Position, Long> positions) {
        Scratch scratch = Scratch.borrow(positions.size());
        positions.forEach((position, dueMillis) -> scratch.append(position.ledgerId(), position.entryId(), dueMillis));
        long[] words = SegmentEncoder.encodeShortest(scratch);
        Scratch.giveBack(scratch);
        return words;
    }

    @Test
    void arbitraryNumbersCostNoMoreThanThreeWordsEach() {
        Random random = new Random(7);
        TreeMap<Position, Long> positions = new TreeMap<>();
        while (positions.size() < 10_000) {
            positions.put(new Position(random.nextLong() >>> 2, random.nextLong() >>> 2), random.nextLong() >>> 1);
        }
        long bytes = encode(positions).length * 8L;
        assertTrue(bytes <= 24.1 * positions.size(), bytes + " bytes");
    }

    /** docs/format.md explains these bytes one by one. */
    @Test
    void theBytesAreThoseOfTheDocumentation() {
        TreeMap<Position, Long> positions = new TreeMap<>();
        positions.put(new Position(7, 100), 2_048L);
        positions.put(new Position(7, 101), 1_024L);
        positions.put(new Position(7, 102), 2_048L);
        positions.put(new Position(9, 0), 4_096L);
        assertEquals(DOCUMENTED, HexFormat.of().formatHex(SegmentFormat.encode(encode(positions))));
    }

    /** So are these. */
    @Test
    void theBytesOfGroupsAreThoseOfTheDocumentation() {
        TreeMap<Position, Long> positions = new TreeMap<>();
        for (int entry = 100; entry < 106; entry++) {
            positions.put(new Position(7, entry), entry == 101 || entry == 104 ? 2_048L : 1_024L);
        }
        assertEquals(IN_GROUPS, HexFormat.of().formatHex(SegmentFormat.encode(encode(positions))));
    }

    /** And these. */
    @Test
    void theBytesOfTimesOnALineAreThoseOfTheDocumentation() {
        TreeMap<Position, Long> positions = new TreeMap<>();
        positions.put(new Position(7, 100), 10_240L);
        positions.put(new Position(7, 110), 21_504L);
        positions.put(new Position(7, 125), 35_840L);
        positions.put(new Position(7, 130), 40_960L);
        assertEquals(ON_A_LINE, HexFormat.of().formatHex(SegmentFormat.encode(encode(positions))));
    }

    @Test
    void timesOnALineTakeTwoBitsAPositionAtMostBesideTheDirectory() {
        TreeMap<Position, Long> positions = new TreeMap<>();
        Random random = new Random(8);
        long entryId = 0;
        for (int i = 0; i < 20_000; i++) {
            entryId += 1 + random.nextInt(199);
            // A message a second in units of 1024 ms, three ledgers.
            positions.put(new Position(5 + i / 7_000, entryId), entryId * 1_000 / 1_024 * 1_024);
        }
        long[] words = encode(positions);
        SegmentFormat header = SegmentFormat.of(words);
        assertTrue(header.has(SegmentFormat.ON_A_LINE));
        long bits = (words.length - 1L - header.dueStartWord()) * Long.SIZE;
        assertTrue(bits <= 2 * 20_000, bits + " bits for 20,000 due times");
    }

    @Test
    void timesThatDoNotFollowPositionsAreNotPutOnALine() {
        TreeMap<Position, Long> positions = new TreeMap<>();
        for (int i = 0; i < 1_000; i++) {
            positions.put(new Position(5, 10L * i), 1_024L * (i ^ 1));
        }
        assertFalse(SegmentFormat.of(encode(positions)).has(SegmentFormat.ON_A_LINE));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 10})
    void aBitFlippedAnywhereIsNoticed(int kind) {
        byte[] bytes = SegmentFormat.encode(encode(positions(new Random(kind), kind, 60)));
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit >>> 3] ^= (byte) (1 << (bit & 7));
            assertThrows(CorruptSegmentException.class, () -> SegmentFormat.decode(damaged));
        }
    }

    @Test
    void everyLengthButTheRightOneIsRefused() throws CorruptSegmentException {
        byte[] bytes = SegmentFormat.encode(encode(positions(new Random(1), 3, 60)));
        for (int length = 0; length < bytes.length + 20; length++) {
            byte[] other = Arrays.copyOf(bytes, length);
            if (length == bytes.length) {
                assertArrayEquals(bytes, SegmentFormat.encode(SegmentFormat.decode(other)));
            } else {
                assertThrows(CorruptSegmentException.class, () -> SegmentFormat.decode(other));
            }
        }
    }

    @Test
    void damageUnderARightChecksumIsRefusedOrHarmless() {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        List<Integer> refused = new ArrayList<>();
        for (int run = 0; run < 20_000; run++) {
            Random random = new Random(firstSeed + run);
            long[] words = encode(positions(random, run % KINDS, 1 + random.nextInt(80)));
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                words[random.nextInt(words.length - 1)] ^= 1L << random.nextInt(64);
            }
            SegmentFormat.seal(words);
            try {
                Segment segment = Segment.of(SegmentFormat.decode(SegmentFormat.encode(words)));
                while (segment.size() > 0) {
                    assertTrue(segment.contains(segment.headLedgerId(), segment.headEntryId()));
                    segment.takeHead();
                }
            } catch (CorruptSegmentException e) {
                refused.add(run);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("-Ddelayed.test.seed=" + firstSeed + ", run " + run, e);
            }
        }
        assertTrue(refused.size() > 10_000, "only " + refused.size() + " of 20,000 refused");
    }

    private static void assertRefused(int flags, int ledgers, long ledgerSpan, long lastOffset, int positions, long[] directory) {
        BitWriter writer = new BitWriter();
        writer.skip((long) SegmentFormat.HEADER_WORDS << 6);
        for (long word : directory) {
            writer.write(word, Long.SIZE);
        }
        int dueStartWord = writer.usedWords();
        writer.write(5, Long.SIZE);
        SegmentFormat.writeHeader(writer, flags, positions, ledgers, dueStartWord);
        SegmentFormat.writePositions(writer, 0, ledgerSpan, 0, lastOffset, 0);
        long[] words = writer.copy(1);
        SegmentFormat.seal(words);
        assertThrows(CorruptSegmentException.class, () -> SegmentFormat.decode(SegmentFormat.encode(words)));
    }

    @Test
    void rawPositionsOfSeveralLedgersAreRefused() {
        assertRefused(SegmentFormat.RAW_POSITIONS, 64, 0, 0, 64, LongStream.range(0, 128).toArray());
    }

    @Test
    void oneEntryInEachLedgerWithGapsIsRefused() {
        long[] numbers = LongStream.range(0, 20).toArray();
        BitWriter writer = new BitWriter();
        EliasFano.write(writer, numbers, 20);
        numbers[19] = 1L << 30;
        EliasFano.write(writer, numbers, 20);
        assertRefused(SegmentFormat.ONE_PER_LEDGER, 20, 19, 1L << 30, 20, writer.copy(0));
    }
}
