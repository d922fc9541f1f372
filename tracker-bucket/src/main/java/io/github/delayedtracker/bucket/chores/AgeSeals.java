/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limit on the seals by age of a broker's subscriptions: one each half second, the oldest tail first. A seal costs two
 * updates of metadata. Where many subscriptions get few messages each, it stores few positions. Thread safe; owners are called
 * without a lock.
 */
final class AgeSeals {

    private static final Logger LOG = LoggerFactory.getLogger(AgeSeals.class);

    private static final long SPACING_MILLIS = 500;

    private static final Metric WAITING = Metric.gauge(Metric.BROKER, "bucket_age_seals_waiting", "subscriptions",
            "with a tail that is old enough to be sealed and waits for its turn, two each second");

    private final WakeUpTimer timer;
    private final Executor threads;
    private final long spacingMillis;
    @GuardedBy("this")
    private final TreeSet<Tail> waiting = new TreeSet<>(
            Comparator.comparingLong(Tail::sinceMillis).thenComparingLong(Tail::number));
    @GuardedBy("this")
    private final Map<Owner, Tail> tails = new HashMap<>();
    @GuardedBy("this")
    private boolean pausing;
    @GuardedBy("this")
    private long asked;

    /** A limit with no tail waiting. */
    AgeSeals(WakeUpTimer timer, Executor threads) {
        this(timer, threads, SPACING_MILLIS);
    }

    /**
     * A limit with no tail waiting.
     *
     * @param spacingMillis the time from one seal to the next, 1 or more
     */
    AgeSeals(WakeUpTimer timer, Executor threads, long spacingMillis) {
        this.timer = timer;
        this.threads = threads;
        this.spacingMillis = spacingMillis;
    }

    /** The owner of a tail. Called without a lock. */
    interface Owner {

        /** The tail may be sealed. */
        void mayBeSealed();

        /** The owner could not be told; the tail waits no longer. Throws nothing. */
        void forgotten();
    }

    private record Tail(Owner owner, long sinceMillis, long number) {
    }

    /**
     * Queues a tail for its turn, which may come before this returns. Its owner has no other tail that waits.
     *
     * @param sinceMillis the time since which the tail is old; the earliest is next
     */
    void ask(Owner owner, long sinceMillis) {
        synchronized (this) {
            Tail tail = new Tail(owner, sinceMillis, asked++);
            tails.put(owner, tail);
            waiting.add(tail);
        }
        next();
    }

    /** Takes the owner's tail out of the queue: it is sealed for another reason, or not at all. */
    synchronized void leave(Owner owner) {
        Tail tail = tails.remove(owner);
        if (tail != null) {
            waiting.remove(tail);
        }
    }

    private void next() {
        Tail next;
        synchronized (this) {
            if (pausing || waiting.isEmpty()) {
                return;
            }
            next = waiting.pollFirst();
            tails.remove(next.owner());
            pausing = true;
        }
        try {
            timer.arm(spacingMillis, this::goOn);
        } catch (Throwable e) {
            LOG.warn("The next tail is sealed by age as soon as one is old, since the timer refused a pause", e);
            synchronized (this) {
                pausing = false;
            }
        }
        tell(next.owner());
    }

    private void goOn() {
        synchronized (this) {
            pausing = false;
        }
        next();
    }

    private void tell(Owner owner) {
        try {
            threads.execute(owner::mayBeSealed);
        } catch (Throwable e) {
            // The broker ends, or has no memory for the task.
            LOG.warn("A subscription was not told that its tail is old enough to be sealed", e);
            owner.forgotten();
        }
    }

    /** The figures of the broker, in a new object. */
    synchronized Samples samples() {
        return new Samples().put(WAITING, waiting.size());
    }
}
