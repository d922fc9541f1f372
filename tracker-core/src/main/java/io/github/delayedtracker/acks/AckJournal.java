/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import io.github.delayedtracker.acks.JournalCursor.Excluded;
import io.github.delayedtracker.acks.JournalCursor.Moment;
import io.github.delayedtracker.acks.JournalCursor.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Writes the journal of one cursor: a ledger with all acknowledgements behind mark-delete, begun once the cursor's own record is
 * about to leave some out, ended when it does not any more. Each tick appends what is new.
 *
 * <p>One rule makes it safe: at every stamp all positions of the ledger are acknowledged, seen while no seek can reach the
 * cursor. Every reset takes the stamp away. A tick that finds a position that is not acknowledged any more voids the journal: its
 * ledger is deleted at once, and another is begun. A ledger that has grown long is written anew, and deleted once the record
 * with the new stamp is written. One step at a time; thread safe.
 */
public final class AckJournal {

    /** A journal begins at this part of the cursor's limit, and ends at half of that. */
    private static final int BEGIN_PART = 2;
    /** The first records that are written after a stamp may have been begun before it. */
    private static final int RECORDS_AFTER_STAMP = 4;
    private static final long LEAST_DELTA_BYTES = 1 << 16;
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final JournalCursor cursor;
    private final JournalLedgers ledgers;
    private final JournalHead head;
    private final Consumer<Throwable> failures;
    private final Executor worker;
    private final long leastDeltaBytes;
    /** The step under way, or the last one. The fields below belong to it. */
    private final AtomicReference<CompletableFuture<Void>> step = new AtomicReference<>(DONE);
    private volatile boolean closed;
    private volatile OpenJournal open;
    /** The acknowledgements of the last tick: unless the cursor was reset all of them still are. */
    private AckedPositions seen;
    /** Ledgers that may still count, until the record that names the open one is written. */
    private final List<Long> superseded = new ArrayList<>();
    /** Ledgers that do not count. */
    private final List<Long> voided = new ArrayList<>();
    private final Rest rest = new Rest();
    /** Whether the cursor's record is known to name the open journal, up to its last entry. */
    private volatile boolean recorded;
    /** Whether the record is known to name the open journal or the one that it replaces. */
    private volatile boolean counts;
    /** Whether it is known to name the open journal. */
    private volatile boolean namesOpen;
    /** The records that the cursor had written when the open journal was stamped, and the entry that it was stamped with. */
    private long recordsAtStamp;
    private long stampedSequence;
    /** Whether the cursor's record names ledgers that are deleted. */
    private boolean namesGone;
    /** How many ticks have ended well after a look at the cursor. */
    private final AtomicLong looks = new AtomicLong();
    /** Whether a ledger may be stamped. */
    private volatile boolean mayCount;
    /** Whether there is something left to do that waits for no acknowledgement. */
    private volatile boolean unsettled;
    /** How many more acknowledgements may come before a journal is needed, as of the last look. */
    private volatile long room;
    private volatile long writtenMillis;

    /**
     * Nothing is written. The ledgers that the record names count no more, except the one that was just restored: until another
     * is stamped.
     *
     * @param worker looks at the cursor after an answer of the storage, whose threads wait for no dispatcher
     * @param failures told of each step that has failed; the next one follows after a rest
     */
    public AckJournal(JournalCursor cursor, JournalLedgers ledgers, JournalHead head, AckRestore.Outcome restored,
            Executor worker, Consumer<Throwable> failures) {
        this(cursor, ledgers, head, restored, worker, failures, LEAST_DELTA_BYTES);
    }

    /** The same with ledgers that are not written anew before their deltas have that many bytes. */
    AckJournal(JournalCursor cursor, JournalLedgers ledgers, JournalHead head, AckRestore.Outcome restored, Executor worker,
            Consumer<Throwable> failures, long leastDeltaBytes) {
        this.worker = worker;
        this.leastDeltaBytes = leastDeltaBytes;
        this.failures = failures;
        this.cursor = cursor;
        this.ledgers = ledgers;
        this.head = head;
        (restored.end() == AckRestore.End.APPLIED ? superseded : voided).addAll(ledgers.named());
        unsettled = !superseded.isEmpty() || !voided.isEmpty();
        mayCount = !superseded.isEmpty();
        seen = cursor.moment().map(Moment::acked).orElse(new AckedPositions(Map.of(), true));
    }

    /** A journal as statistics show it. */
    public record Figures(long positions, long bytes, long writtenMillis) {
    }

    /** A step that a look at the cursor has decided on. */
    private interface Next {
        CompletableFuture<Void> begin();
    }

    /**
     * Appends what was acknowledged since, or begins or ends the journal. Called every few seconds, without a lock that a seek
     * takes.
     *
     * @return done when the step, or the one that is still under way, has ended; never fails
     */
    public CompletableFuture<Void> tick(long nowMillis) {
        CompletableFuture<Void> before = step.get();
        CompletableFuture<Void> mine = new CompletableFuture<>();
        if (closed || !before.isDone() || rest.lasts(nowMillis) || !step.compareAndSet(before, mine)) {
            return step.get();
        }
        guarded(() -> cursor.excluded(excluded -> decide(excluded, nowMillis))
                .map(next -> next.begin().thenRun(looks::incrementAndGet)).orElse(DONE), nowMillis, mine);
        return mine;
    }

