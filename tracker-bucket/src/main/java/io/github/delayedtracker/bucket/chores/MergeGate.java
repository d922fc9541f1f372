/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limit on the merges of a broker: on their number and, on average, on the bytes a second of each. Subscriptions enter in the
 * order in which they asked, each for one merge at a time. A merge that takes long makes room for another one; the same number of
 * merges may do so. A merge on storage that hangs does not keep all others. Thread safe; nobody is told under a lock.
 */
final class MergeGate {

    private static final Logger LOG = LoggerFactory.getLogger(MergeGate.class);

    private static final int MERGES = 2;
    private static final long BYTES_A_SECOND = 32 << 20;
    private static final long SLOW_MILLIS = 60_000;
    private static final long MILLIS_A_SECOND = 1_000;
    /** The shortest pause; shorter ones are saved up. */
    private static final long LEAST_PAUSE_MILLIS = 10;

    private static final Metric UNDER_WAY = Metric.gauge(Metric.BROKER, "bucket_merges_under_way", "", "merges of buckets");
    private static final Metric WAITING = Metric.gauge(Metric.BROKER, "bucket_merges_waiting", "subscriptions",
            "with buckets to merge that wait for their turn, two at a time");

    private final int merges;
    private final long bytesASecond;
    private final WakeUpTimer timer;
    private final Executor threads;
    /** The subscriptions that wait, in the order in which they asked. */
    @GuardedBy("this")
    private final Set<Guest> waiting = new LinkedHashSet<>();
    /** The number of merges that have not made room. */
    @GuardedBy("this")
    private int inside;
    /** The number of merges that have made room. */
    @GuardedBy("this")
    private int slow;
    /** The merges under way for so long that they are to make room, in this order, once one that has made room ends. */
    @GuardedBy("this")
    private final Set<Place> late = new LinkedHashSet<>();
    /** The bytes read and written since the last pause. */
    private final AtomicLong owedBytes = new AtomicLong();

    /** A gate through which nothing has gone. */
    MergeGate(WakeUpTimer timer, Executor threads) {
        this(MERGES, BYTES_A_SECOND, timer, threads);
    }

    /**
     * A gate through which nothing has gone.
     *
     * @param merges how many may be under way
     * @param bytesASecond how much each may read and write
     * @param threads the threads on which subscriptions that have waited are told
     */
    MergeGate(int merges, long bytesASecond, WakeUpTimer timer, Executor threads) {
        this.merges = merges;
        this.bytesASecond = bytesASecond;
        this.timer = timer;
        this.threads = threads;
    }

    /** A subscription that has something to merge. */
    interface Guest {

        /** The subscription is inside, and has to leave the place. Throws nothing. */
        void entered(Place place);

        /** The subscription could not be told that it is inside: it is not, and waits no longer. Throws nothing. */
        void refused();
    }

    /** The place of a merge under way. */
    final class Place {
        private boolean isSlow;
        private boolean isLeft;
        private WakeUpTimer.Armed alarm = () -> { };

        private void begin() {
            WakeUpTimer.Armed armed = timer.arm(SLOW_MILLIS, this::makeRoom);
            synchronized (MergeGate.this) {
                alarm = armed;
            }
        }

        private void makeRoom() {
            synchronized (MergeGate.this) {
                if (isLeft) {
                    return;
                }
                late.add(this);
                slowOne();
            }
            letIn();
        }

        /** Lets another subscription in; a second call does nothing. */
        void leave() {
            WakeUpTimer.Armed over;
            synchronized (MergeGate.this) {
                if (isLeft) {
                    return;
                }
                isLeft = true;
                late.remove(this);
                slow -= isSlow ? 1 : 0;
                inside -= isSlow ? 0 : 1;
                slowOne();
                over = alarm;
            }
            over.cancel();
            letIn();
        }
    }

    /** Has the first late merge make room, if that may be. */
    @GuardedBy("this")
    private void slowOne() {
        if (slow < merges && !late.isEmpty()) {
            Place first = late.iterator().next();
            late.remove(first);
            first.isSlow = true;
            slow++;
            inside--;
        }
    }

    /** Lets a subscription in when it is its turn, perhaps before this returns. Not to be called while it waits or is inside. */
    void ask(Guest guest) {
        synchronized (this) {
            waiting.add(guest);
        }
        letIn();
    }

    private void letIn() {
        while (true) {
            Guest next;
            Place place = new Place();
            synchronized (this) {
                if (inside >= merges || waiting.isEmpty()) {
                    return;
                }
                next = waiting.iterator().next();
                waiting.remove(next);
                inside++;
            }
            try {
                place.begin();
                threads.execute(() -> next.entered(place));
            } catch (Throwable e) {
                // The broker ends, or has no memory for the task.
                LOG.warn("A subscription was not told that it may merge", e);
                next.refused();
                place.leave();
            }
        }
    }

    /** Done when more bytes may follow after this number of them. */
    CompletableFuture<Void> pause(long bytes) {
        long owed = owedBytes.addAndGet(bytes);
        long delayMillis = owed * MILLIS_A_SECOND / bytesASecond;
        if (delayMillis < LEAST_PAUSE_MILLIS || !owedBytes.compareAndSet(owed, 0)) {
            return Futures.DONE;
        }
        CompletableFuture<Void> over = new CompletableFuture<>();
        timer.arm(delayMillis, () -> over.complete(null));
        return over;
    }

    /** The figures of the broker, in a new object. */
    synchronized Samples samples() {
        return new Samples().put(UNDER_WAY, inside + slow).put(WAITING, waiting.size());
    }
}
