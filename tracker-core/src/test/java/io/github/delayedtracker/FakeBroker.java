/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.backend.JournalStore;
import io.github.delayedtracker.backend.SubscriptionStore;
import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.subscription.TimeRules;
import io.github.delayedtracker.wakeup.ManualTimer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.bookkeeper.mledger.proto.MLDataFormats.ManagedLedgerInfo.LedgerInfo;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.service.Subscription;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;
import org.apache.pulsar.common.api.proto.CommandSubscribe.SubType;
import org.apache.pulsar.common.policies.data.HierarchyTopicPolicies;

/**
 * The broker side of one subscription, set by hand: for what a test must hold still, such as a read position or a
 * ledger that is gone. What a real broker can show is shown on a real broker.
 */
final class FakeBroker {

    static final long NOW = 1_700_000_000_000L;

    final AbstractPersistentDispatcherMultipleConsumers dispatcher = mock(AbstractPersistentDispatcherMultipleConsumers.class);
    final ManagedCursor cursor = mock(ManagedCursor.class);
    final ManagedLedger ledger = mock(ManagedLedger.class);
    final PersistentTopic topic = mock(PersistentTopic.class);
    final Subscription subscription = mock(Subscription.class);
    final ServiceConfiguration configuration = new ServiceConfiguration();
    final ManualTimer timer = new ManualTimer(NOW);
    /** What the clock of the passes shows, and all acknowledgements at once where the cursor tells them. */
    final AtomicLong nanos = new AtomicLong();
    final AtomicReference<Optional<AckedPositions>> copies = new AtomicReference<>(Optional.empty());
    final AtomicBoolean writesToLedger = new AtomicBoolean();
    final AtomicLong cursorRecords = new AtomicLong();
    final TrackerServices services;
    final ManagedLedgerConfig limits = new ManagedLedgerConfig();
    final Set<Position> acknowledged = new HashSet<>();
    final Map<String, String> subscriptionProperties = new HashMap<>();
    final Map<String, String> cursorProperties = new HashMap<>();
    final NavigableMap<Long, LedgerInfo> ledgers = new TreeMap<>();
    final HierarchyTopicPolicies policies = new HierarchyTopicPolicies();
    /** How many tasks are done before the one for which the worker has no thread; -1 for all. */
    int refusedIn = -1;
    /** Makes the index of the trackers made after. */
    Supplier<DelayIndex> newIndex = new HeapIndexProvider()::newIndex;

    FakeBroker() {
        this(Optional.empty());
    }

    FakeBroker(Optional<JournalStore> journals) {
        services = new TrackerServices(timer, timer::nowMillis, new TrackerRegistry(timer), this::work, configuration,
                new PurgeQueue(Runnable::run, timer, nanos::get), new Acks(),
                CursorRecordLimits.of(configuration), journals, known -> true, new Lateness(),
                new StorageWarnings(timer::nowMillis));
        when(dispatcher.getName()).thenReturn("persistent://public/default/t / sub");
        when(dispatcher.getCursor()).thenReturn(cursor);
        when(dispatcher.getTopic()).thenReturn(topic);
        when(dispatcher.getSubscription()).thenReturn(subscription);
        when(dispatcher.getType()).thenReturn(SubType.Shared);
        when(topic.getHierarchyTopicPolicies()).thenReturn(policies);
        when(topic.getDelayedDeliveryTickTimeMillis()).thenReturn(1_000L);
        when(subscription.getSubscriptionProperties()).thenReturn(subscriptionProperties);
        when(cursor.getManagedLedger()).thenReturn(ledger);
        when(cursor.getCursorProperties()).thenReturn(cursorProperties);
        when(cursor.isMessageDeleted(any())).thenAnswer(call -> acknowledged.contains(call.<Position>getArgument(0)));
        when(ledger.getLedgersInfo()).thenReturn(ledgers);
        when(ledger.getConfig()).thenReturn(limits);
        when(ledger.getCursors()).thenReturn(List.of(cursor));
        backlog(1L << 40);
        readPosition(Long.MAX_VALUE, 0);
        markDelete(0, -1);
    }

    private void work(Runnable task) {
        if (refusedIn >= 0 && refusedIn-- == 0) {
            throw new InternalError("there is no thread, for the test");
        }
        task.run();
    }

    void readPosition(long ledgerId, long entryId) {
        when(cursor.getReadPosition()).thenReturn(PositionFactory.create(ledgerId, entryId));
    }

    void backlog(long entries) {
        when(cursor.getNumberOfEntriesInBacklog(false)).thenReturn(entries);
    }

    void markDelete(long ledgerId, long entryId) {
        when(cursor.getMarkDeletedPosition()).thenReturn(PositionFactory.create(ledgerId, entryId));
    }

    void ledgers(long... ids) {
        ledgers.clear();
        for (long id : ids) {
            ledgers.put(id, LedgerInfo.newBuilder().setLedgerId(id).build());
        }
    }

    SubscriptionTracker tracker(boolean strict) {
        return new SubscriptionTracker(dispatcher, setup(strict, newIndex), Optional.empty(), services);
    }

    /** With an index that stores. */
    SubscriptionTracker tracker(SubscriptionStore store) {
        return new SubscriptionTracker(dispatcher, setup(true), Optional.of(store), services);
    }

    /** With a clock of its own. */
    SubscriptionTracker tracker(boolean strict, LongSupplier clock) {
        return new SubscriptionTracker(dispatcher, setup(strict), Optional.empty(),
                new TrackerServices(timer, clock, new TrackerRegistry(timer), Runnable::run, configuration,
                        services.purges(), services.acks(), services.limits(), services.journals(), services.delays(),
                        services.lateness(), services.warnings()));
    }

    static SubscriptionSetup setup(boolean strict) {
        return setup(strict, new HeapIndexProvider()::newIndex);
    }

    private static SubscriptionSetup setup(boolean strict, Supplier<DelayIndex> newIndex) {
        return new SubscriptionSetup("heap", newIndex, new TimeRules(strict, 1_000, 1), tickMillis -> 1, 5_000, true,
                0);
    }

    private final class Acks implements AckSource {

        @Override
        public Optional<AckedPositions> copy(ManagedCursor of) {
            return copies.get();
        }

        @Override
        public boolean writesToLedger(ManagedCursor of) {
            return writesToLedger.get();
        }

        @Override
        public long records(ManagedCursor of) {
            return cursorRecords.get();
        }
    }
}
