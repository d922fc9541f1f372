/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.backend.JournalStore;
import io.github.delayedtracker.backend.SubscriptionStore;
import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands.DueAt;
import io.github.delayedtracker.command.DelayedCommands.DueWithin;
import io.github.delayedtracker.command.DelayedCommands.Named;
import io.github.delayedtracker.command.DelayedCommands.Options;
import io.github.delayedtracker.command.DelayedCommands.Result;
import io.github.delayedtracker.command.MessageName;
import io.github.delayedtracker.config.SnapshotSettings;
import io.github.delayedtracker.config.TrackerSettings;
import io.github.delayedtracker.index.DelayIndexProvider;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.subscription.HoldGate;
import io.github.delayedtracker.subscription.ScheduleWalk;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.delayed.bucket.BucketDelayedDeliveryTracker;
import org.apache.pulsar.broker.delayed.bucket.RecoverDelayedDeliveryTrackerException;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;

/**
 * What the factory holds in one broker, with its timer, clock and worker given from outside: makes the very trackers that a
 * broker gets, and looks into them for tests.
 */
public final class TrackerShop {

    private static final Options MEANT = new Options(false, true);

    private static final long LONGEST_ADAPTIVE_MILLIS = 1 << 16;

    private final TrackerRegistry registry;
    private final LongSupplier clock;
    private final Executor worker;
    private final ServiceConfiguration configuration;
    private final PurgeQueue purges;
    private final AckSource acks;
    private final Optional<JournalStore> journals;
    private final Predicate<AbstractPersistentDispatcherMultipleConsumers> delays;
    private final IdentityHashMap<BucketDelayedDeliveryTracker, SubscriptionTracker> made = new IdentityHashMap<>();

    /** Shared by trackers that differ in nothing else, as in the factory. */
    private TrackerSettings settings;
    private DelayIndexProvider ofProvider;
    private SubscriptionSetup usual;
    private TrackerServices services;

    /** What the cursors of the broker tell of their acknowledgements. */
    public interface Cursors {

        /** All above mark-delete, as bitmaps by ledger; it may be old. Empty where the cursor cannot tell. */
        Optional<Map<Long, long[]>> copy(ManagedCursor cursor);

        /** The same, never old. */
        default Optional<Map<Long, long[]>> copyForJournal(ManagedCursor cursor) {
            return copy(cursor);
        }

        /** How many entries are acknowledged. */
        long consumed(ManagedCursor cursor);

        /** How many records of them were written. */
        default long records(ManagedCursor cursor) {
            return 0;
        }

        /** Whether it has a ledger for them. */
        default boolean writesToLedger(ManagedCursor cursor) {
            return true;
        }

        /** Whether a record of bitmaps holds the ledger that goes beyond the limit. */
        default boolean keepsFirstLedger() {
            return true;
        }
    }

    /**
     * Nothing is made yet.
     *
     * @param nanos what the passes over the indexes are measured with
     * @param journals the journals of acknowledgements, if any are kept
     * @param delays whether the topic of a dispatcher delays messages now
     */
    public TrackerShop(WakeUpTimer timer, LongSupplier clock, Executor worker, ServiceConfiguration configuration,
            LongSupplier nanos, Cursors cursors, Optional<JournalStore> journals,
            Predicate<AbstractPersistentDispatcherMultipleConsumers> delays) {
        this.delays = delays;
        this.registry = new TrackerRegistry(timer);
        this.purges = new PurgeQueue(worker, timer, nanos);
        this.acks = source(cursors);
        this.journals = journals;
        this.clock = clock;
        this.worker = worker;
        this.configuration = configuration;
    }

    private static AckSource source(Cursors cursors) {
        return new AckSource() {
            @Override
            public Optional<AckedPositions> copy(ManagedCursor cursor) {
                return cursors.copy(cursor).map(bitmaps -> new AckedPositions(bitmaps, cursors.keepsFirstLedger()));
            }

            @Override
            public Optional<AckedPositions> copyOfMany(ManagedCursor cursor) {
                return cursors.copyForJournal(cursor).map(bitmaps -> new AckedPositions(bitmaps, cursors.keepsFirstLedger()));
            }

            @Override
            public long consumed(ManagedCursor cursor) {
                return cursors.consumed(cursor);
            }

            @Override
            public long records(ManagedCursor cursor) {
                return cursors.records(cursor);
            }

            @Override
            public boolean writesToLedger(ManagedCursor cursor) {
                return cursors.writesToLedger(cursor);
            }
        };
    }