    /**
     * Looks at the cursor after its read position went back: a seek may have been the reason. Nothing is to be handed out until
     * this is done, or an acknowledgement that was held up over the seek could put the stamp back, and new ones make the cursor's
     * record look as before.
     *
     * @return true once no ledger of before a reset is left; false if that could not be told now: ask again, for a limited time
     */
    public CompletableFuture<Boolean> rewound(long nowMillis) {
        return tick(nowMillis).thenApply(done -> !closed && cursor.excluded(excluded -> excluded.moment().hasAll(seen))
                .orElse(false) && voided.isEmpty());
    }

    private void guarded(Next next, long nowMillis, CompletableFuture<Void> ended) {
        CompletableFuture<Void> begun;
        try {
            begun = next.begin();
        } catch (RuntimeException | Error e) {
            begun = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<Void> unused = begun.whenComplete((done, failure) -> {
            if (failure == null) {
                rest.forget();
            } else {
                if (open != null && open.isBroken()) {
                    supersede();
                }
                rest.begin(nowMillis);
                failures.accept(failure);
            }
            unsettled = namesGone || !voided.isEmpty() || !superseded.isEmpty() || open != null && !recorded;
            mayCount = open != null || !superseded.isEmpty();
            ended.complete(null);
        });
    }

    /** The open ledger is given up: nothing is appended to it. It counts until another journal is stamped. */
    private void supersede() {
        if (open != null) {
            superseded.add(open.id());
            open = null;
            recorded = false;
            namesOpen = false;
        }
    }

    /** No ledger counts any more. They are deleted at once, so that no stamp of them that is put back late means anything. */
    private Next voidAll(Moment now, Excluded excluded) {
        if (now.stamp().isPresent()) {
            excluded.stamp(Optional.empty(), () -> { });
        }
        return voidLedgers();
    }

    private Next voidLedgers() {
        supersede();
        counts = false;
        voided.addAll(superseded);
        superseded.clear();
        return voided.isEmpty() ? () -> DONE : () -> delete(voided);
    }

    private Next decide(Excluded excluded, long nowMillis) {
        Moment now = excluded.moment();
        if (open != null && now.records() >= recordsAtStamp + RECORDS_AFTER_STAMP && isStampOf(open, now)) {
            isRecorded(open, stampedSequence);
        }
        boolean wasReset = !now.hasAll(seen);
        seen = now.acked();
        if (wasReset) {
            return voidAll(now, excluded);
        }
        if (!voided.isEmpty()) {
            if (now.stamp().map(stamp -> voided.contains(stamp.epoch())).orElse(false)) {
                excluded.stamp(Optional.empty(), () -> { });
            }
            return () -> delete(voided);
        }
        if (open == null) {
            room = roomOf(now);
            if (isNeeded(now, BEGIN_PART)) {
                return () -> write(now.acked(), nowMillis);
            }
            Next next = voidAll(now, excluded);
            return namesGone && voided.isEmpty() ? this::nameWhatIsLeft : next;
        }
        if (!isNeeded(now, 2 * BEGIN_PART)) {
            return voidAll(now, excluded);
        }
        if (namesOpen && !superseded.isEmpty()) {
            return () -> delete(superseded);
        }
        AckedPositions more = now.acked().minus(open.known());
        if (!more.isEmpty()) {
            return open.isLong() ? () -> write(now.acked(), nowMillis) : () -> append(more, now.most(), nowMillis);
        }
        if (!recorded || !isStampOf(open, now)) {
            stamp(excluded);
        }
        return namesGone ? this::nameWhatIsLeft : () -> DONE;
    }

    private static boolean isStampOf(OpenJournal journal, Moment now) {
        return now.stamp().map(stamp -> stamp.epoch() == journal.id()).orElse(false);
    }

    private boolean isNeeded(Moment now, int part) {
        return now.most() > 0 && now.size() >= Math.max(1, now.most() / part);
    }

    /** The one place that stamps: all of the open ledger is acknowledged, as the caller has seen. */
    private void stamp(Excluded excluded) {
        OpenJournal stamped = open;
        long sequence = stamped.sequence();
        recordsAtStamp = excluded.moment().records();
        stampedSequence = sequence;
        mayCount = true;
        recorded = false;
        excluded.stamp(Optional.of(new Stamp(stamped.id(), sequence)), () -> isRecorded(stamped, sequence));
    }

    private void isRecorded(OpenJournal stamped, long sequence) {
        counts |= stamped == open;
        namesOpen |= stamped == open;
        recorded |= stamped == open && sequence == stamped.sequence();
    }

    private CompletableFuture<Void> write(AckedPositions base, long atMillis) {
        return ledgers.create().thenCompose(writer -> {
            OpenJournal made = new OpenJournal(writer, ledgers.mostBytes(), leastDeltaBytes);
            voided.add(made.id());
            return ledgers.name(all()).thenCompose(done -> made.begin(head, base, mostNow())).thenRunAsync(() -> {
                supersede();
                voided.remove(made.id());
                open = made;
                writtenMillis = atMillis;
                stampIfAllIsAcknowledged();
            }, worker);
        });
    }

    private List<Long> all() {
        List<Long> all = new ArrayList<>(superseded);
        if (open != null) {
            all.add(open.id());
        }
        all.addAll(voided);
        return all;
    }

    private long mostNow() {
        return cursor.moment().map(Moment::most).orElse(0L);
    }

    private CompletableFuture<Void> append(AckedPositions more, long most, long atMillis) {
        return open.append(more, most).thenRunAsync(() -> {
            writtenMillis = atMillis;
            stampIfAllIsAcknowledged();
        }, worker);
    }

    /** Unless the next tick is to: while no consumer is connected, or after a reset. */
    private void stampIfAllIsAcknowledged() {
        boolean unused = cursor.excluded(excluded -> {
            boolean holds = excluded.moment().hasAll(open.known());
            if (holds) {
                stamp(excluded);
            }
            return holds;
        }).orElse(false);
    }

    /** Deleted first, and named no more then: a name without a ledger means nothing. */
    private CompletableFuture<Void> delete(List<Long> of) {
        List<Long> deleted = List.copyOf(of);
        return CompletableFuture.allOf(deleted.stream().map(ledgers::delete).toArray(CompletableFuture[]::new))
                .thenCompose(done -> {
                    of.removeAll(deleted);
                    namesGone = true;
                    return nameWhatIsLeft();
                });
    }

    private CompletableFuture<Void> nameWhatIsLeft() {
        return ledgers.name(all()).thenRun(() -> namesGone = false);
    }

    /**
     * Appends what is known and not in the journal yet; nothing is begun any more. What is appended counts without a stamp of its
     * own, and a reset meanwhile takes the stamp away.
     *
     * @return done when the ledger has ended; never fails
     */
    public CompletableFuture<Void> close() {
        closed = true;
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> before = step.getAndSet(mine);
        CompletableFuture<Void> unused = before.whenComplete((done, failure) -> guarded(this::last, 0, mine));
        return mine;
    }

    private CompletableFuture<Void> last() {
        if (open == null) {
            return DONE;
        }
        OpenJournal ending = open;
        AckedPositions more = cursor.moment()
                .filter(now -> now.hasAll(ending.known()) && isStampOf(ending, now))
                .map(now -> now.acked().minus(ending.known())).orElse(ending.known().none());
        CompletableFuture<Void> appended = more.isEmpty() ? DONE : ending.append(more, mostNow());
        return appended.thenCompose(done -> ending.close());
    }

    /**
     * Deletes the journal: the backlog was cleared, or the subscription is about to be deleted. After a failure the next tick
     * goes on with it.
     *
     * @return done when that was tried; never fails
     */
    public CompletableFuture<Void> clear(long nowMillis) {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> before = step.getAndSet(mine);
        CompletableFuture<Void> unused = before.whenComplete((done, failure) -> guarded(() -> closed ? DONE
                : cursor.excluded(excluded -> voidAll(excluded.moment(), excluded)).orElseGet(this::voidLedgers).begin(),
                nowMillis, mine));
        return mine;
    }

    /** Whether there is a journal that acknowledgements are appended to. */
    public boolean isActive() {
        return !closed && open != null;
    }

    /** Whether a tick has something to do though nothing was acknowledged since the last one. */
    public boolean isUnsettled() {
        return unsettled || !step.get().isDone();
    }

    /** Whether a ledger may count: after all consumers have gone {@link #rewound} is to be asked. */
    public boolean mayCount() {
        return !closed && mayCount;
    }

    /** The number of ticks that have looked at the cursor and ended well. */
    public long looks() {
        return looks.get();
    }

    /** How many acknowledgements may follow the last tick before a journal that is not active may have to begin. */
    public long room() {
        return room;
    }

    /** How many acknowledgements may follow before a cursor needs a journal; 0 or less: it does now. */
    public static long roomOf(Moment now) {
        return now.most() > 0 ? Math.max(1, now.most() / BEGIN_PART) - now.size() : Long.MAX_VALUE;
    }

    /** The active journal; empty if there is none. */
    public Optional<Figures> figures() {
        OpenJournal now = open;
        return now == null ? Optional.empty() : Optional.of(new Figures(now.positions(), now.bytes(), writtenMillis));
    }

    /** How many of some acknowledgements are in no journal that counts; empty without such a journal. Linear in the words. */
    public OptionalLong missing(AckedPositions acked) {
        OpenJournal now = open;
        return now == null || !counts ? OptionalLong.empty() : OptionalLong.of(acked.minus(now.known()).entries());
    }
}
