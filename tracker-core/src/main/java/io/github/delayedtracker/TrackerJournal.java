/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.acks.AckJournal;
import io.github.delayedtracker.acks.AckRestore;
import io.github.delayedtracker.acks.AckRestore.End;
import io.github.delayedtracker.acks.AckRestore.Outcome;
import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.acks.JournalFigures;
import io.github.delayedtracker.acks.JournalHead;
import io.github.delayedtracker.acks.JournalLedgers;
import io.github.delayedtracker.acks.JournalLedgers.JournalException;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.subscription.HoldGate;
import io.github.delayedtracker.wakeup.Deadlines;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;

/**
 * The journal of acknowledgements of one tracker: restored when the topic is loaded, written while the cursor's record leaves
 * some out, and looked at again when all consumers had gone.
 *
 * <p>Policy. Consumers get nothing while a journal is restored, nor after all of them had gone before the journal has looked
 * whether a seek was the reason: the {@link HoldGate} is shut, and the dispatcher reads nothing. That lasts
 * {@link #LONGEST_HOLD_MILLIS} at most while a consumer is connected; then messages are sent without the journal, as with the
 * stock tracker. The work is done by the factory's worker. Thread safe.
 */
final class TrackerJournal {

    /** The longest time that consumers wait for a journal. */
    static final long LONGEST_HOLD_MILLIS = 10_000;

    private static final long ASK_AGAIN_MILLIS = 50;
    static final long LOOK_MILLIS = 1_000;
    private static final long CLOSE_MILLIS = 2_000;
    private static final long CLEAR_SECONDS = 10;
    private static final int PERSIST_SECONDS = 10;
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    final AbstractPersistentDispatcherMultipleConsumers dispatcher;
    private final CursorView cursor;
    private final BrokerJournalCursor journaled;
    private final JournalLedgers ledgers;
    private final JournalHead head;
    final TrackerServices services;
    final FailureLog failures;
    final JournalWork work;
    private final HoldGate gate;
    final GateOpening opening;
    final JournalLog log;
    private volatile boolean closed;
    private volatile boolean isHeldBack;
    /** For the restore under way, or null. */
    private volatile RestoreWait restore;
    private volatile Optional<Outcome> restored = Optional.empty();
    /** Null until one may be needed. */
    private volatile AckJournal journal;
    /** As long as it is there no look after a rewind is needed. */
    final Witness witness;
    /** The cursor's counter at the last tick. */
    private volatile long ticked;
    private volatile long room;
    /** How often the gate was shut after a rewind. Written with the dispatcher's monitor held. */
    private volatile int shuts;
    /** Whether a look after a rewind has had no answer, and there was no better tick since. */
    private volatile boolean hasLookedInVain;
    /** The answer that was asked for last, which many may wait for. */
    private volatile CompletableFuture<Void> awaited = DONE;

    /**
     * Of a durable cursor. Nothing is read or written yet.
     *
     * @param offers how many entries the dispatcher has offered
     * @param gate what it holds, the journal before this one has held
     */
    TrackerJournal(AbstractPersistentDispatcherMultipleConsumers dispatcher, CursorView cursor, JournalLedgers ledgers,
            TrackerServices services, FailureLog failures, LongSupplier offers, HoldGate gate) {
        this.gate = gate;
        ManagedCursor broker = dispatcher.getCursor();
        this.dispatcher = dispatcher;
        this.cursor = cursor;
        this.journaled = new BrokerJournalCursor(broker, cursor, dispatcher, dispatcher::isConsumerConnected);
        this.ledgers = ledgers;
        this.head = new JournalHead(broker.getManagedLedger().getName(), broker.getName());
        this.services = services;
        this.failures = failures;
        this.work = new JournalWork(services, failures);
        this.log = new JournalLog(dispatcher.getName(), failures);
        this.witness = new Witness(dispatcher);
        this.opening = new GateOpening(dispatcher, cursor, gate, services.timer(), offers, () -> closed);
    }

    /** Lets nothing through, and does nothing, before {@link #start}: the journals may speak of it. */
    void hold() {
        isHeldBack = true;
        gate.shut();
    }

    /** Begins to restore the journal that the cursor's record names, and what commands have moved, if it names any. */
    void start(SubscriptionCommands commands) {
        isHeldBack = false;
        if (!BrokerJournalCursor.stampOf(dispatcher.getCursor()).isPresent() && !commands.hasMoved()) {
            if (gate.isShut()) {
                opening.open();
            }
            return;
        }
        AckRestore made = new AckRestore(journaled, ledgers, head, work::begin, (restMillis, step) ->
                services.timer().arm(restMillis, () -> work.begin(step)), witness::isThere);
        RestoreWait wait = new RestoreWait(this, made);
        restore = wait;
        gate.shut();
        wait.begin(commands);
    }

    /** On some lines bitmaps do not tell the next load where they were cut off. */
    void chooseForm() {
        cursor.acknowledgedForJournal().ifPresent(cursor::chooseForm);
    }

