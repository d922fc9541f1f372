/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * All that a journal's ledger says, as one set of positions: entries are added up as they are read. Immutable.
 *
 * @param head the cursor that the journal is of
 * @param entries the number of entries of positions, which have the numbers 1, 2, ...
 * @param mostAtStamp the limit of the cursor's record when the stamped entry was written; -1 if there is no such entry
 * @param upToStamp the positions of the entries up to the stamped one
 * @param all the positions of all entries
 * @param kept positions among them for which the journal was not to end
 */
record JournalContents(JournalHead head, int entries, long mostAtStamp, AckedPositions upToStamp, AckedPositions all,
        AckedPositions kept) {

    private static final long NO_ENTRY = -1;

    /**
     * Reads a ledger. Linear in its bytes, with the memory of two sets of positions.
     *
     * @param sequence the number of the stamped entry
     * @param like positions of the cursor, whose record is cut off by the same rule
     * @throws DamagedJournalException if an entry is damaged or newer, or the ledger has none
     */
    static JournalContents read(List<ByteBuffer> ledger, long sequence, AckedPositions like) throws DamagedJournalException {
        if (ledger.isEmpty()) {
            throw DamagedJournalException.damaged("a journal begins with a head", "no entry");
        }
        ReadBitmaps bitmaps = new ReadBitmaps();
        ReadBitmaps kept = new ReadBitmaps();
        AckedPositions upToStamp = like.none();
        long mostAtStamp = NO_ENTRY;
        for (int i = 1; i < ledger.size(); i++) {
            long most = JournalEntry.readPositions(ledger.get(i), bitmaps, kept);
            if (i == sequence) {
                mostAtStamp = most;
                upToStamp = like.with(bitmaps.copy().asMap());
            }
        }
        return new JournalContents(JournalFrame.readHead(ledger.get(0)), ledger.size() - 1, mostAtStamp, upToStamp,
                like.with(bitmaps.asMap()), like.with(kept.asMap()));
    }
}
