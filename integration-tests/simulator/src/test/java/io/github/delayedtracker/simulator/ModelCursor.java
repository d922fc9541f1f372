/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.simulator.CursorRecords.Written;
import io.github.delayedtracker.simulator.Setup.Parameter;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.apache.bookkeeper.mledger.AsyncCallbacks.DeleteCallback;
import org.apache.bookkeeper.mledger.AsyncCallbacks.MarkDeleteCallback;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;

/**
 * The cursor of the subscription: acknowledged entries, mark-delete, the read position, and which of that survives a crash.
 *
 * <p>As in the broker, mark-delete may be told as the last deleted entry or as the place before the next ledger, and every
 * change gives a new position object.
 */
final class ModelCursor {

    private static final ManagedLedgerConfig LIMITS = new ManagedLedgerConfig();
    private static final int GOES_ON_MILLIS = 300;

    private final ModelTopic topic;
    private final boolean tellsLedgerStart;
    private final ManagedLedger ledger;
    private ManagedCursor face;
    private BitSet acked = new BitSet();
    private int nextUnacked;
    private int readEntry;
    private BitSet flushedAcks = new BitSet();
    /** Acknowledged once, and taken back by a seek. */
    private final BitSet takenBack = new BitSet();
    private final Map<Integer, Long> ackedAtMillis = new HashMap<>();
    private final Scheduler scheduler;
    private Position markDelete;
    private Position writtenByTracker;
    /** With a journal. */
    private final Optional<CursorRecords> records;
    private final IntConsumer byTracker;
    private final Consumer<String> called;
    private boolean resetting;
    private final BitSet failsToDelete = new BitSet();
    /** Negative while it is not counted. */
    private int holes;

    /**
     * Nothing is acknowledged.
     *
     * @param byTracker told of each entry that the tracker acknowledges
     * @param called told of each call of a tracker, which fails if this does
     */
    ModelCursor(ModelTopic topic, Setup setup, Scheduler scheduler, IntConsumer byTracker, Consumer<String> called) {
        this.called = called;
        this.topic = topic;
        this.scheduler = scheduler;
        this.tellsLedgerStart = setup.is(Parameter.LEDGER_START);
        this.byTracker = byTracker;
        this.records = !setup.is(Parameter.JOURNAL) ? Optional.empty()
                : Optional.of(new CursorRecords(setup, scheduler, topic, this::whole));
        this.markDelete = topic.beforeLedgerOf(0);
        this.ledger = LedgerFace.of(topic, () -> records.map(CursorRecords::limits).orElse(LIMITS), this::face);
        this.face = newFace(0);
    }