    /** The restore has ended, well or not. */
    void isRestored(Outcome outcome) {
        CompletableFuture<Void> ready = DONE;
        try {
            restored = Optional.of(outcome.forStatistics());
            log.restored(outcome);
            if (outcome.end() != End.LEFT && outcome.end() != End.NEWER) {
                AckJournal made = madeJournal(outcome);
                ready = inTime(made, made.keepOn(services.nowMillis()), PERSIST_SECONDS);
            }
        } catch (RuntimeException | Error e) {
            failures.report("journal", e, false);
        } finally {
            CompletableFuture<Void> unused = ready.whenComplete((done, failure) -> {
                restore = null;
                opening.open();
            });
        }
    }

    private synchronized AckJournal madeJournal(Outcome outcome) {
        if (journal == null) {
            journal = new AckJournal(journaled, ledgers, head, outcome, work::begin,
                    failure -> log.stepFailed(services.warnings(), failure));
        }
        return journal;
    }

    /** The gate before the consumers. */
    HoldGate gate() {
        return gate;
    }

    /** Called about once a minute. */
    void sweep() {
        RestoreWait waiting = restore;
        if (waiting != null) {
            waiting.sweep();
        }
    }

    /** Whether the restore has ended, or the tracker is closed. */
    boolean isWaitOver() {
        return restore == null || closed;
    }

    /** Whether the dispatcher is to read nothing: it would only be held. */
    boolean pausesReads() {
        RestoreWait waiting = restore;
        if (waiting != null && !closed) {
            waiting.isAskedToPause();
        }
        return gate.isShut() && !closed;
    }

    /** An entry is being offered: the dispatcher's monitor is held, and a consumer connected. A few field accesses. */
    void isOffered() {
        RestoreWait waiting = restore;
        AckJournal now = journal;
        if (waiting != null) {
            waiting.isOffered();
        } else if (!closed && now != null && now.mayCount() && !witness.isThere() && !hasLookedInVain) {
            int shut = shuts + 1;
            awaitLook(shut);
            shuts = shut;
            witness.chooseNow();
            gate.shut();
            work.begin(() -> lookAfterRewind(now, shut));
        }
    }

    /** Opens the gate once no journal of before a seek is left. That cannot be told without a consumer. */
    private void lookAfterRewind(AckJournal of, int shut) {
        if (!dispatcher.isConsumerConnected() && !closed && gate.isShut() && shut == shuts) {
            services.timer().arm(LOOK_MILLIS, () -> work.begin(() -> lookAfterRewind(of, shut)));
            return;
        }
        CompletableFuture<Void> unused = of.rewound(services.nowMillis()).handle((clean, failure) -> {
            if (failure != null || clean) {
                openAfter(shut);
            } else if (gate.isShut() && !closed && shut == shuts) {
                services.timer().arm(ASK_AGAIN_MILLIS, () -> work.begin(() -> lookAfterRewind(of, shut)));
            }
            return null;
        });
    }

    /** Where the storage does not answer consumers wait for it once only. */
    private void awaitLook(int shut) {
        services.timer().arm(LONGEST_HOLD_MILLIS, () -> {
            if (shut == shuts && gate.isShut() && !closed) {
                if (dispatcher.isConsumerConnected()) {
                    hasLookedInVain = true;
                    openAfter(shut);
                } else {
                    awaitLook(shut);
                }
            }
        });
    }

    /** Where all consumers have gone again another look is under way. */
    private void openAfter(int shut) {
        if (shut == shuts && gate.isShut()) {
            opening.open();
        }
    }

    /**
     * Whether there is something to do though nothing is acknowledged. A skip of no message takes the stamp away, and leaves all
     * else as it is.
     */
    boolean isUnsettled() {
        AckJournal now = journal;
        return now != null && (now.isUnsettled()
                || now.isActive() && BrokerJournalCursor.stampOf(dispatcher.getCursor()).isEmpty());
    }

    /** Whether looks are to be frequent: before a journal is recorded new acknowledgements take the room of old ones. */
    boolean wantsLooks() {
        AckJournal now = journal;
        return restore == null && (now == null || !now.isActive() || now.isUnsettled());
    }

    /**
     * Appends what was acknowledged since the last call, or begins or ends the journal, where that may be needed. On the worker.
     *
     * @param consumed the cursor's counter now
     * @return whether there is more to do though nothing else is acknowledged
     */
    boolean tick(long consumed) {
        AckJournal now = journal;
        boolean isActive = now != null && now.isActive();
        if (closed || isHeldBack || restore != null || isOfNewerVersion() || !isActive && !dispatcher.isConsumerConnected()
                || !cursor.writesToLedger()) {
            return false;
        }
        long changes = Math.abs(consumed - ticked);
        if (now == null) {
            if (changes < room || !mayBeNeeded(consumed)) {
                return false;
            }
            witness.chooseNow();
            now = madeJournal(new Outcome(End.NONE, "", 0));
        } else if (changes < 1 && !dispatcher.isConsumerConnected() || !isUnsettled() && changes < (isActive ? 1 : now.room())) {
            return false;
        }
        if (!now.mayCount() && !gate.isShut()) {
            witness.chooseNow();
        }
        AckJournal ticking = now;
        long before = now.looks();
        CompletableFuture<Void> unused = now.tick(services.nowMillis()).thenRun(() -> {
            if (ticking.looks() > before) {
                ticked = consumed;
                hasLookedInVain = false;
            }
            log.stands(ticking.standing());
        });
        return true;
    }

