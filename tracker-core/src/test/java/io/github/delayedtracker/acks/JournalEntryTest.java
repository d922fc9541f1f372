/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bytes.Varint;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The bytes of a journal: what was written is read, in few bytes, and what is damaged or newer is told apart. */
class JournalEntryTest {

    private static final int MOST_BYTES = 8_300;
    /** Room for every bitmap of a chunk, for small ones, and for one word alone. */
    private static final int[] ENTRY_BYTES = {MOST_BYTES, 2_560, 512, JournalEntry.LEAST_BYTES};
    private static final AckedPositions NONE = new AckedPositions(Map.of(), true);

    /** Positions of some ledgers, each acknowledged with a chance; 0 for every third ledger. */
    private static AckedPositions random(Random random, int ledgers, int entries, double share) {
        Map<Long, long[]> bitmaps = new TreeMap<>();
        long ledgerId = random.nextInt(1_000_000);
        for (int i = 0; i < ledgers; i++) {
            BitSet acked = new BitSet();
            for (int entry = random.nextInt(1 + entries / 2); entry < entries; entry++) {
                if (random.nextDouble() < share) {
                    acked.set(entry);
                }
            }
            ledgerId += 1 + random.nextInt(100);
            bitmaps.put(ledgerId, acked.toLongArray());
        }
        return new AckedPositions(bitmaps, true);
    }

    private static AckedPositions read(List<ByteBuffer> entries, int mostBytes) throws DamagedJournalException {
        ReadBitmaps all = new ReadBitmaps();
        for (ByteBuffer entry : entries) {
            assertTrue(entry.remaining() <= mostBytes, () -> "an entry of " + entry.remaining() + " bytes");
            assertEquals(10_000, JournalEntry.readPositions(entry, all, new ReadBitmaps()));
        }
        return NONE.with(all.asMap());
    }

    @Test
    void fewPositionsTakeLittleRoom() {
        AckedPositions one = NONE.with(Map.of(7L, new long[] {0, 4}));
        assertTrue(new PositionBytes(5_000_000).encode(one).get(0).capacity() < 100);
    }