    /**
     * A tracker as the factory makes it, with its own view of the timer; a precision of 0 follows the tick, a ratio of 0 is no
     * adaptive precision.
     */
    public BucketDelayedDeliveryTracker newTracker(AbstractPersistentDispatcherMultipleConsumers dispatcher, WakeUpTimer timer,
            DelayIndexProvider provider, Optional<SubscriptionStore> stored, boolean strict, long tickMillis,
            long precisionMillis, long adaptiveRatio) {
        OptionalLong configuredPrecision = precisionMillis == 0 ? OptionalLong.empty() : OptionalLong.of(precisionMillis);
        TrackerSettings newSettings = new TrackerSettings(provider.backendName(), configuredPrecision, adaptiveRatio,
                LONGEST_ADAPTIVE_MILLIS, true, tickMillis, strict, SnapshotSettings.DEFAULT, 5_000, true);
        if (!newSettings.equals(settings) || provider != ofProvider) {
            settings = newSettings;
            ofProvider = provider;
            usual = SubscriptionSetup.of(provider, newSettings, tickMillis, 0);
        }
        if (services == null || services.timer() != timer) {
            services = new TrackerServices(timer, clock, registry, worker, configuration, purges, acks,
                    CursorRecordLimits.of(configuration), journals, delays, new Lateness(),
                    new StorageWarnings(clock));
        }
        SubscriptionTracker tracker = new SubscriptionTracker(dispatcher, usual, stored, services);
        registry.add(tracker);
        tracker.start();
        try {
            BucketDelayedDeliveryTracker adapter = new SkipReadAdapter(dispatcher, tracker, tickMillis, strict);
            made.put(adapter, tracker);
            return adapter;
        } catch (RecoverDelayedDeliveryTrackerException e) {
            throw new IllegalStateException("the stock type recovered something", e);
        }
    }

    /** Closes a tracker as brokers from 4.2 on do, whose type has the method. */
    public CompletableFuture<Void> closeAsync(BucketDelayedDeliveryTracker adapter) {
        return ((SkipReadAdapter) adapter).closeAsync();
    }

    /** How many trackers the factory looks after. */
    public int liveTrackers() {
        return registry.live().size();
    }

    /** How many calls to the tracker failed inside and were answered neutrally. */
    public long failures(BucketDelayedDeliveryTracker adapter) {
        return made.get(adapter).failures.count();
    }

    /** Cancels messages. */
    public CompletableFuture<List<Answer>> cancel(BucketDelayedDeliveryTracker adapter, List<Position> positions) {
        return made.get(adapter).commands.cancel(named(positions), MEANT, Runnable::run).thenApply(Result::answers);
    }

    /** Gives messages a due time. */
    public CompletableFuture<List<Answer>> move(BucketDelayedDeliveryTracker adapter, List<Position> positions, long dueMillis) {
        return made.get(adapter).commands
                .move(named(positions), new DueAt(dueMillis), MEANT, Runnable::run).thenApply(Result::answers);
    }

    /** Cancels what is due in a time: the answers for what was found. */
    public CompletableFuture<Map<Position, Answer>> cancelDue(BucketDelayedDeliveryTracker adapter, long fromMillis,
            long untilMillis) {
        return made.get(adapter).commands.cancel(new DueWithin(fromMillis, untilMillis, Optional.empty()), MEANT, Runnable::run)
                .thenApply(TrackerShop::byPosition);
    }

    /** Gives what is due in a time another. */
    public CompletableFuture<Map<Position, Answer>> moveDue(BucketDelayedDeliveryTracker adapter, long fromMillis,
            long untilMillis, long dueMillis) {
        return made.get(adapter).commands.move(new DueWithin(fromMillis, untilMillis, Optional.empty()), new DueAt(dueMillis),
                MEANT, Runnable::run).thenApply(TrackerShop::byPosition);
    }

    private static Map<Position, Answer> byPosition(Result result) {
        Map<Position, Answer> answers = new HashMap<>();
        for (int i = 0; i < result.ids().size(); i++) {
            MessageName id = result.ids().get(i);
            if (answers.put(PositionFactory.create(id.ledgerId(), id.entryId()), result.answers().get(i)) != null) {
                throw new IllegalStateException("found twice: " + id);
            }
        }
        return answers;
    }

    private static Named named(List<Position> positions) {
        return new Named(positions.stream().map(position -> new MessageName(position.getLedgerId(), position.getEntryId(),
                MessageName.NONE, MessageName.NONE)).toList(), false);
    }

    /** Checks every internal invariant of the tracker's index and state. */
    public void validate(BucketDelayedDeliveryTracker adapter) {
        made.get(adapter).state().validate();
    }

    /** The gate before the consumers of a tracker. */
    public HoldGate gate(BucketDelayedDeliveryTracker adapter) {
        return made.get(adapter).acks.gate();
    }

    /** Whether the position is in the schedule of a tracker. */
    public boolean schedules(BucketDelayedDeliveryTracker adapter, Position position) {
        PositionSet asked = new PositionSet();
        asked.add(position.getLedgerId(), position.getEntryId());
        return !ScheduleWalk.known(made.get(adapter).state(), asked).isEmpty();
    }

    /** Whether a tracker wants the dispatcher to read nothing. */
    public boolean pauses(BucketDelayedDeliveryTracker adapter) {
        return made.get(adapter).acks.pausesReads();
    }
}
