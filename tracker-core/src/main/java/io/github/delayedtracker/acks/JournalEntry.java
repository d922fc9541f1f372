/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static io.github.delayedtracker.acks.JournalFrame.NUMBERS;
import static io.github.delayedtracker.acks.JournalFrame.NUMBER_BYTES;

import io.github.delayedtracker.bytes.Varint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * One entry of a journal's ledger: the head, or positions, kept ones by themselves, in a {@link JournalFrame}.
 *
 * <p>The content of positions is the limit of the cursor's record when they were written, then {@link PositionBytes}. An entry
 * takes as many chunks of positions as fit; its number in the ledger is its sequence number.
 */
final class JournalEntry {

    /** The shortest limit of an entry with positions. */
    static final int LEAST_BYTES = JournalFrame.BYTES + NUMBER_BYTES + PositionBytes.LEAST_BYTES;

    private static final byte POSITIONS = 2;
    /** Positions for which the journal does not end. */
    private static final byte KEPT = 3;

    private JournalEntry() {
    }

    /**
     * Entries with all of the positions, none of them longer than a limit of at least {@link #LEAST_BYTES}. Linear in the words.
     *
     * @param kept whether the journal is not to end for them
     * @param most the limit of the cursor's record
     */
    static List<ByteBuffer> positions(AckedPositions positions, boolean kept, long most, int mostBytes) {
        List<ByteBuffer> entries = new ArrayList<>();
        int room = mostBytes - JournalFrame.BYTES - NUMBER_BYTES;
        for (ByteBuffer content : new PositionBytes(room).encode(positions)) {
            ByteBuffer bytes = JournalFrame.begin(kept ? KEPT : POSITIONS, NUMBER_BYTES + content.remaining());
            Varint.write(bytes, most);
            bytes.put(content);
            entries.add(JournalFrame.end(bytes));
        }
        return entries;
    }

    /** Adds the positions of an entry to bitmaps, and answers the limit in force when they were written. */
    static long readPositions(ByteBuffer entry, ReadBitmaps into, ReadBitmaps keptInto)
            throws DamagedJournalException {
        ByteBuffer content = JournalFrame.content(entry, POSITIONS, KEPT);
        long most = NUMBERS.read(content);
        if (entry.get(entry.position() + 1) == KEPT) {
            PositionBytes.decode(content.duplicate(), keptInto);
        }
        PositionBytes.decode(content, into);
        return most;
    }
}
