/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.TrackerShop;
import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import io.github.delayedtracker.simulator.Shortages.Of;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.apache.pulsar.broker.ServiceConfiguration;

/** One broker process from start to end: its timer, its background worker, and what the factory holds in it. */
final class BrokerLife {

    /** A look at the clock by a pass over an index; a part of a pass is a few of them. */
    private static final long PART_NANOS = 1_500_000;

    // Making one takes longer than a scenario.
    private static final Map<Integer, ServiceConfiguration> CONFIGURATIONS = new ConcurrentHashMap<>();

    private final SimulatedTimer timer;
    private final TrackerShop shop;
    private final Optional<SimulatedBuckets> buckets;
    private final Optional<SimulatedJournals> journals;
    private final Optional<StorageLife> storage;
    private final Set<TrackerProbe> replaced = new HashSet<>();
    private boolean dead;
    private int tasksUnderWay;
    private long workNanos;

    BrokerLife(World world) {
        Shortages shortages = world.brokers().shortages();
        timer = new SimulatedTimer(world.scheduler(), shortages);
        Scheduler scheduler = world.scheduler();
        boolean keepsJournals = world.setup().is(Setup.Parameter.JOURNAL);
        Executor threads = task -> {
            shortages.want(Of.STORAGE_THREADS);
            scheduler.unlockedAfter(world.latency(), () -> {
                if (!dead) {
                    shortages.run(task);
                }
            });
        };
        storage = world.anyStorage().map(FaultyStorage::newLife);
        buckets = world.storage().map(stored -> new SimulatedBuckets(world, storage.orElseThrow(), timer, threads));
        journals = world.journalStorage().map(stored -> new SimulatedJournals(world, storage.orElseThrow(), timer, threads));
        shop = new TrackerShop(timer, scheduler::wallMillis, task -> {
            shortages.want(Of.WORKER);
            tasksUnderWay++;
            Runnable run = () -> {
                tasksUnderWay--;
                if (!dead) {
                    shortages.run(task);
                }
            };
            if (keepsJournals) {
                // Some tasks take the dispatcher's monitor.
                scheduler.after(world.workerMillis(), run);
            } else {
                scheduler.unlockedAfter(world.workerMillis(), run);
            }
        }, configuration(world.setup()), () -> workNanos += PART_NANOS, new CursorsOfAWorld(world),
                journals.map(each -> each), dispatcher -> world.delaysMessages());
    }

    /** The broker's configuration in a setup. */
    static ServiceConfiguration configuration(Setup setup) {
        return CONFIGURATIONS.computeIfAbsent(setup.number(Setup.Parameter.LOOK_AHEAD), limit -> {
            ServiceConfiguration configuration = new ServiceConfiguration();
            configuration.setKeySharedLookAheadMsgInReplayThresholdPerConsumer(0);
            configuration.setKeySharedLookAheadMsgInReplayThresholdPerSubscription(limit);
            return configuration;
        });
    }

    SimulatedTimer timer() {
        return timer;
    }

    TrackerShop shop() {
        return shop;
    }

    /** Where the backend stores. */
    Optional<SimulatedBuckets> buckets() {
        return buckets;
    }

    int tasksUnderWay() {
        return tasksUnderWay;
    }

    /** Kill -9. */
    void die() {
        dead = true;
        timer.close();
        storage.ifPresent(StorageLife::crash);
    }

    boolean isDead() {
        return dead;
    }

    /** What is stored of any kind, as this broker sees it. */
    Optional<StorageLife> storage() {
        return storage;
    }

    /** What the factory does with the journal of a subscription that is deleted and has no tracker. */
    void removeJournals() {
        journals.ifPresent(SimulatedJournals::removeAll);
    }

    /** A tracker is about to be made: one before may still write the record. */
    TrackerShop shopForANewTracker() {
        journals.ifPresent(SimulatedJournals::newTracker);
        return shop();
    }

    /** A tracker is about to be made that nobody closes. */
    void trackerOfALateRead() {
        buckets.ifPresent(SimulatedBuckets::trackerOfALateRead);
        journals.ifPresent(SimulatedJournals::trackerOfALateRead);
    }

    /** A tracker of a dispatcher that another one replaces is closed, maybe in a while: an unload does not wait for that. */
    void isReplaced(TrackerProbe tracker) {
        replaced.removeIf(TrackerProbe::isClosed);
        if (tracker != null) {
            replaced.add(tracker);
        }
    }

    /** Whether nobody writes the cursor's record but trackers that their dispatchers have closed. */
    boolean hasOneWriter() {
        return replaced.stream().allMatch(TrackerProbe::isClosed) && buckets.map(SimulatedBuckets::hasOneWriter).orElse(true)
                && journals.map(SimulatedJournals::hasOneWriter).orElse(true);
    }

    /** Whether an update of the record is under way that its tracker must have given up. */
    boolean isUpdateHeldUp() {
        return storage.map(stored -> stored.isUpdateHeldUp(SimulatedBuckets.TOPIC, SimulatedBuckets.CURSOR,
                SimulatedBuckets.LIMITS.timeoutMillis())).orElse(false);
    }

    /** The topic is unloaded; whether its cursor could write its position. */
    boolean closeCursor() {
        return storage.map(stored -> stored.closeCursor(SimulatedBuckets.TOPIC, SimulatedBuckets.CURSOR, hasOneWriter()))
                .orElse(true);
    }

    /** The topic was loaded anew. */
    void reload() {
        storage.ifPresent(stored -> stored.reloadCursor(SimulatedBuckets.TOPIC, SimulatedBuckets.CURSOR));
    }
}
