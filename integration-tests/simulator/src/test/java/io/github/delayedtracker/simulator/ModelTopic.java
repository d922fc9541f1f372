/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.bookkeeper.mledger.proto.MLDataFormats.ManagedLedgerInfo.LedgerInfo;

/**
 * The entries of a topic in its ledgers. Inside the model an entry is its number, counted from 0 over the whole topic;
 * positions exist for the tracker only. Ledgers roll over when full and are trimmed from the front; their ids have gaps.
 */
final class ModelTopic {

    private static final long NO_DELAY = -1;
    private static final int FIRST_LEDGER_ID = 10;

    private final int entriesPerLedger;
    private final List<Long> deliverAtMillis = new ArrayList<>();
    private final List<Long> publishedAtMillis = new ArrayList<>();
    private final List<Position> positions = new ArrayList<>();
    private final NavigableMap<Long, Integer> firstEntries = new TreeMap<>();
    private final NavigableMap<Long, LedgerInfo> ledgers = new TreeMap<>();
    private long currentLedgerId = FIRST_LEDGER_ID;
    private int trimmedBelow;

    ModelTopic(int entriesPerLedger) {
        this.entriesPerLedger = entriesPerLedger;
        openLedger();
    }

    private void openLedger() {
        firstEntries.put(currentLedgerId, size());
        ledgers.put(currentLedgerId, LedgerInfo.newBuilder().setLedgerId(currentLedgerId).build());
    }

    /** Starts a new ledger unless the current one is empty. */
    void rollOver() {
        if (size() > firstEntries.get(currentLedgerId)) {
            currentLedgerId += 1 + size() % 3;
            openLedger();
        }
    }

    /** Appends an entry; a delivery time of -1 means a plain one. */
    int publish(long entryDeliverAtMillis, long nowMillis) {
        if (size() - firstEntries.get(currentLedgerId) >= entriesPerLedger) {
            rollOver();
        }
        positions.add(PositionFactory.create(currentLedgerId, size() - firstEntries.get(currentLedgerId)));
        deliverAtMillis.add(entryDeliverAtMillis);
        publishedAtMillis.add(nowMillis);
        return size() - 1;
    }

    int size() {
        return deliverAtMillis.size();
    }

    boolean isPlain(int entry) {
        return deliverAtMillis(entry) == NO_DELAY;
    }

    long deliverAtMillis(int entry) {
        return deliverAtMillis.get(entry);
    }

    long publishedAtMillis(int entry) {
        return publishedAtMillis.get(entry);
    }

    Position position(int entry) {
        return positions.get(entry);
    }

    /** Where the entry that comes next will stand if no ledger is rolled over before. */
    Position endPosition() {
        return PositionFactory.create(currentLedgerId, size() - firstEntries.get(currentLedgerId));
    }

    /** The position just before an entry's ledger begins; what a mark-delete position may look like after a roll-over. */
    Position beforeLedgerOf(int entry) {
        return PositionFactory.create(entry < size() ? position(entry).getLedgerId() : currentLedgerId, -1);
    }

    /** Whether the entry is the first of its ledger, or would be. */
    boolean startsLedger(int entry) {
        return entry < size() ? position(entry).getEntryId() == 0 : firstEntries.get(currentLedgerId) == size();
    }

    /** The number of the entry at a position, or -1 if there is none. */
    int entryAt(long ledgerId, long entryId) {
        Integer first = firstEntries.get(ledgerId);
        if (first == null || entryId < 0 || entryId >= size() - first) {
            return -1;
        }
        int entry = first + (int) entryId;
        return position(entry).getLedgerId() == ledgerId ? entry : -1;
    }

    /** The last entry that stands in the same ledger. */
    int lastOfLedger(int entry) {
        NavigableMap<Long, Integer> after = firstEntries.tailMap(position(entry).getLedgerId(), false);
        return after.isEmpty() ? size() - 1 : after.firstEntry().getValue() - 1;
    }

    /** Deletes the ledgers that hold only entries below the given one. */
    void trimBelow(int entry) {
        while (ledgers.size() > 1) {
            long first = ledgers.firstKey();
            int next = firstEntries.higherEntry(first).getValue();
            if (next > entry) {
                return;
            }
            ledgers.remove(first);
            trimmedBelow = next;
        }
    }

    boolean isTrimmed(int entry) {
        return entry < trimmedBelow;
    }

    int trimmedBelow() {
        return trimmedBelow;
    }

    NavigableMap<Long, LedgerInfo> ledgers() {
        return ledgers;
    }
}
