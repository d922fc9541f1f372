/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.fuzz.FuzzTarget;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Any bytes are an entry of a journal of acknowledgements, or are refused with the one exception there is for it. */
class JournalFuzzTest extends FuzzTarget {

    private static final AckedPositions NONE = new AckedPositions(Map.of(), true);
    private static final int ENTRY_BYTES = JournalEntry.LEAST_BYTES + 64;

    @Override
    protected List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        seeds.add(bytes(JournalFrame.head(new JournalHead("public/default/persistent/t\u00e4", "a cursor"))));
        AckedPositions few = NONE.with(Map.of(7L, new long[] {0, 4, -1}, 9L, new long[] {0x5555, 0, 1}));
        for (boolean kept : new boolean[] {false, true}) {
            JournalEntry.positions(few, kept, 10_000, ENTRY_BYTES).forEach(entry -> seeds.add(bytes(entry)));
        }
        long[] mixed = new long[40];
        for (int i = 0; i < mixed.length; i++) {
            mixed[i] = 0x9e3779b97f4a7c15L * (i + 1);
        }
        JournalEntry.positions(NONE.with(Map.of(1L << 40, mixed)), false, 1, ENTRY_BYTES)
                .forEach(entry -> seeds.add(bytes(entry)));
        return seeds;
    }

    private static byte[] bytes(ByteBuffer entry) {
        byte[] bytes = new byte[entry.remaining()];
        entry.duplicate().get(bytes);
        return bytes;
    }

    @Override
    protected void read(byte[] bytes) throws DamagedJournalException {
        readAsItIs(ByteBuffer.wrap(bytes));
        if (bytes.length > 2) {
            // Most inputs die of the checksum, the version or the kind; with the right ones the rest has to hold.
            for (byte kind = 1; kind <= 3; kind++) {
                ByteBuffer content = ByteBuffer.wrap(bytes, 2, bytes.length - 2);
                readAsItIs(JournalFrame.end(JournalFrame.begin(kind, content.remaining()).put(content)));
            }
        }
    }

    private static void readAsItIs(ByteBuffer entry) throws DamagedJournalException {
        try {
            JournalHead head = JournalFrame.readHead(entry.duplicate());
            assertEquals(head, JournalFrame.readHead(JournalFrame.head(head)));
        } catch (DamagedJournalException e) {
            assertTrue(e.getMessage().startsWith("a journal is "), e.getMessage());
        }
        ReadBitmaps all = new ReadBitmaps();
        ReadBitmaps kept = new ReadBitmaps();
        long most;
        try {
            most = JournalEntry.readPositions(entry.duplicate(), all, kept);
        } catch (DamagedJournalException e) {
            assertTrue(e.getMessage().startsWith("a journal is "), e.getMessage());
            return;
        }
        AckedPositions read = NONE.with(all.asMap());
        assertTrue(read.containsAll(NONE.with(kept.asMap())), "kept positions are positions");
        ReadBitmaps again = new ReadBitmaps();
        for (ByteBuffer written : JournalEntry.positions(read, false, most, ENTRY_BYTES)) {
            assertEquals(most, JournalEntry.readPositions(written, again, new ReadBitmaps()));
        }
        AckedPositions second = NONE.with(again.asMap());
        assertTrue(read.containsAll(second) && second.containsAll(read), "what is read can be written");
    }
}
