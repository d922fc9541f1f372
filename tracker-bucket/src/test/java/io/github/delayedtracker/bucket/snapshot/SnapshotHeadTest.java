/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.snapshot.SnapshotHead.NewerSnapshotException;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.WildNumbers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotHeadTest {

    private static final long LEDGER_BYTES = 1 << 30;

    private static SnapshotHead head(PositionSet set) {
        List<SegmentEntry> segments = new ArrayList<>();
        long left = set.size();
        for (int i = 0; left > 0; i++) {
            int positions = (int) Math.min(left, 5_000);
            segments.add(new SegmentEntry(1_000L * i, 1_000L * i + 999, positions, 4_000 + i));
            left -= positions;
        }
        return new SnapshotHead("public/default/persistent/t", "sub", 1_700_000_000_000L, segments, set);
    }

    private static byte[] encode(SnapshotHead head) {
        SnapshotHead.Encoding encoding = head.encoding();
        ByteBuffer bytes = ByteBuffer.allocate(encoding.bytes());
        encoding.writeTo(bytes);
        assertEquals(0, bytes.remaining(), "the size was exact");
        return bytes.array();
    }

    private static List<List<Long>> positions(PositionSet set) {
        List<List<Long>> list = new ArrayList<>();
        set.forEach((ledgerId, entryId) -> list.add(List.of(ledgerId, entryId)));
        return list;
    }

    private static void assertSurvives(PositionSet set) throws CorruptSnapshotException, NewerSnapshotException {
        SnapshotHead head = head(set);
        SnapshotHead read = SnapshotHead.decode(ByteBuffer.wrap(encode(head)), LEDGER_BYTES);
        assertEquals(head.topic(), read.topic());
        assertEquals(head.cursor(), read.cursor());
        assertEquals(head.createdAtMillis(), read.createdAtMillis());
        assertEquals(head.segments(), read.segments());
        assertEquals(positions(set), positions(read.positions()));
    }

    @Test
    void bytesAreTheOnesOfThePage() {
        PositionSet set = new PositionSet();
        set.add(7, 3);
        set.add(7, 4);
        set.add(9, 0);
        SnapshotHead head = new SnapshotHead("t", "c", 300, List.of(new SegmentEntry(1_000, 1_200, 3, 100)), set);
        assertEquals("64746273" + "01" + "00000024" + "0174" + "0163" + "ac02" + "03" + "01"
                + "e807" + "c801" + "03" + "64"
                + "02" + "07" + "02" + "03" + "01" + "02" + "02" + "00" + "00", HexFormat.of().formatHex(encode(head), 0, 32));
    }

    @Test
    void aMillionInARowTakeAFewBytes() {
        PositionSet set = new PositionSet();
        for (int i = 0; i < 1_000_000; i++) {
            set.add(i / 50_000, i % 50_000);
        }
        SnapshotHead head = head(set);
        assertTrue(PositionRuns.of(set).bytes() < 20 * 8, () -> "bytes: " + PositionRuns.of(set).bytes());
        assertEquals(200, head.segments().size());
    }

    @Test
    void everySecondOfALedgerTakesABitEach() {
        PositionSet set = new PositionSet();
        for (int i = 0; i < 50_000; i += 2) {
            set.add(1, i);
        }
        assertTrue(PositionRuns.of(set).bytes() <= 50_000 / 8 + 20, () -> "bytes: " + PositionRuns.of(set).bytes());
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.1, 0.5, 0.9, 1})
    void anySetSurvives(double density) throws CorruptSnapshotException, NewerSnapshotException {
        long seed = Double.doubleToLongBits(density);
        Random random = new Random(seed);
        PositionSet set = new PositionSet();
        set.add(0, random.nextInt(100));
        for (int ledger = 0; ledger < 20; ledger++) {
            long ledgerId = ledger * 3L + (ledger > 15 ? 1L << 40 : 0);
            long firstEntry = ledger % 7 == 0 ? 1L << 40 : random.nextInt(1_000);
            for (int i = 0; i < 3_000; i++) {
                if (random.nextDouble() < density) {
                    set.add(ledgerId, firstEntry + i);
                }
            }
        }
        assertSurvives(set);
    }

    @Test
    void theLargestIdsSurvive() throws CorruptSnapshotException, NewerSnapshotException {
        PositionSet set = new PositionSet();
        set.add(Long.MAX_VALUE, 0);
        set.add(Long.MAX_VALUE, (1L << 62) + 5);
        assertSurvives(set);
    }

    @Test
    @DisplayName("X5: sets of positions with ids powers of two apart, up to the largest, survive")
    void x5SetsOfIdsFarApartSurvive() throws CorruptSnapshotException, NewerSnapshotException {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        for (int run = 0; run < 4_000; run++) {
            Random random = new Random(firstSeed + run);
            WildNumbers ledgerIds = new WildNumbers(random, 7);
            WildNumbers entryIds = new WildNumbers(random, 0);
            PositionSet set = new PositionSet();
            int positions = 1 + random.nextInt(1 << random.nextInt(8));
            for (int i = 0; i < positions; i++) {
                set.add(random.nextInt(8) > 0 ? ledgerIds.last() : ledgerIds.next(), entryIds.next());
            }
            try {
                assertSurvives(set);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Ddelayed.test.seed=" + (firstSeed + run), e);
            }
        }
    }

    @Test
    void aBitmapThatWouldReachBeyondTheLargestEntryIsWrittenAsRuns() throws CorruptSnapshotException, NewerSnapshotException {
        PositionSet set = new PositionSet();
        for (int i = 0; i < 100; i += 2) {
            set.add(3, Long.MAX_VALUE - i);
        }
        assertSurvives(set);
        set.add(3, 0);
        assertSurvives(set);
    }

    @Test
    void eachDamagedByteIsNoticed() {
        PositionSet set = new PositionSet();
        for (int i = 0; i < 500; i++) {
            set.add(i / 100, i * 3L % 100);
        }
        byte[] bytes = encode(head(set));
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 0x10;
            assertThrows(CorruptSnapshotException.class,
                    () -> SnapshotHead.decode(ByteBuffer.wrap(damaged), LEDGER_BYTES), "byte " + i);
        }
    }

    @Test
    void whatEndsTooEarlyIsNoticed() {
        PositionSet set = new PositionSet();
        set.add(1, 1);
        byte[] bytes = encode(head(set));
        for (int length = 0; length < bytes.length; length++) {
            ByteBuffer shortened = ByteBuffer.wrap(bytes, 0, length);
            assertThrows(CorruptSnapshotException.class, () -> SnapshotHead.decode(shortened, LEDGER_BYTES));
        }
    }

    @Test
    void aHeadThatClaimsMoreThanItsLedgerHoldsIsRefused() {
        PositionSet set = new PositionSet();
        set.add(1, 1);
        byte[] bytes = encode(head(set));
        CorruptSnapshotException refused = assertThrows(CorruptSnapshotException.class,
                () -> SnapshotHead.decode(ByteBuffer.wrap(bytes), 1_000));
        assertTrue(refused.getMessage().contains("the bytes of a segment"), refused::getMessage);
    }

    /** Damage that a checksum does not show: every body byte set to anything, the checksum made to fit. */
    @Test
    void forgedBytesAreRefusedOrMeanSomething() {
        PositionSet set = new PositionSet();
        for (int i = 0; i < 300; i++) {
            set.add(i / 50, i * 7L % 64);
        }
        byte[] bytes = encode(head(set));
        for (long seed = 0; seed < 20_000; seed++) {
            byte[] forged = bytes.clone();
            Random random = new Random(seed);
            for (int i = 0; i < 1 + random.nextInt(3); i++) {
                forged[9 + random.nextInt(bytes.length - 13)] = (byte) random.nextInt(256);
            }
            CRC32C crc = new CRC32C();
            crc.update(forged, 0, forged.length - 4);
            ByteBuffer.wrap(forged).putInt(forged.length - 4, (int) crc.getValue());
            try {
                SnapshotHead read = SnapshotHead.decode(ByteBuffer.wrap(forged), LEDGER_BYTES);
                byte[] again = encode(read);
                assertEquals(positions(read.positions()),
                        positions(SnapshotHead.decode(ByteBuffer.wrap(again), LEDGER_BYTES).positions()), "seed " + seed);
            } catch (NewerSnapshotException newer) {
                assertTrue(newer.getMessage().startsWith("a head of version "), newer::getMessage);
            } catch (CorruptSnapshotException refused) {
                assertTrue(refused.getMessage().startsWith("not a snapshot: "), refused::getMessage);
            }
        }
    }

    @Test
    void aHeadThatEndsInsideABitmapIsRefused() {
        PositionSet set = new PositionSet();
        for (int i = 0; i < 100; i += 2) {
            set.add(3, i);
        }
        byte[] bytes = encode(head(set));
        for (int cutOff = 1; cutOff < 12; cutOff++) {
            byte[] shorter = Arrays.copyOf(bytes, bytes.length - cutOff);
            CRC32C crc = new CRC32C();
            crc.update(ByteBuffer.wrap(shorter).putInt(5, shorter.length).array(), 0, shorter.length - 4);
            ByteBuffer.wrap(shorter).putInt(shorter.length - 4, (int) crc.getValue());
            CorruptSnapshotException refused = assertThrows(CorruptSnapshotException.class,
                    () -> SnapshotHead.decode(ByteBuffer.wrap(shorter), LEDGER_BYTES));
            assertTrue(refused.getMessage().contains("bitmap"), refused::getMessage);
        }
    }

    @Test
    void aHeadWhoseSegmentsAndSetDisagreeCannotBeMade() {
        PositionSet set = new PositionSet();
        set.add(1, 1);
        assertThrows(IllegalArgumentException.class,
                () -> new SnapshotHead("t", "c", 0, List.of(new SegmentEntry(1, 2, 2, 100)), set));
    }

    @Test
    void encodingTwiceGivesTheSameBytes() {
        PositionSet set = new PositionSet();
        set.add(5, 9);
        assertArrayEquals(encode(head(set)), encode(head(set)));
    }
}
