/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.moves;

import static io.github.delayedtracker.acks.JournalFrame.NUMBERS;
import static io.github.delayedtracker.acks.JournalFrame.NUMBER_BYTES;

import io.github.delayedtracker.acks.DamagedJournalException;
import io.github.delayedtracker.acks.JournalFrame;
import io.github.delayedtracker.bytes.Varint;
import io.github.delayedtracker.index.PositionTimes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Due times of positions as entries of a ledger, each in a {@link JournalFrame}. The content is the positions, ascending: the
 * distance to the ledger before, the entry or within a ledger its distance to the one before, and the difference to the time
 * before, twice it and one less where it is negative.
 */
final class MoveEntry {

    private static final byte KIND = 4;
    private static final int LONGEST_POSITION_BYTES = 3 * NUMBER_BYTES;

    private final int mostBytes;
    private final List<ByteBuffer> done = new ArrayList<>();
    private ByteBuffer current;
    private long lastLedgerId;
    private long lastEntryId;
    private long lastMillis;

    private MoveEntry(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Entries with all of the times, none of them longer than a limit of at least 64 bytes. Linear. */
    static List<ByteBuffer> entries(PositionTimes times, int mostBytes) {
        MoveEntry writing = new MoveEntry(mostBytes - JournalFrame.BYTES);
        times.forEach(writing::write);
        writing.end();
        return writing.done;
    }

    private void write(long ledgerId, long entryId, long atMillis) {
        if (current != null && current.position() + LONGEST_POSITION_BYTES > mostBytes) {
            end();
        }
        if (current == null) {
            current = ByteBuffer.allocate(LONGEST_POSITION_BYTES);
            lastLedgerId = 0;
            lastEntryId = 0;
            lastMillis = 0;
        } else if (current.remaining() < LONGEST_POSITION_BYTES) {
            current = ByteBuffer.allocate(Math.min(mostBytes, 2 * (current.capacity() + LONGEST_POSITION_BYTES)))
                    .put(current.flip());
        }
        Varint.write(current, ledgerId - lastLedgerId);
        Varint.write(current, ledgerId == lastLedgerId ? entryId - lastEntryId : entryId);
        long change = atMillis - lastMillis;
        Varint.write(current, change << 1 ^ change >> Long.SIZE - 1);
        lastLedgerId = ledgerId;
        lastEntryId = entryId;
        lastMillis = atMillis;
    }

    private void end() {
        if (current != null) {
            ByteBuffer content = current.flip();
            done.add(JournalFrame.end(JournalFrame.begin(KIND, content.remaining()).put(content)));
            current = null;
        }
    }

    /** The times of one entry. */
    static PositionTimes read(ByteBuffer entry) throws DamagedJournalException {
        ByteBuffer content = JournalFrame.content(entry, KIND, KIND);
        PositionTimes.Builder times = new PositionTimes.Builder();
        long ledgerId = 0;
        long entryId = 0;
        long atMillis = 0;
        try {
            while (content.hasRemaining()) {
                long ledgers = NUMBERS.read(content);
                long number = NUMBERS.read(content);
                ledgerId = Math.addExact(ledgerId, ledgers);
                entryId = ledgers == 0 ? Math.addExact(entryId, number) : number;
                long change = NUMBERS.read(content);
                atMillis += change >>> 1 ^ -(change & 1);
                times.add(ledgerId, entryId, atMillis);
            }
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw DamagedJournalException.damaged("positions ascend, with times in range", e.getMessage());
        }
        return times.build();
    }
}
