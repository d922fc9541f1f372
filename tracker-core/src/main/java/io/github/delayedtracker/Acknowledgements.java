/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.acks.JournalLedgers.JournalException;
import io.github.delayedtracker.backend.JournalStore;
import io.github.delayedtracker.backend.JournalStore.Content;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.metrics.Series;
import io.github.delayedtracker.subscription.HoldGate;
import io.github.delayedtracker.subscription.SubscriptionState;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;

/**
 * The acknowledgements of one subscription, as far as they concern its tracker: drops what was acknowledged from the index,
 * has it written in time, and keeps a journal of what the broker's record leaves out. The parts for writing are made with the
 * first message that is sent, so that a subscription at rest has none. Thread safe.
 */
final class Acknowledgements extends Purging {

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);
    /** The gate of subscriptions without a journal. Never shut. */
    private static final HoldGate OPEN = new HoldGate();
    private static final Series LOST_WHEN_PLANNED = TrackerMetrics.ACKS_LOST_ON_RESTART.series("planned");
    private static final Series LOST_AFTER_CRASH = TrackerMetrics.ACKS_LOST_ON_RESTART.series("crash");

    private final SubscriptionTracker tracker;
    private volatile boolean begun;
    /** With the journal, if there is one. Null until it is needed. */
    private volatile AckFlush flush;

    Acknowledgements(SubscriptionTracker tracker, CursorView cursor, SubscriptionState state, TrackerCounters counters,
            FailureLog failures) {
        super(state, cursor, counters, failures);
        this.tracker = tracker;
    }

    private AbstractPersistentDispatcherMultipleConsumers dispatcher() {
        return tracker.dispatcher();
    }

    private Optional<JournalStore> store() {
        return cursor.services().journals();
    }

    private Optional<TrackerJournal> journal() {
        AckFlush made = flush;
        return made == null ? Optional.empty() : made.journal();
    }

    /** Begins to restore a journal where there is one, and bounds the cursor's record. */
    void start() {
        begun = true;
        if (hasJournal() || journal().isPresent()) {
            flush().journal().ifPresent(kept -> kept.start(tracker.commands));
        } else {
            removeUnlessKept();
        }
        cursor.limitRecord();
    }

    /** Whether {@link #start} was called. */
    boolean isBegun() {
        return begun;
    }

    /** Lets nothing through before {@link #start}: the journals may speak of it, as cancelled or moved. */
    void hold() {
        if (hasJournal()) {
            flush().journal().ifPresent(TrackerJournal::hold);
        }
    }

    /** Whether acknowledgements, and what commands do, are kept in journals. */
    boolean keepsJournal() {
        return tracker.setup().ackJournal() && tracker.setup().ackFlushMillis() > 0 && store().isPresent()
                && dispatcher().getCursor().isDurable();
    }

    private boolean hasJournal() {
        ManagedCursor broker = dispatcher().getCursor();
        return keepsJournal() && (BrokerJournalCursor.stampOf(broker).isPresent() || isNamed(broker));
    }

    private boolean isNamed(ManagedCursor broker) {
        return Arrays.stream(Content.values()).anyMatch(content -> store().get().isNamed(broker, content));
    }

    /** Deletes the journals of a subscription that keeps none. The names of its ledgers go once the cursor has a ledger. */
    private void removeUnlessKept() {
        ManagedCursor broker = dispatcher().getCursor();
        if (!tracker.setup().ackJournal() && store().isPresent() && broker.isDurable() && isNamed(broker)) {
            CompletableFuture<Void> unused = store().get().removeAll(broker);
            takeStampAway();
        }
    }

    /** Goes on after {@link #close}: the topic was not closed. Nobody has looked after the journal, so it begins anew. */
    void goOn() {
        HoldGate before = gate();
        boolean isMade = false;
        try {
            Optional<TrackerJournal> again;
            synchronized (this) {
                again = journal().flatMap(ended -> newJournal(ended.gate()));
                flush = again.isPresent() ? newFlush(again) : null;
            }
            isMade = again.isPresent();
            // What was held then is still to be handed out.
            again.ifPresent(kept -> kept.opening.openInAnyCase());
        } finally {
            if (!isMade) {
                new GateOpening(dispatcher(), cursor, before, cursor.services().timer(), counters::offers, dispatcher()::isClosed)
                        .leaveOpen();
            }
        }
        takeStampAway();
    }

    /** Nobody looks after the journal of a subscription whose tracker keeps none. */
    private void takeStampAway() {
        ManagedCursor broker = dispatcher().getCursor();
        if (BrokerJournalCursor.stampOf(broker).isPresent()) {
            cursor.services().worker().execute(() -> {
                boolean unused = new BrokerJournalCursor(broker, cursor, dispatcher(), dispatcher()::isConsumerConnected)
                        .excluded(excluded -> {
                            excluded.stamp(Optional.empty(), () -> { });
                            return true;
                        }).orElse(false);
            });
        }
    }

    private Optional<TrackerJournal> newJournal(HoldGate gate) {
        return keepsJournal() ? store().get().open(dispatcher().getCursor(), Content.ACKNOWLEDGEMENTS).map(ledgers ->
                new TrackerJournal(dispatcher(), cursor, ledgers, cursor.services(), failures, counters::offers,
                        gate))
                : Optional.empty();
    }

    /** The gate before the consumers. */
    HoldGate gate() {
        return journal().map(TrackerJournal::gate).orElse(OPEN);
    }

    /** Whether the dispatcher is to read nothing now. One that is in use again asks for nothing else before. */
    boolean pausesReads() {
        if (gate().isShut()) {
            tracker.guarded("start", tracker::goOn);
        }
        try {
            return journal().map(TrackerJournal::pausesReads).orElse(false);
        } catch (RuntimeException | Error e) {
            return failures.report("shouldPauseAllDeliveries", e, false);
        }
    }

    /** An entry is being offered, with the dispatcher's monitor held. */
    void isOffered() {
        AckFlush made = flush;
        if (made != null && made.journal().isPresent()) {
            tracker.guarded("journal", made.journal().get()::isOffered);
        }
    }

    /** A read has asked whether it may skip an entry: if not it offers the entry again. */
    void isAskedFor(long ledgerId, long entryId, boolean isSkipped) {
        AckFlush made = flush;
        if (!isSkipped && made != null && made.journal().isPresent()) {
            made.journal().get().gate().isRead(ledgerId, entryId);
        }
    }

    /**
     * Whether an entry that was offered is not to be sent: it is indexed, cancelled, or held. If not acknowledgements may follow.
     */
    boolean keeps(boolean isIndexed, long ledgerId, long entryId) {
        if (isIndexed) {
            gate().isScheduled(ledgerId, entryId);
        }
        if (tracker.commands.swallows(ledgerId, entryId) || isIndexed || gate().holds(ledgerId, entryId)) {
            return true;
        }
        flush().active();
        return false;
    }

    /** Called about once a minute. */
    void sweep() {
        inSlices();
        journal().ifPresent(TrackerJournal::sweep);
    }

    /** Looks whether anything was acknowledged. */
    void look() {
        if (cursor.writesToLedger()) {
            removeUnlessKept();
        }
        look(cursor.services().purges(), cursor.services().nowMillis());
        if (flush != null || hasSeenAcknowledgements()) {
            flush().lookAround();
        }
    }

    /** The same for whoever asks for the count alone: only where that may change it. */
    void lookForCount() {
        if (mayLowerCount()) {
            look();
        }
    }

    private AckFlush flush() {
        if (flush == null) {
            synchronized (this) {
                flush = flush == null ? newFlush(newJournal(new HoldGate())) : flush;
            }
        }
        return flush;
    }

    private AckFlush newFlush(Optional<TrackerJournal> journal) {
        return new AckFlush(dispatcher(), cursor, cursor.services(), failures, tracker.setup().ackFlushMillis(), journal);
    }

    /** Why {@link #persist} would take nothing now; empty if it would. */
    Optional<String> reasonNotToPersist() {
        return flush().journal().map(TrackerJournal::reasonNotToPersist).orElse(Optional.of("the subscription keeps no journal"));
    }

    /**
     * Keeps acknowledged positions durable until a reset, however few there are. On the worker.
     *
     * @return done once they are; it fails with the reason if there is no journal, or if that is not known after some seconds
     */
    CompletableFuture<Void> persist(PositionSet positions) {
        Optional<TrackerJournal> kept = flush().journal();
        if (kept.isEmpty()) {
            return CompletableFuture.failedFuture(JournalException.failed(reasonNotToPersist().get()));
        }
        CompletableFuture<Void> durable = kept.get().persist(positions);
        flush().active();
        return durable;
    }

    /** Deletes the journal: the backlog was cleared, or the subscription is about to be deleted. Bounded; never fails. */
    CompletableFuture<Void> clear() {
        return journal().map(TrackerJournal::clear).orElse(DONE);
    }

    /**
     * Ends the journal, and that of commands: another broker may own the topic.
     *
     * @return when nothing is written any more, after some seconds at the latest; never fails
     */
    @CanIgnoreReturnValue
    CompletableFuture<Void> close() {
        return ending().get();
    }

    /** What {@link #close} does, for the journal there is now: not for one that begins anew in between. */
    Supplier<CompletableFuture<Void>> ending() {
        Optional<TrackerJournal> ofNow;
        synchronized (this) {
            // None is begun any more.
            flush = flush == null ? newFlush(Optional.empty()) : flush;
            ofNow = flush.journal();
        }
        return () -> {
            cursor.isNotHeld();
            return CompletableFuture.allOf(tracker.commands.close(), ofNow.map(TrackerJournal::close).orElse(DONE));
        };
    }

    @Override
    OptionalLong missingInJournal(AckedPositions acked) {
        return journal().map(kept -> kept.missing(acked)).orElse(OptionalLong.empty());
    }

    @Override
    long journaled() {
        return journal().map(TrackerJournal::counted).orElse(-1L);
    }

    /** Puts the figures for the statistics of the subscription. */
    void putSamples(Samples samples, long nowMillis) {
        samples.put(TrackerMetrics.ACKS_UNKNOWN, figures().isPresent() ? 0 : 1);
        figures().ifPresent(figures -> samples.put(TrackerMetrics.ACK_HOLES, figures.holes())
                .put(LOST_WHEN_PLANNED, figures.lostWhenPlanned())
                .put(LOST_AFTER_CRASH, figures.lostAfterCrash()));
        heldBytes().ifPresent(bytes -> samples.put(TrackerMetrics.HELD_BYTES, bytes));
        journal().ifPresent(kept -> kept.putSamples(samples, nowMillis));
        if (!keepsJournal()) {
            JournalSamples.putNone(samples);
        }
        tracker.commands.putSamples(samples);
    }
}
