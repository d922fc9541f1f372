/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.TrackerShop;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pulsar.broker.ServiceConfiguration;

/** One broker process from start to end: its timer, its background worker, and what the factory holds in it. */
final class BrokerLife {

    /** A look at the clock by a pass over an index; a part of a pass is a few of them. */
    private static final long PART_NANOS = 1_500_000;
    private static final int HELD_UP_PERCENT = 30;

    // Making one takes longer than a scenario.
    private static final Map<Integer, ServiceConfiguration> CONFIGURATIONS = new ConcurrentHashMap<>();

    private final SimulatedTimer timer;
    private final TrackerShop shop;
    private final Optional<SimulatedBuckets> buckets;
    private boolean dead;
    private int tasksUnderWay;
    private long workNanos;

    BrokerLife(World world) {
        timer = new SimulatedTimer(world.scheduler());
        shop = new TrackerShop(timer, world.scheduler()::wallMillis, task -> {
            tasksUnderWay++;
            world.scheduler().unlockedAfter(world.workerMillis(), () -> {
                tasksUnderWay--;
                if (!dead) {
                    task.run();
                }
            });
        }, configuration(world.setup()), () -> workNanos += PART_NANOS, cursor -> copyOfAcks(world),
                cursor -> world.cursor().acknowledgedEntries(), dispatcher -> world.delaysMessages());
        buckets = world.storage().map(storage -> new SimulatedBuckets(world, storage.newLife(), timer,
                task -> world.scheduler().unlockedAfter(world.latency(), () -> {
                    if (!dead) {
                        task.run();
                    }
                })));
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
        buckets.ifPresent(SimulatedBuckets::crash);
    }

    boolean isDead() {
        return dead;
    }

    /** All acknowledgements at once, as a pass learns them: nothing, the truth, or that with some that a seek took back. */
    private static Optional<Map<Long, long[]>> copyOfAcks(World world) {
        return world.setup().is(Setup.Parameter.ACKS_AT_ONCE)
                ? Optional.of(world.cursor().copyOfAcks(world.scheduler().chance(HELD_UP_PERCENT))) : Optional.empty();
    }
}
