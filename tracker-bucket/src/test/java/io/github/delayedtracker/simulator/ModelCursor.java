/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import java.lang.reflect.Proxy;
import java.util.BitSet;
import java.util.Map;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.Position;

/**
 * The cursor of the subscription: acknowledged entries, mark-delete, the read position, and which of that survives a crash.
 *
 * <p>As in the broker, mark-delete may be told as the last deleted entry or as the place before the next ledger, and every
 * change gives a new position object.
 */
final class ModelCursor {

    private final ModelTopic topic;
    private final boolean tellsLedgerStart;
    private final ManagedCursor face;
    private BitSet acked = new BitSet();
    private int nextUnacked;
    private int readEntry;
    private BitSet flushedAcks = new BitSet();
    private Position markDelete;

    ModelCursor(ModelTopic topic, boolean tellsLedgerStart) {
        this.topic = topic;
        this.tellsLedgerStart = tellsLedgerStart;
        this.markDelete = topic.beforeLedgerOf(0);
        ManagedLedger ledger = (ManagedLedger) Proxy.newProxyInstance(ModelCursor.class.getClassLoader(),
                new Class<?>[] {ManagedLedger.class}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "getLedgersInfo" -> topic.ledgers();
                    case "getName" -> "public/default/persistent/simulated";
                    default -> throw new UnsupportedOperationException("the model has no ManagedLedger." + method.getName());
                });
        this.face = (ManagedCursor) Proxy.newProxyInstance(ModelCursor.class.getClassLoader(),
                new Class<?>[] {ManagedCursor.class}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "getReadPosition" -> readPosition();
                    case "getMarkDeletedPosition" -> markDelete;
                    case "isMessageDeleted" -> isDeletedAt((Position) arguments[0]);
                    case "getManagedLedger" -> ledger;
                    case "getCursorProperties" -> Map.of();
                    case "getNumberOfEntriesInBacklog" -> (long) (topic.size() - acked.cardinality());
                    case "getTotalNonContiguousDeletedMessagesRange" -> acked.cardinality() - nextUnacked;
                    case "getName" -> "sub";
                    default -> throw new UnsupportedOperationException("the model has no ManagedCursor." + method.getName());
                });
    }

    /** What the tracker sees of it. */
    ManagedCursor face() {
        return face;
    }

    private boolean isDeletedAt(Position position) {
        int entry = topic.entryAt(position.getLedgerId(), position.getEntryId());
        return entry >= 0 && isDeleted(entry);
    }

    boolean isDeleted(int entry) {
        return acked.get(entry);
    }

    /** The first entry that is not acknowledged; everything below it is passed by mark-delete. */
    int nextUnacked() {
        return nextUnacked;
    }

    int readEntry() {
        return readEntry;
    }

    private Position readPosition() {
        return readEntry < topic.size() ? topic.position(readEntry) : topic.endPosition();
    }

    void readFrom(int entry) {
        readEntry = Math.max(entry, nextUnacked);
    }

    void rewind() {
        readEntry = acked.nextClearBit(nextUnacked);
    }

    void acknowledge(int entry) {
        acked.set(entry);
        settle();
    }

    /** Passes everything below an entry: skip, expiry, clear, seek forward. */
    void deleteBelow(int entry) {
        acked.set(0, entry);
        settle();
        readEntry = Math.max(readEntry, nextUnacked);
    }

    /** Moves back so that the given entry is the next to be delivered. */
    void seekBackTo(int entry) {
        acked.clear(entry, acked.length());
        nextUnacked = Math.min(nextUnacked, entry);
        settle();
        tellMarkDelete();
        rewind();
    }

    private void settle() {
        int next = Math.min(acked.nextClearBit(nextUnacked), topic.size());
        if (next != nextUnacked) {
            nextUnacked = next;
            tellMarkDelete();
        }
    }

    private void tellMarkDelete() {
        markDelete = nextUnacked == 0 || tellsLedgerStart && topic.startsLedger(nextUnacked)
                ? topic.beforeLedgerOf(nextUnacked) : topic.position(nextUnacked - 1);
    }

    /** Makes the acknowledgements durable. */
    void flush() {
        flushedAcks = (BitSet) acked.clone();
    }

    /** What a new owner finds: acknowledgements as of the last flush, the read position at their start. */
    void reloadAfterCrash() {
        acked = (BitSet) flushedAcks.clone();
        acked.set(0, topic.trimmedBelow());
        nextUnacked = 0;
        settle();
        tellMarkDelete();
        rewind();
    }
}
