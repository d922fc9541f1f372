/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.simulator.Action.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Moments in which brokers have no thread to begin work with, or no memory for one call. Such a call throws an Error, and
 * nothing is late before the sweep after that has taken up what was left undone.
 */
final class Shortages {

    private static final long TAKEN_UP_MILLIS = 91_000;
    private static final long OF_ITS_OWN = 0x2545f4914f6cdd1dL;
    private static final int MOST = 4;
    private static final int MOST_CALLS = 12;
    private static final long SOON_MILLIS = 1_500;

    /** As actions number them. */
    static final List<Of> KINDS = List.of(Of.WORKER, Of.STORAGE_THREADS, Of.WAKE_UP, Of.COPY, Of.WRITE);

    private final World world;
    private final Map<Of, Long> untilMillis = new EnumMap<>(Of.class);
    private final Map<Of, Long> callsBefore = new EnumMap<>(Of.class);
    private long failed;
    private long takenUpMillis;

    /** What there may be none of. */
    enum Of {
        /** Threads of the background worker. */
        WORKER,
        /** Threads of the storage. */
        STORAGE_THREADS,
        /** Memory to arm a wake-up with. */
        WAKE_UP,
        /** Memory for a copy of what is acknowledged. */
        COPY,
        /** Memory for what the cursor is to write. */
        WRITE
    }

    /** Thrown by a call that cannot be done. */
    static final class Shortage extends OutOfMemoryError {
        private static final long serialVersionUID = 1;

        private Shortage(Of of) {
            super("no " + of + ", on purpose");
        }
    }

    Shortages(World world) {
        this.world = world;
    }

    /** A scenario of the seed with some of threads or of memory, soon after what else happens; from numbers of their own. */
    static Scenario drawn(long seed) {
        Scenario without = Scenario.drawn(seed);
        SplittableRandom random = new SplittableRandom(seed * OF_ITS_OWN);
        List<Action> actions = new ArrayList<>(without.actions());
        boolean ofThreads = random.nextInt(3) == 0;
        for (int i = 1 + random.nextInt(MOST); i > 0; i--) {
            long atMillis = without.actions().get(random.nextInt(without.actions().size())).atMillis()
                    + random.nextLong(random.nextBoolean() ? 5 : SOON_MILLIS);
            int of = random.nextInt(KINDS.size());
            actions.add(ofThreads ? new Action(atMillis, Kind.NO_THREADS, of % 2, pick(random, 1, 20, 2_000, 15_000, 70_000))
                    : new Action(atMillis, Kind.NO_MEMORY, of, random.nextInt(MOST_CALLS)));
        }
        return without.withActions(actions);
    }

    private static long pick(SplittableRandom random, long... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** None from now on, of a kind in {@link #KINDS}. */
    void begin(int kind, long millis) {
        untilMillis.put(KINDS.get(kind), world.scheduler().nowMillis() + millis);
    }

    /** One call fails, after some more. */
    void failOne(int kind, long after) {
        callsBefore.put(KINDS.get(kind), after);
    }

    void end() {
        untilMillis.clear();
        callsBefore.clear();
    }

    /** Something is wanted: throws if there is none. */
    void want(Of of) {
        long left = callsBefore.getOrDefault(of, -1L);
        if (left >= 0) {
            callsBefore.put(of, left - 1);
        }
        if (left == 0 || world.scheduler().nowMillis() < untilMillis.getOrDefault(of, 0L)) {
            failed++;
            takenUpMillis = Math.max(world.scheduler().nowMillis(), untilMillis.getOrDefault(of, 0L)) + TAKEN_UP_MILLIS;
            throw new Shortage(of);
        }
    }

    /** A tracker calls the cursor; its looks need no memory. */
    void calls(String method) {
        if (method.startsWith("async") || method.startsWith("put")) {
            want(Of.WRITE);
        }
    }

    /** A task of a thread that outlives what it throws. */
    void run(Runnable task) {
        try {
            task.run();
        } catch (Shortage expected) {
            failed++;
        }
    }

    /** How many calls have failed, those included that failed for the sake of others. */
    long failed() {
        return failed;
    }

    /** What was left undone may be so until then. */
    long takenUpMillis() {
        return takenUpMillis;
    }
}
