/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * All that a journal's ledger says: whose it is, and the positions of each entry. Immutable.
 *
 * @param entries of the numbers 1, 2, ...
 */
record JournalContents(JournalHead head, List<JournalEntry.Positions> entries) {

    /**
     * Reads a ledger.
     *
     * @param like positions of the cursor, whose record is cut off by the same rule
     * @throws DamagedJournalException if an entry is damaged or newer, or the ledger has none
     */
    static JournalContents read(List<ByteBuffer> ledger, AckedPositions like) throws DamagedJournalException {
        if (ledger.isEmpty()) {
            throw DamagedJournalException.damaged("a journal begins with a head", "no entry");
        }
        List<JournalEntry.Positions> entries = new ArrayList<>(ledger.size() - 1);
        for (ByteBuffer entry : ledger.subList(1, ledger.size())) {
            entries.add(JournalEntry.readPositions(entry, like));
        }
        return new JournalContents(JournalEntry.readHead(ledger.get(0)), entries);
    }

    /** The positions of the entries up to a number. */
    AckedPositions upTo(long sequence, AckedPositions none) {
        AckedPositions all = none;
        for (int i = 0; i < Math.min(sequence, entries.size()); i++) {
            all = all.plus(entries.get(i).positions());
        }
        return all;
    }
}
