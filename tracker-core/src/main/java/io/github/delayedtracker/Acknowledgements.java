/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.backend.JournalStore;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.subscription.HoldGate;
import io.github.delayedtracker.subscription.SubscriptionState;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;

/**
 * The acknowledgements of one subscription, as far as they concern its tracker: drops what was acknowledged from the index,
 * has it written in time, and keeps a journal of what the broker's record leaves out. The parts for writing are made with the
 * first message that is sent, so that a subscription at rest has none. Thread safe.
 */
final class Acknowledgements {

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final AbstractPersistentDispatcherMultipleConsumers dispatcher;
    private final CursorView cursor;
    private final TrackerServices services;
    private final FailureLog failures;
    private final SubscriptionSetup setup;
    private final TrackerCounters counters;
    private final Purging purging;
    private volatile AckFlush flush;
    /** Empty until it is needed, and for good where there is none. */
    private volatile Optional<TrackerJournal> journal = Optional.empty();
    private volatile boolean closed;
    private final HoldGate gate = new HoldGate();

    Acknowledgements(AbstractPersistentDispatcherMultipleConsumers dispatcher, CursorView cursor, SubscriptionState state,
            TrackerCounters counters, FailureLog failures, TrackerServices services, SubscriptionSetup setup) {
        this.dispatcher = dispatcher;
        this.cursor = cursor;
        this.services = services;
        this.failures = failures;
        this.setup = setup;
        this.counters = counters;
        this.purging = new Purging(state, cursor, counters, failures, services.timer(), this::missingInJournal);
    }

    /** Bounds the cursor's record, and begins to restore a journal where there is one. */
    void start() {
        cursor.limitRecord();
        ManagedCursor broker = dispatcher.getCursor();
        if (keepsJournal() && (BrokerJournalCursor.stampOf(broker).isPresent() || services.journals().get().isNamed(broker))) {
            madeJournal().ifPresent(TrackerJournal::start);
        } else {
            removeUnlessKept();
        }
    }

    /** Deletes the journal of a subscription that keeps none. The names of its ledgers go once the cursor has a ledger. */
    private void removeUnlessKept() {
        ManagedCursor broker = dispatcher.getCursor();
        if (!setup.ackJournal() && services.journals().isPresent() && broker.isDurable()
                && services.journals().get().isNamed(broker)) {
            CompletableFuture<Void> unused = services.journals().get().removeAll(broker);
            takeStampAway();
        }
    }

    /** Nobody looks after the journal of a subscription whose tracker keeps none. */
    void takeStampAway() {
        ManagedCursor broker = dispatcher.getCursor();
        if (BrokerJournalCursor.stampOf(broker).isPresent()) {
            services.worker().execute(() -> {
                boolean unused = new BrokerJournalCursor(broker, cursor, dispatcher, dispatcher::isConsumerConnected)
                        .excluded(excluded -> {
                            excluded.stamp(Optional.empty(), () -> { });
                            return true;
                        }).orElse(false);
            });
        }
    }

    /** Whether the dispatcher is to read nothing now. */
    boolean pausesReads() {
        return journal.isPresent() && journal.get().pausesReads();
    }

    private boolean keepsJournal() {
        return setup.ackJournal() && setup.ackFlushMillis() > 0 && services.journals().isPresent()
                && dispatcher.getCursor().isDurable();
    }

    private synchronized Optional<TrackerJournal> madeJournal() {
        if (journal.isEmpty() && !closed) {
            JournalStore store = services.journals().orElseThrow();
            journal = store.open(dispatcher.getCursor()).map(ledgers ->
                    new TrackerJournal(dispatcher, cursor, ledgers, services, failures, gate, counters::offers));
        }
        return journal;
    }

    /** The gate before the consumers. */
    HoldGate gate() {
        return gate;
    }

    /** An entry is being offered, with the dispatcher's monitor held. */
    void isOffered() {
        if (journal.isPresent()) {
            journal.get().isOffered();
        }
    }

    /** Whether an entry that could be sent is held; if not it is being sent, and acknowledgements may follow. */
    boolean holds(long ledgerId, long entryId) {
        if (gate.holds(ledgerId, entryId)) {
            return true;
        }
        flush().active();
        return false;
    }

    /** Looks whether anything was acknowledged. */
    void look() {
        if (cursor.writesToLedger()) {
            removeUnlessKept();
        }
        purging.look(services.purges(), services.nowMillis());
        if (flush != null || purging.hasSeenAcknowledgements()) {
            flush().lookAround();
        }
    }

    private AckFlush flush() {
        if (flush == null) {
            synchronized (this) {
                if (flush == null) {
                    flush = new AckFlush(dispatcher, cursor, services, failures, setup.ackFlushMillis(),
                            keepsJournal() ? madeJournal() : Optional.empty());
                }
            }
        }
        return flush;
    }

    /** Tidies after mark-delete has moved. */
    void tidyInSlices() {
        purging.inSlices();
    }

    /** Deletes the journal: the backlog was cleared, or the subscription is about to be deleted. Bounded; never fails. */
    CompletableFuture<Void> clear() {
        return journal.map(TrackerJournal::clear).orElse(DONE);
    }

    /**
     * Ends the journal: another broker may own the topic.
     *
     * @return when nothing is written any more, after some seconds at the latest; never fails
     */
    @CanIgnoreReturnValue
    CompletableFuture<Void> close() {
        synchronized (this) {
            closed = true;
        }
        return journal.map(TrackerJournal::close).orElse(DONE);
    }

    private OptionalLong missingInJournal(AckedPositions acked) {
        return journal.map(kept -> kept.missing(acked)).orElse(OptionalLong.empty());
    }

    /** The figures for the statistics of the subscription. Fresh. */
    Samples samples(long nowMillis) {
        Samples samples = new Samples();
        purging.figures().ifPresent(figures -> samples.put(TrackerMetrics.ACK_HOLES, figures.holes())
                .put(TrackerMetrics.ACKS_LOST_ON_RESTART, figures.lostWhenPlanned(), "planned")
                .put(TrackerMetrics.ACKS_LOST_ON_RESTART, figures.lostAfterCrash(), "crash"));
        journal.ifPresent(kept -> samples.putAll(kept.samples(nowMillis)));
        return samples;
    }
}
