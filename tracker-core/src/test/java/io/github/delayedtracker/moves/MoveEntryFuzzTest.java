/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.moves;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.acks.DamagedJournalException;
import io.github.delayedtracker.acks.JournalFrame;
import io.github.delayedtracker.fuzz.FuzzTarget;
import io.github.delayedtracker.index.PositionTimes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Any bytes are an entry of due times that commands have given, or are refused with the one exception there is for it. */
class MoveEntryFuzzTest extends FuzzTarget {

    private static final byte KIND = 4;
    private static final int ENTRY_BYTES = 1 << 20;

    @Override
    protected List<byte[]> seeds() {
        PositionTimes.Builder times = new PositionTimes.Builder();
        for (int i = 0; i < 20; i++) {
            times.add(5 + i / 6, i % 6 * 70_000L, 1_700_000_000_000L + i % 3 * 86_400_000L - i);
        }
        return List.of(bytes(MoveEntry.entries(times.build(), ENTRY_BYTES).get(0)));
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
            // Most inputs die of the checksum; with the right one the rest has to hold.
            ByteBuffer content = ByteBuffer.wrap(bytes, 2, bytes.length - 2);
            readAsItIs(JournalFrame.end(JournalFrame.begin(KIND, content.remaining()).put(content)));
        }
    }

    private static void readAsItIs(ByteBuffer entry) throws DamagedJournalException {
        PositionTimes times;
        try {
            times = MoveEntry.read(entry);
        } catch (DamagedJournalException e) {
            assertTrue(e.getMessage().startsWith("a journal is "), e.getMessage());
            return;
        }
        List<String> written = new ArrayList<>();
        for (ByteBuffer again : MoveEntry.entries(times, ENTRY_BYTES)) {
            written.addAll(text(MoveEntry.read(again)));
        }
        assertEquals(text(times), written, "what is read can be written");
    }

    private static List<String> text(PositionTimes times) {
        List<String> text = new ArrayList<>();
        times.forEach((ledgerId, entryId, atMillis) -> text.add(ledgerId + ":" + entryId + " at " + atMillis));
        return text;
    }
}
