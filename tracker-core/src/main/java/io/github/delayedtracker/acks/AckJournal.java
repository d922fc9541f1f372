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
import io.github.delayedtracker.acks.JournalLedgers.JournalException;
import io.github.delayedtracker.index.PositionSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

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
    static final int BEGIN_PART = 2;
    private static final long LEAST_DELTA_BYTES = 1 << 16;
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final JournalCursor cursor;
    private final JournalLedgers ledgers;
    private final FormerLedgers former;
    private final JournalHead head;
    private final Consumer<Throwable> failures;
    private final Executor worker;
    private final long leastDeltaBytes;
    /** Whether the journal of the last load still counts, unless there was a reset. */
    private final boolean wasApplied;
    /** The step under way, or the last one. The fields below belong to it. */
    private final AtomicReference<CompletableFuture<Void>> step = new AtomicReference<>(DONE);
    private volatile boolean closed;
    private volatile OpenJournal open;
    /** The acknowledgements of the last tick: unless the cursor was reset all of them still are. */
    private SeenAcks seen;
    private final Rest rest = new Rest();
    private final KeptAcks kept;
    private final StampRecord record;
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
        this.former = new FormerLedgers(ledgers, restored);
        this.head = head;
        wasApplied = restored.end() == AckRestore.End.APPLIED;
        unsettled = !former.isSettled();
        mayCount = former.areLeft();
        // A seek after the last slice, and before this, takes what was applied; its stamp may be put back.
        seen = cursor.moment().map(now -> SeenAcks.of(now, now.acked().plus(restored.applied())))
                .orElseGet(() -> new SeenAcks(-1, -1, restored.applied(), false));
        kept = new KeptAcks(restored.kept(), worker);
        record = new StampRecord(kept);
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
        guarded(() -> cursor.excluded(excluded -> decide(excluded, nowMillis)).map(Supplier::get)
                .orElseGet(this::appendUnstamped).thenRun(looks::incrementAndGet), nowMillis, mine);
        return mine;
    }

    /**
     * Keeps acknowledged positions for commands: a journal is begun however few there are, and does not end before mark-delete
     * has passed them. Without a lock that a seek takes.
     *
     * @return done once they are durable, through any crash, until a reset; all who ask before the next look share it. It
     *     fails, durable or not, if one is acknowledged no more, storage fails or the topic is closed, and waits for a consumer
     */
    public CompletableFuture<Void> persist(PositionSet positions, long nowMillis) {
        if (rest.lasts(nowMillis)) {
            return CompletableFuture.failedFuture(JournalException.failed("the journal rests after a failure"));
        }
        KeptAcks.Asked asked = kept.ask(positions);
        if (asked.isFirst()) {
            // The step under way, if there is one, may have looked at the cursor before.
            CompletableFuture<Void> unused = tick(nowMillis).thenCompose(done -> tick(nowMillis));
        }
        if (closed) {
            kept.fail(JournalException.failed("the topic is closed"));
        }
        return asked.durable();
    }

    /**
     * Begins a journal again that was not to end, and whose restore has left none.
     *
     * @return done once there is one, or none is needed; it fails, and is tried again with the next ticks, as {@link #persist}
     */
    public CompletableFuture<Void> keepOn(long nowMillis) {
        PositionSet keeping = kept.knownAmong(seen.acked());
        return wasApplied || keeping.isEmpty() ? DONE : persist(keeping, nowMillis);
    }

    /**
     * Looks at the cursor after its read position went back: a seek may have been the reason. Nothing is to be handed out until
     * this is done, or an acknowledgement that was held up over the seek could put the stamp back, and new ones make the cursor's
     * record look as before.
     *
     * @return true once no ledger of before a reset is left; false if that could not be told now: ask again, for a limited time
     */
    public CompletableFuture<Boolean> rewound(long nowMillis) {
        return tick(nowMillis).thenApply(done -> !closed && cursor.excluded(excluded -> seen.areAllIn(excluded.moment()))
                .orElse(false) && !former.hasVoided());
    }

    private void guarded(Supplier<CompletableFuture<Void>> next, long nowMillis, CompletableFuture<Void> ended) {
        // What it throws fails the step as well.
        CompletableFuture<Void> unused = DONE.thenCompose(done -> next.get())
                .whenComplete((done, failure) -> hasEnded(failure, nowMillis))
                .whenComplete((done, failure) -> ended.complete(null));
    }

    private void hasEnded(Throwable failure, long nowMillis) {
        if (failure == null) {
            rest.forget();
        } else {
            if (open != null && open.isBroken()) {
                supersede();
                former.isGivenUp();
            }
            rest.begin(nowMillis);
            failures.accept(failure);
            kept.fail(failure);
        }
        unsettled = !former.isSettled() || open != null && !record.namesLast() || kept.isAwaited()
                || record.isEnding() || open != null && !open.known().containsAll(seen.acked());
        mayCount = open != null || former.areLeft();
        former.isLeft(open != null);
    }

    /** The open ledger is given up: nothing is appended to it. It counts until another journal is stamped. */
    private void supersede() {
        OpenJournal before = open;
        if (before != null) {
            former.supersede(List.of(before.id()));
            open = null;
            record.leaveOpen();
            before.letGo();
        }
    }

    /** No ledger counts any more. They are deleted at once, so that no stamp of them that is put back late means anything. */
    private Supplier<CompletableFuture<Void>> voidAll(Moment now, Excluded excluded, JournalStanding why) {
        if (now.stamp().isPresent()) {
            excluded.stamp(Optional.empty(), () -> { });
        }
        return voidLedgers(why);
    }

    private Supplier<CompletableFuture<Void>> voidLedgers(JournalStanding why) {
        supersede();
        record.leaveAll();
        former.voidAll(why);
        seen = seen.withoutReset();
        return former.hasVoided() ? () -> former.deleteVoided(openId()) : () -> DONE;
    }

    private Supplier<CompletableFuture<Void>> decide(Excluded excluded, long nowMillis) {
        Moment now = excluded.moment();
        seen = seen.next(now);
        AckedPositions keeping = kept.look(now);
        if (seen.wasReset()) {
            room = 0;
            return voidAll(now, excluded, JournalStanding.RESET);
        }
        if (former.hasVoided()) {
            if (now.stamp().map(stamp -> former.isVoided(stamp.epoch())).orElse(false)) {
                excluded.stamp(Optional.empty(), () -> { });
            }
            return () -> former.deleteVoided(openId());
        }
        if (open == null) {
            room = now.roomBeforeJournal();
            if (now.fills(BEGIN_PART) || !keeping.isEmpty()) {
                record.goesOn();
                return () -> write(now.acked(), keeping, nowMillis);
            }
            if ((former.mayCount() || kept.isAwaited()) && !record.mayEnd(excluded)) {
                return () -> DONE;
            }
            Supplier<CompletableFuture<Void>> next = voidAll(now, excluded, JournalStanding.NOT_NEEDED);
            return former.namesGone() && !former.hasVoided() ? this::nameWhatIsLeft : next;
        }
        if (!now.fills(2 * BEGIN_PART) && keeping.isEmpty()) {
            return record.mayEnd(excluded) ? voidAll(now, excluded, JournalStanding.NOT_NEEDED) : () -> DONE;
        }
        record.goesOn();
        if (record.namesOpen() && StampRecord.isStampOf(open, now) && former.mayCount()) {
            return () -> former.deleteSuperseded(openId());
        }
        AckedPositions more = now.acked().minus(open.known());
        if (!more.isEmpty() || !open.kept().containsAll(keeping)) {
            return open.isLong() ? () -> write(now.acked(), keeping, nowMillis)
                    : () -> append(more, keeping, now.most(), nowMillis);
        }
        if ((!record.namesLast() || !StampRecord.isStampOf(open, now) || kept.isAwaited()) && now.hasAll(open.known())) {
            stamp(excluded);
        }
        return former.namesGone() ? this::nameWhatIsLeft : () -> DONE;
    }

    /** The one place that stamps: all of the open ledger is acknowledged, as the caller has seen. */
    private void stamp(Excluded excluded) {
        mayCount = true;
        excluded.stamp(Optional.of(new Stamp(open.id(), open.sequence())), record.put(open, excluded.moment()));
    }

    private CompletableFuture<Void> write(AckedPositions base, AckedPositions keptOfBase, long atMillis) {
        return ledgers.create().thenCompose(writer -> {
            OpenJournal made = new OpenJournal(writer, ledgers.mostBytes(), leastDeltaBytes);
            former.voidLedgers(List.of(made.id()));
            return nameWhatIsLeft().thenCompose(done -> made.begin(head, base, keptOfBase, mostNow())).thenRunAsync(() -> {
                supersede();
                former.open(made.id());
                open = made;
                stampIfAllIsAcknowledged(atMillis);
            }, worker).whenComplete((done, why) -> made.isBegun(open == made)).exceptionallyCompose(why -> leave(made.id(), why));
        });
    }

    private CompletableFuture<Void> leave(long made, Throwable why) {
        return (closed ? ledgers.delete(made) : DONE).handle((done, unused) -> why).thenCompose(CompletableFuture::failedFuture);
    }

    private Optional<Long> openId() {
        return Optional.ofNullable(open).map(OpenJournal::id);
    }

    private CompletableFuture<Void> nameWhatIsLeft() {
        return former.name(openId());
    }

    private long mostNow() {
        return cursor.moment().map(Moment::most).orElse(0L);
    }

    private CompletableFuture<Void> append(AckedPositions more, AckedPositions keeping, long most, long atMillis) {
        return open.append(more, keeping, most).thenRunAsync(() -> stampIfAllIsAcknowledged(atMillis), worker);
    }

    /** Unless the next tick is to: while no consumer is connected, or after a reset. */
    private void stampIfAllIsAcknowledged(long writtenAtMillis) {
        writtenMillis = writtenAtMillis;
        boolean unused = cursor.excluded(excluded -> {
            boolean holds = !seen.wasReset() && excluded.moment().hasAll(open.known());
            if (holds) {
                stamp(excluded);
            }
            return holds;
        }).orElse(false);
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
        CompletableFuture<Void> unused = step.getAndSet(mine).whenComplete((done, failure) -> guarded(this::last, 0, mine));
        return mine;
    }

    private CompletableFuture<Void> last() {
        kept.fail(JournalException.failed("the topic is closed"));
        OpenJournal ending = open;
        return ending == null ? DONE : ending.closeAfter(DONE.thenCompose(done -> appendUnstamped()));
    }

    /** Without a consumer: what was acknowledged before the last one left. What is appended counts as seen by the next look. */
    private CompletableFuture<Void> appendUnstamped() {
        OpenJournal to = open;
        Optional<Moment> unlike = cursor.moment().filter(now -> to != null && !seen.wasReset() && now.hasAll(to.known())
                && StampRecord.isStampOf(to, now) && !to.known().containsAll(now.acked()));
        unlike.ifPresent(now -> seen = SeenAcks.of(now, now.acked()));
        return unlike.map(now -> to.append(now.acked().minus(to.known()), to.kept(), mostNow())).orElse(DONE);
    }

    /**
     * Deletes the journal: the backlog was cleared, or the subscription is about to be deleted. After a failure the next tick
     * goes on with it.
     *
     * @return done when that was tried; never fails
     */
    public CompletableFuture<Void> clear(long nowMillis) {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> unused = step.getAndSet(mine).whenComplete((done, failure) -> guarded(() -> closed ? DONE
                : cursor.excluded(excluded -> voidAll(excluded.moment(), excluded, JournalStanding.CLEARED))
                        .orElseGet(() -> voidLedgers(JournalStanding.CLEARED)).get(), nowMillis, mine));
        return mine;
    }

    /** Whether there is a journal that acknowledgements are appended to. */
    public boolean isActive() {
        return !closed && open != null;
    }

    /** What the last step has left. */
    public JournalStanding standing() {
        return former.standing();
    }

    /** Whether a tick has something to do though nothing was acknowledged since the last one. */
    public boolean isUnsettled() {
        return unsettled || !step.get().isDone();
    }

    /** Whether a ledger counts, or would with its stamp put back: {@link #rewound} is to be asked once all consumers had gone. */
    public boolean mayCount() {
        return !closed && mayCount;
    }

    /** Whether it takes nothing for a while, after a failure. */
    public boolean rests(long nowMillis) {
        return rest.lasts(nowMillis);
    }

    /** The number of ticks that have looked at the cursor and ended well. */
    public long looks() {
        return looks.get();
    }

    /** How many acknowledgements may follow the last tick before a journal that is not active may have to begin. */
    public long room() {
        return room;
    }

    /** The active journal; empty if there is none. */
    public Optional<JournalFigures> figures() {
        return Optional.ofNullable(open)
                .map(now -> new JournalFigures(now.positions(), now.bytes(), writtenMillis, record.counts()));
    }

    /** How many of some acknowledgements are in no journal that counts; empty without such a journal. Linear in the words. */
    public OptionalLong missing(AckedPositions acked) {
        OpenJournal now = open;
        return now == null || !record.counts() ? OptionalLong.empty() : OptionalLong.of(acked.minus(now.known()).entries());
    }
}