    private ManagedCursor newFace(int load) {
        return CursorFace.of(this, load, called);
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
        for (int entry = copied.nextSetBit(nextUnacked); entry >= 0; entry = copied.nextSetBit(entry + 1)) {
            Position position = topic.position(entry);
            ledgers.computeIfAbsent(position.getLedgerId(), id -> new BitSet()).set((int) position.getEntryId());
        }
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

    boolean isDeletedAt(Position position) {
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

    /** The first entry whose ledger may still be needed: by the cursor, a reset under way, or the last record that is durable. */
    int passedForGood() {
        int below = records.map(CursorRecords::durableBelow).orElse(nextUnacked);
        return resetting ? 0 : Math.min(below, nextUnacked);
    }

    int readEntry() {
        return readEntry;
    }

    Position markDeletePosition() {
        return markDelete;
    }

    /** That of the last record that a tracker has asked for and that is written. */
    Position writtenByTracker() {
        return writtenByTracker;
    }

    ManagedLedger ledger() {
        return ledger;
    }

    /** Whether anything is acknowledged above mark-delete. */
    boolean hasHoles() {
        return acked.length() > nextUnacked;
    }

    Position readPosition() {
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
        records.ifPresent(written -> written.acknowledged(() -> { }));
    }

    /** Passes everything below an entry: expiry, seek forward. */
    void deleteBelow(int entry) {
        acked.set(0, entry);
        settle();
        readEntry = Math.max(readEntry, nextUnacked);
        records.ifPresent(written -> written.acknowledged(() -> { }));
    }

    /** The same by the user: skip, clear. The numbers of the place before are gone. */
    void skipTo(int entry) {
        records.ifPresent(CursorRecords::takeNumbersAway);
        deleteBelow(entry);
    }

    /** Resets it once a record is written, with the acknowledgements of before; one begun before may go on after it. */
    void reset(int entry, boolean goesOn, Runnable answered) {
        CursorRecords written = records.orElseThrow();
        Map<String, Long> numbersBefore = written.numbers();
        int belowBefore = nextUnacked;
        resetting = true;
        written.write(new Written(entry, whole().acked(), Map.of()), () -> {
            resetting = false;
            written.takeNumbersAway();
            acked.set(0, Math.max(entry, nextUnacked));
            seekBackTo(entry);
            answered.run();
            int load = written.load();
            if (goesOn && !numbersBefore.isEmpty()) {
                scheduler.after(scheduler.draw(GOES_ON_MILLIS), () -> {
                    if (!resetting) {
                        written.goesOn(load, new Written(belowBefore, whole().acked(), numbersBefore));
                    }
                });
            }
        });
    }

    /** Whether the record that was loaded may name a journal of before a reset in the place of a newer one. */
    boolean hadOldNumbers() {
        return records.map(CursorRecords::hadOldNumbers).orElse(false);
    }

    /** Whether a reset is under way: no consumer is let in. */
    boolean isResetting() {
        return resetting;
    }

    private Written whole() {
        BitSet above = (BitSet) acked.clone();
        above.clear(0, nextUnacked);
        return new Written(nextUnacked, above, records.map(CursorRecords::numbers).orElse(Map.of()));
    }

    /** The records that it writes; empty without a journal. */
    Optional<CursorRecords> records() {
        return records;
    }

    boolean putNumber(int load, String name, long value) {
        boolean known = records.isPresent() && load == records.get().load();
        if (known) {
            records.get().putNumber(name, value);
        }
        return known;
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

    /** How many ranges are acknowledged behind mark-delete, each within one ledger. */
    int holes() {
        if (holes < 0) {
            holes = 0;
            for (int entry = acked.nextSetBit(nextUnacked); entry >= 0;) {
                int last = Math.min(acked.nextClearBit(entry) - 1, topic.lastOfLedger(entry));
                holes++;
                entry = acked.nextSetBit(last + 1);
            }
        }
        return holes;
    }

    private void settle() {
        holes = -1;
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

    /** The next acknowledgement by the tracker of one of these entries fails. */
    void failNextDeleteOf(List<Integer> entries) {
        entries.forEach(failsToDelete::set);
    }

    private boolean fails(Iterable<?> positions) {
        boolean fails = false;
        for (Object each : positions) {
            Position position = (Position) each;
            int entry = topic.entryAt(position.getLedgerId(), position.getEntryId());
            fails |= entry >= 0 && failsToDelete.get(entry);
        }
        if (fails) {
            failsToDelete.clear();
        }
        return fails;
    }

    Object delete(int load, Iterable<?> positions, DeleteCallback callback) {
        if (records.isEmpty()) {
            return writeRecord(positions, callback);
        }
        if (fails(positions)) {
            callback.deleteFailed(new ManagedLedgerException("cannot be acknowledged now"), null);
            return null;
        }
        if (load != records.get().load()) {
            callback.deleteFailed(new ManagedLedgerException.CursorAlreadyClosedException("the topic was unloaded"), null);
            return null;
        }
        boolean any = hasHoles();
        for (Object each : positions) {
            Position position = (Position) each;
            int entry = topic.entryAt(position.getLedgerId(), position.getEntryId());
            if (entry >= 0 && !acked.get(entry)) {
                any = true;
                byTracker.accept(entry);
                ackedAtMillis.put(entry, scheduler.nowMillis());
                acked.set(entry);
            }
        }
        settle();
        if (any) {
            records.get().acknowledged(() -> callback.deleteComplete(null));
        } else {
            callback.deleteComplete(null);
        }
        return null;
    }

    /** A mark-delete of what is mark-deleted already writes the record, within the limit of their rate. */
    Object markDelete(int load, Position position, MarkDeleteCallback callback) {
        if (records.isPresent() && load != records.get().load()) {
            callback.markDeleteFailed(new ManagedLedgerException.CursorAlreadyClosedException("the topic was unloaded"), null);
        } else if (position.compareTo(markDelete) > 0) {
            throw new IllegalStateException("mark-delete is moved from " + markDelete + " to " + position);
        } else if (resetting || !position.equals(markDelete)) {
            callback.markDeleteFailed(new ManagedLedgerException("mark-delete moves by acknowledgements only"), null);
        } else {
            Runnable answered = () -> {
                writtenByTracker = position;
                callback.markDeleteComplete(null);
            };
            records.ifPresentOrElse(written -> written.acknowledged(answered), () -> {
                flush();
                scheduler.after(1, answered);
            });
        }
        return null;
    }

    /** An acknowledgement of nothing writes the record, unless nothing above mark-delete is acknowledged. */
    private Object writeRecord(Iterable<?> positions, DeleteCallback callback) {
        if (positions.iterator().hasNext()) {
            throw new UnsupportedOperationException("the model has no acknowledgement by a tracker without a journal");
        }
        if (hasHoles()) {
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
        records.ifPresent(CursorRecords::writeNow);
    }

    /** The topic is unloaded, and loaded with what the cursor writes at its close. */
    void reloadAfterClose() {
        records.ifPresentOrElse(written -> reloadFrom(written.closeAndLoad()), this::flush);
    }

    /** What a new owner finds: acknowledgements as of the last flush, the read position at their start. */
    void reloadAfterCrash() {
        reloadFrom(records.map(CursorRecords::crashAndLoad).orElseGet(() -> new Written(0, flushedAcks, Map.of())));
    }

    private void reloadFrom(Written record) {
        acked = (BitSet) record.acked().clone();
        acked.set(0, Math.max(record.below(), topic.trimmedBelow()));
        nextUnacked = 0;
        resetting = false;
        failsToDelete.clear();
        records.ifPresent(written -> face = newFace(written.load()));
        settle();
        tellMarkDelete();
        rewind();
    }
}
