/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import java.lang.reflect.Proxy;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.bookkeeper.mledger.AsyncCallbacks.DeleteCallback;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.Position;

/**
 * The cursor of the subscription: acknowledged entries, mark-delete, the read position, and which of that survives a crash.
 *
 * <p>As in the broker, mark-delete may be told as the last deleted entry or as the place before the next ledger, and every
 * change gives a new position object.
 */
final class ModelCursor {

    private static final ManagedLedgerConfig LIMITS = new ManagedLedgerConfig();

    private final ModelTopic topic;
    private final boolean tellsLedgerStart;
    private final ManagedCursor face;
    private BitSet acked = new BitSet();
    private int nextUnacked;
    private int readEntry;
    private BitSet flushedAcks = new BitSet();
    /** Acknowledged once, and taken back by a seek. */
    private final BitSet takenBack = new BitSet();
    private final Map<Integer, Long> ackedAtMillis = new HashMap<>();
    private final Scheduler scheduler;
    private Position markDelete;

    ModelCursor(ModelTopic topic, boolean tellsLedgerStart, Scheduler scheduler) {
        this.topic = topic;
        this.scheduler = scheduler;
        this.tellsLedgerStart = tellsLedgerStart;
        this.markDelete = topic.beforeLedgerOf(0);
        ManagedLedger ledger = (ManagedLedger) Proxy.newProxyInstance(ModelCursor.class.getClassLoader(),
                new Class<?>[] {ManagedLedger.class}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "getLedgersInfo" -> topic.ledgers();
                    case "getName" -> "public/default/persistent/simulated";
                    case "getNumberOfEntries" -> (long) (topic.size() - topic.trimmedBelow());
                    case "getLastConfirmedEntry" -> topic.size() == 0 ? null : topic.position(topic.size() - 1);
                    case "getConfig" -> LIMITS;
                    case "getCursors" -> List.of(face());
                    default -> throw new UnsupportedOperationException("the model has no ManagedLedger." + method.getName());
                });
        this.face = (ManagedCursor) Proxy.newProxyInstance(ModelCursor.class.getClassLoader(),
                new Class<?>[] {ManagedCursor.class}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "getReadPosition" -> readPosition();
                    case "getMarkDeletedPosition" -> markDelete;
                    case "isMessageDeleted" -> isDeletedAt((Position) arguments[0]);
                    case "getManagedLedger" -> ledger;
                    case "getCursorProperties", "getProperties" -> Map.of();
                    case "getNumberOfEntriesInBacklog" -> (long) (topic.size() - acked.cardinality());
                    case "getNumberOfEntries" -> (long) unackedFrom(readEntry);
                    case "getName" -> "sub";
                    case "asyncDelete" -> writeRecord((Iterable<?>) arguments[0], (DeleteCallback) arguments[1]);
                    case "getTotalNonContiguousDeletedMessagesRange" -> acked.length() > nextUnacked ? 1 : 0;
                    default -> throw new UnsupportedOperationException("the model has no ManagedCursor." + method.getName());
                });
    }

    /** What the tracker sees of it. */
    ManagedCursor face() {
        return face;
    }

    /**
     * What is acknowledged above mark-delete, or a copy that was made before a seek and is used after it: a thread may be held up
     * in between.
     */
    Map<Long, long[]> copyOfAcks(boolean heldUp) {
        BitSet copied = (BitSet) acked.clone();
        if (heldUp) {
            copied.or(takenBack);
        }
        Map<Long, BitSet> ledgers = new HashMap<>();
        copied.stream().filter(entry -> entry >= nextUnacked).forEach(entry -> {
            Position position = topic.position(entry);
            ledgers.computeIfAbsent(position.getLedgerId(), id -> new BitSet()).set((int) position.getEntryId());
        });
        return ledgers.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().toLongArray()));
    }

    int acknowledgedEntries() {
        return acked.cardinality();
    }

    /** How many entries from the given one on are not acknowledged. */
    int unackedFrom(int entry) {
        return topic.size() - entry - acked.get(entry, Math.max(entry, topic.size())).cardinality();
    }

    /** Since when the entry is acknowledged, or Long.MAX_VALUE. */
    long ackedAtMillis(int entry) {
        return acked.get(entry) ? ackedAtMillis.getOrDefault(entry, Long.MIN_VALUE) : Long.MAX_VALUE;
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
        if (!acked.get(entry)) {
            ackedAtMillis.put(entry, scheduler.nowMillis());
        }
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
        takenBack.or(acked.get(entry, Math.max(entry, acked.length())).stream().map(offset -> offset + entry)
                .collect(BitSet::new, BitSet::set, BitSet::or));
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

    /** An acknowledgement of nothing writes the record, unless nothing above mark-delete is acknowledged. */
    private Object writeRecord(Iterable<?> positions, DeleteCallback callback) {
        if (positions.iterator().hasNext()) {
            throw new UnsupportedOperationException("the model has no acknowledgement by a tracker");
        }
        if (acked.length() > nextUnacked) {
            flush();
            scheduler.after(1, () -> callback.deleteComplete(null));
        } else {
            callback.deleteComplete(null);
        }
        return null;
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
