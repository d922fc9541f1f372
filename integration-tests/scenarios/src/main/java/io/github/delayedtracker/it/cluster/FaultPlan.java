/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.cluster.RunEvent.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The faults of a run, all from one seed: what is done to which process, after how long, and for how long.
 *
 * @param seed the seed, with which the same plan is made again
 * @param count how many faults the run is to have
 * @param steps those and some to spare, each for one that the cluster refuses; the first of them are the same with every count
 */
record FaultPlan(long seed, int count, List<Step> steps) {

    /** Within this time a broker that was frozen or cut off notices that it has lost its session, and may end itself. */
    static final long AFTER_THAW_MILLIS = 3_000;

    private static final int AT_ONCE_ONE_IN = 3;
    private static final int LEAST_SPARE = 3;
    /** With what a driver waits for the moment two faults are half a minute apart at most. */
    private static final long MOST_PAUSE_MILLIS = 30_000 - Moment.MOST_WAIT_MILLIS;
    private static final long LEAST_STILL_MILLIS = 5_000;
    private static final long MOST_STILL_MILLIS = 60_000;
    private static final long LEAST_DOWN_MILLIS = 1_000;
    private static final long MOST_DOWN_MILLIS = 10_000;

    /** What may be done to a cluster. */
    enum Kind {
        KILL_BROKER(Effect.FORGETS),
        STOP_BROKER(Effect.FORGETS),
        KILL_BOOKIE(Effect.FORGETS),
        STOP_BOOKIE(Effect.FORGETS),
        /** It does nothing for a while, and its connections stay open: it may lose its session, and the topic has two owners. */
        FREEZE_BROKER(Effect.FORGETS),
        FREEZE_BOOKIE(Effect.FORGETS),
        RESTART_METADATA(Effect.FORGETS),
        UNLOAD_TOPIC(Effect.FORGETS),
        SPLIT_BUNDLE(Effect.FORGETS),
        /** It reaches no ZooKeeper and no bookie, its clients and the other brokers do reach it. */
        CUT_STORAGE(Effect.FORGETS),
        /** No client and no other broker reaches it, ZooKeeper and the bookies do. */
        CUT_CLIENTS(Effect.FORGETS),
        CUT_BOOKIE(Effect.FORGETS),
        /** The first bookie has no byte left to write to: it may end itself. */
        FULL_DISK(Effect.FORGETS),
        /** The time of day of the first broker is some seconds ahead or behind; the target tells how many. */
        STEP_CLOCK(Effect.STEPS_A_CLOCK),
        KILL_CONSUMER(Effect.COMES_AGAIN),
        STALL_CONSUMER(Effect.NONE);

        private final Effect effect;

        Kind(Effect effect) {
            this.effect = effect;
        }

        Effect effect() {
            return effect;
        }

        boolean isOfABroker() {
            return this == KILL_BROKER || this == STOP_BROKER || this == FREEZE_BROKER || this == CUT_STORAGE
                    || this == CUT_CLIENTS;
        }

        /** Whether it takes a network, a disk or a clock that a program can only have in {@link OwnNamespaces}. */
        boolean takesNamespaces() {
            return this == CUT_STORAGE || this == CUT_CLIENTS || this == CUT_BOOKIE || this == FULL_DISK || this == STEP_CLOCK;
        }
    }

    /**
     * A fault.
     *
     * @param target the number of the broker, bookie, topic or consumer that is struck, if the moment does not say which broker
     * @param afterMillis how long after the one before was healed
     * @param moment what it waits for then, as long as a driver waits
     * @param forMillis how long it lasts; 0 for what is over at once
     */
    record Step(Kind kind, int target, long afterMillis, Moment moment, long forMillis) {
    }

    /**
     * Makes a plan. A third of the faults follows the one before at once, when what that one has struck is loaded again.
     *
     * @param count how many faults the run is to have; a half more are to spare, three at least
     * @param kinds the kinds to choose from; one given twice is chosen twice as often
     * @param targets how many processes or topics there are of each kind
     */
    static FaultPlan of(long seed, int count, List<Kind> kinds, int targets) {
        Random random = new Random(seed);
        List<Moment> moments = List.of(Moment.values());
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < count + Math.max(LEAST_SPARE, count / 2); i++) {
            Kind kind = kinds.get(random.nextInt(kinds.size()));
            long afterMillis = random.nextInt(AT_ONCE_ONE_IN) == 0 ? 0 : random.nextLong(MOST_PAUSE_MILLIS);
            Moment moment = moments.get(random.nextInt(moments.size()));
            steps.add(new Step(kind, random.nextInt(targets), afterMillis, moment, lasts(kind, random)));
        }
        return new FaultPlan(seed, count, List.copyOf(steps));
    }

    private static long lasts(Kind kind, Random random) {
        return switch (kind) {
            case FREEZE_BROKER, FREEZE_BOOKIE, CUT_STORAGE, CUT_CLIENTS, CUT_BOOKIE, FULL_DISK, STEP_CLOCK, STALL_CONSUMER ->
                    random.nextLong(LEAST_STILL_MILLIS, MOST_STILL_MILLIS);
            case KILL_BROKER, STOP_BROKER, KILL_BOOKIE, STOP_BOOKIE, RESTART_METADATA, KILL_CONSUMER ->
                    random.nextLong(LEAST_DOWN_MILLIS, MOST_DOWN_MILLIS);
            case UNLOAD_TOPIC, SPLIT_BUNDLE -> 0;
        };
    }
}
