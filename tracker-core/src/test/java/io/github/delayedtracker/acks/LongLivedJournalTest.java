/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A journal that is never written anew, since its deltas are short, and whose mark-delete moves a long way. */
class LongLivedJournalTest {

    private static final int ENTRIES_OF_A_LEDGER = 50_000;
    private static final int ENTRIES_OF_A_TICK = 900_000;
    private static final AckedPositions NONE = new AckedPositions(Map.of(), true);

    /** 15,000 entries a second, ticks of a minute: all acknowledged but four messages that wait, and one that was cancelled. */
    @Test
    void whatIsWrittenCanBeRead() throws Exception {
        JournalFixture.Ledgers ledgers = new JournalFixture.Ledgers();
        OpenJournal journal = new OpenJournal(ledgers.create().join(), ledgers.mostBytes(), 1 << 16);
        AckedPositions first = tick(0);
        journal.begin(new JournalHead("t", "c"), first, keptOf(0), 10_000).join();
        int ticks = 1;
        while (!journal.isLong()) {
            journal.append(tick(ticks), keptOf(ticks), 10_000).join();
            ticks++;
        }
        JournalContents read = JournalContents.read(ledgers.stored.get(journal.id()), journal.sequence(), NONE);
        assertEquals(journal.positions(), read.all().entries());
    }

    private static AckedPositions tick(int number) {
        TreeMap<Long, long[]> bitmaps = new TreeMap<>();
        for (int i = 0; i < ENTRIES_OF_A_TICK; i++) {
            long place = (long) number * ENTRIES_OF_A_TICK + i;
            if (i % (ENTRIES_OF_A_TICK / 4) != 7) {
                int entry = (int) (place % ENTRIES_OF_A_LEDGER);
                bitmaps.computeIfAbsent(place / ENTRIES_OF_A_LEDGER, id -> new long[(ENTRIES_OF_A_LEDGER + 63) / 64])[entry >> 6]
                        |= 1L << entry;
            }
        }
        return new AckedPositions(bitmaps, true);
    }

    private static AckedPositions keptOf(int number) {
        long place = (long) number * ENTRIES_OF_A_TICK + 100;
        long[] words = new long[(ENTRIES_OF_A_LEDGER + 63) / 64];
        int entry = (int) (place % ENTRIES_OF_A_LEDGER);
        words[entry >> 6] |= 1L << entry;
        return new AckedPositions(Map.of(place / ENTRIES_OF_A_LEDGER, words), true);
    }
}