    @Test
    void positionsAreReadAsTheyWereWritten() throws DamagedJournalException {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            double share = Math.pow(random.nextDouble(), 3);
            AckedPositions written = random(random, 1 + random.nextInt(4), 1 + random.nextInt(200_000), share);
            int mostBytes = ENTRY_BYTES[seed % ENTRY_BYTES.length];
            AckedPositions found = read(JournalEntry.positions(written, false, 10_000, mostBytes), mostBytes);
            int failing = seed;
            assertTrue(found.containsAll(written) && written.containsAll(found), () -> "seed " + failing);
        }
    }

    @Test
    void anEntryWithoutRoomForAWordIsRefused() {
        AckedPositions one = NONE.with(Map.of(7L, new long[] {0, 4}));
        assertThrows(IllegalArgumentException.class, () -> JournalEntry.positions(one, false, 1, JournalEntry.LEAST_BYTES - 1));
    }

    @Test
    void theHeadIsReadAsItWasWritten() throws DamagedJournalException {
        JournalHead head = new JournalHead("public/default/persistent/t\u00e4", "a cursor");
        assertEquals(head, JournalFrame.readHead(JournalFrame.head(head)));
    }

    @Test
    void anAcknowledgementTakesLessThanTwoBytesHoweverFewThereAre() {
        double most = 0;
        for (double share : new double[] {0.5, 0.2, 0.05, 0.02, 0.005, 0.002}) {
            AckedPositions positions = random(new Random(1), 40, 50_000, share);
            long bytes = JournalEntry.positions(positions, false, 10_000, 1 << 20).stream()
                    .mapToLong(ByteBuffer::remaining).sum();
            double each = (double) bytes / positions.entries();
            System.out.printf("journal: %.3f of the entries acknowledged: %.2f bytes each%n", share, each);
            most = Math.max(most, each);
        }
        double found = most;
        assertTrue(most < 2.05, () -> found + " bytes each");
    }

    @Test
    void everyFlippedBitIsDamage() {
        ByteBuffer entry = JournalEntry.positions(random(new Random(3), 2, 500, 0.3), false, 10_000, MOST_BYTES).get(0);
        for (int bit = 0; bit < entry.remaining() * Byte.SIZE; bit++) {
            byte[] bytes = new byte[entry.remaining()];
            entry.duplicate().get(bytes);
            bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            DamagedJournalException e = assertThrows(DamagedJournalException.class,
                    () -> JournalEntry.readPositions(ByteBuffer.wrap(bytes), new ReadBitmaps(), new ReadBitmaps()));
            assertFalse(e.isNewer());
        }
    }

    @Test
    void contentsThatBreakARuleAreDamageWhateverTheirChecksum() {
        Random random = new Random(5);
        byte[] good = new byte[200];
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = good.clone();
            random.nextBytes(bytes);
            bytes[0] = 1;
            bytes[1] = 2;
            try {
                JournalEntry.readPositions(withChecksum(bytes), new ReadBitmaps(), new ReadBitmaps());
            } catch (DamagedJournalException e) {
                assertFalse(e.isNewer());
            }
        }
    }

    @Test
    void anEntryThatNamesPositionsFarApartIsRefusedBeforeMemoryIsTaken() throws DamagedJournalException {
        long last = (long) ReadBitmaps.MOST_WORDS * Long.SIZE - 1;
        AckedPositions fits = readOne(farPositions(last));
        assertTrue(fits.contains(1, last) && fits.entries() == 1, fits::toString);
        assertDamagedWithoutMemory(farPositions(last + 1));
        assertDamagedWithoutMemory(farPositions(last, 0));
        assertDamagedWithoutMemory(farPositions(last / 2, last / 2, last / 2));
    }

    @Test
    void aLedgerOfOnePositionTakesAWordHoweverLongItsChunkIs() throws DamagedJournalException {
        AckedPositions read = readOne(farPositions(70, 0, 63, 64));
        assertEquals(List.of(2, 1, 1, 2), read.bitmaps().values().stream().map(words -> words.length).toList());
    }

    private static AckedPositions readOne(ByteBuffer entry) throws DamagedJournalException {
        ReadBitmaps read = new ReadBitmaps();
        JournalEntry.readPositions(entry, read, new ReadBitmaps());
        return NONE.with(read.asMap());
    }

    /** An entry of one range of one position in each of the ledgers 1, 2, ... */
    private static ByteBuffer farPositions(long... entryIds) {
        ByteBuffer content = ByteBuffer.allocate(100);
        Varint.write(content, 10_000);
        for (int i = 0; i < entryIds.length; i++) {
            long gap = 2 * (entryIds[i] % (1 << 16));
            Varint.write(content, i + 1);
            Varint.write(content, entryIds[i] >> 16);
            Varint.write(content, 2L * Varint.bytes(gap));
            Varint.write(content, gap);
        }
        content.flip();
        return JournalFrame.end(JournalFrame.begin((byte) 2, content.remaining()).put(content));
    }

    private static void assertDamagedWithoutMemory(ByteBuffer entry) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        DamagedJournalException e = assertThrows(DamagedJournalException.class, () -> readOne(entry));
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertFalse(e.isNewer());
        assertTrue(allocated <= (long) ReadBitmaps.MOST_WORDS * Long.BYTES + (1 << 20), () -> allocated + " bytes");
    }

    private static ByteBuffer withChecksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - Integer.BYTES);
        ByteBuffer.wrap(bytes).putInt(bytes.length - Integer.BYTES, (int) crc.getValue());
        return ByteBuffer.wrap(bytes);
    }

    @Test
    void aVersionOrKindThatIsNotKnownIsNewer() {
        for (byte[] start : new byte[][] {{2, 2}, {1, 5}, {9, 9}}) {
            byte[] bytes = new byte[20];
            System.arraycopy(start, 0, bytes, 0, start.length);
            assertTrue(assertThrows(DamagedJournalException.class,
                    () -> JournalEntry.readPositions(withChecksum(bytes), new ReadBitmaps(), new ReadBitmaps())).isNewer());
        }
    }

    @Test
    void positionsThatAreToBeKeptAreToldFromTheOthers() throws DamagedJournalException {
        AckedPositions some = random(new Random(7), 2, 500, 0.3);
        AckedPositions kept = random(new Random(8), 2, 500, 0.1);
        List<ByteBuffer> ledger = new ArrayList<>(List.of(JournalFrame.head(new JournalHead("t", "c"))));
        ledger.addAll(JournalEntry.positions(some, false, 10_000, MOST_BYTES));
        ledger.addAll(JournalEntry.positions(kept, true, 10_000, MOST_BYTES));
        JournalContents read = JournalContents.read(ledger, 1, NONE);
        assertTrue(read.kept().containsAll(kept) && kept.containsAll(read.kept()));
        assertTrue(read.all().containsAll(some.plus(kept)) && some.plus(kept).containsAll(read.all()));
    }

    @Test
    void aJournalWithoutAHeadIsDamaged() {
        assertThrows(DamagedJournalException.class, () -> JournalContents.read(List.of(), 1, NONE));
        List<ByteBuffer> headless = JournalEntry.positions(random(new Random(1), 1, 100, 0.5), false, 1, MOST_BYTES);
        assertThrows(DamagedJournalException.class, () -> JournalContents.read(headless, 1, NONE));
    }
}