    /** Whether half of the limit is reached; if not, how far it is. */
    private boolean mayBeNeeded(long consumed) {
        if (!ledgers.named().isEmpty()) {
            return true;
        }
        OptionalLong left = journaled.moment().map(now -> OptionalLong.of(now.roomBeforeJournal())).orElse(OptionalLong.empty());
        ticked = consumed;
        room = Math.max(1, left.orElse(1));
        return left.isPresent() && left.getAsLong() <= 0;
    }

    /** Why {@link #persist} would take nothing now; empty if it would. */
    Optional<String> reasonNotToPersist() {
        AckJournal now = journal;
        return closed || isHeldBack ? Optional.of("the topic is being closed")
                : restore != null ? Optional.of("its journal is being restored")
                : isOfNewerVersion() ? Optional.of("its journal is of a newer version")
                : now != null && now.rests(services.nowMillis()) ? Optional.of("its journal rests after a failure of the storage")
                : (now == null || !now.isActive()) && cursor.acknowledgedForJournal().isEmpty()
                ? Optional.of("its cursor cannot tell what is acknowledged")
                : Optional.empty();
    }

    private boolean isOfNewerVersion() {
        return restored.map(outcome -> outcome.end() == End.NEWER).orElse(false);
    }

    /**
     * Keeps acknowledged positions durable until a reset, however few there are. On the worker.
     *
     * @return done once they are; it fails with the reason if that is not known after some seconds
     */
    CompletableFuture<Void> persist(PositionSet positions) {
        Optional<String> obstacle = reasonNotToPersist();
        if (obstacle.isPresent()) {
            return CompletableFuture.failedFuture(JournalException.failed(obstacle.get()));
        }
        if (journal == null) {
            witness.chooseNow();
        }
        AckJournal made = madeJournal(new Outcome(End.NONE, "", 0));
        CompletableFuture<Void> durable = made.persist(positions, services.nowMillis());
        CompletableFuture<Void> before = awaited;
        awaited = durable;
        return durable == before ? durable : inTime(made, durable, PERSIST_SECONDS);
    }

    /** A record that was not written is asked for again each second. */
    private CompletableFuture<Void> inTime(AckJournal of, CompletableFuture<Void> durable, int seconds) {
        if (!durable.isDone()) {
            services.timer().arm(LOOK_MILLIS, () -> work.begin(() -> {
                if (seconds == 1) {
                    durable.completeExceptionally(
                            JournalException.failed("no answer within " + PERSIST_SECONDS + " s"));
                } else {
                    CompletableFuture<Void> unused = of.tick(services.nowMillis());
                    CompletableFuture<Void> unusedToo = inTime(of, durable, seconds - 1);
                }
            }));
        }
        return durable;
    }

    /** Deletes the journal: the backlog was cleared, or the subscription is about to be deleted. */
    CompletableFuture<Void> clear() {
        RestoreWait waiting = restore;
        if (waiting != null) {
            waiting.restoring().giveUp("the backlog was cleared");
        }
        if (journal == null && ledgers.named().isEmpty()) {
            return DONE;
        }
        return madeJournal(new Outcome(End.NONE, "", 0)).clear(services.nowMillis()).copy()
                .completeOnTimeout(null, CLEAR_SECONDS, TimeUnit.SECONDS);
    }

    /** Appends what is known and ends: once nobody writes the cursor's properties any more, in 2 s at the latest; never fails. */
    CompletableFuture<Void> close() {
        closed = true;
        RestoreWait waiting = restore;
        if (waiting != null) {
            waiting.restoring().leave();
        }
        // A shut gate stays so: a read that ends late may offer what is acknowledged or moved, as only the journals know.
        AckJournal now = journal;
        CompletableFuture<Void> appended = now == null ? DONE : now.close();
        return Deadlines.within(CLOSE_MILLIS, services.timer(), CompletableFuture.allOf(appended, ledgers.close()));
    }

    /** How many of some acknowledgements are in no journal that counts; empty without such a journal. Linear in the words. */
    OptionalLong missing(AckedPositions acked) {
        AckJournal now = journal;
        return now == null ? OptionalLong.empty() : now.missing(acked);
    }

    /** How many acknowledgements are in a journal that counts; -1 without such a journal. */
    long counted() {
        AckJournal now = journal;
        return now == null ? -1 : now.figures().filter(JournalFigures::counts).map(JournalFigures::positions).orElse(-1L);
    }

    /** Puts the figures for the statistics of the subscription. */
    void putSamples(Samples samples, long nowMillis) {
        JournalSamples.put(samples, Optional.ofNullable(journal), restore != null, restored, nowMillis);
        samples.put(TrackerMetrics.JOURNAL_HELD, gate.held());
    }
}
