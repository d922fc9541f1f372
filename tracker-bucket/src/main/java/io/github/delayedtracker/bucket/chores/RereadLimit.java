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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limit on positions of lost buckets that all subscriptions of a broker may have handed out to be read again and not seen
 * since. It is a window that grows by a few with each burst that comes back soon. It is halved by a burst that comes back late or
 * not at all, so that slow or failing reads of topics slow the reading down.
 *
 * <p>Subscriptions wait in the order in which they asked. Each gets one burst at a time: an equal share of the window, within
 * bounds. Thread safe; nobody is told under a lock.
 */
final class RereadLimit {

    private static final Logger LOG = LoggerFactory.getLogger(RereadLimit.class);

    private static final Metric WINDOW = Metric.gauge(Metric.BROKER, "bucket_reread_window_positions", "positions",
            "lost ones that may be on their way at a time");
    private static final Metric UNDER_WAY = Metric.gauge(Metric.BROKER, "bucket_rereads_under_way", "positions",
            "lost ones that are on their way");
    private static final Metric ALLOWED = Metric.counter(Metric.BROKER, "bucket_rereads_allowed_total", "positions",
            "lost ones that were allowed to be read again");

    /** The widest window by default, in positions; the narrowest is a twentieth of it. */
    private static final int MOST_WINDOW = 2_000;
    private static final int NARROWEST = 20;
    /** The bounds of one burst, in positions. */
    private static final int LEAST_BURST = 20;
    private static final int MOST_BURST = 1_000;
    /** The time by which a quick burst is back. */
    private static final long QUICK_MILLIS = 250;
    /** The time from which on a burst that comes back is slow. */
    private static final long SLOW_MILLIS = 1_000;
    /** The window grows by this part of a quick burst. */
    private static final int GROWTH = 4;

    private final Executor threads;
    private final int mostWindow;
    private final int leastWindow;
    @GuardedBy("this")
    private final Queue<Member> waiting = new ArrayDeque<>();
    @GuardedBy("this")
    private int window;
    @GuardedBy("this")
    private int underWay;
    @GuardedBy("this")
    private int bursts;
    @GuardedBy("this")
    private long total;

    /**
     * A limit of which nothing is used.
     *
     * @param threads where subscriptions are told of their bursts
     */
    RereadLimit(Executor threads) {
        this(threads, MOST_WINDOW);
    }

    /**
     * A limit of which nothing is used.
     *
     * @param mostPositions the widest window
     */
    RereadLimit(Executor threads, int mostPositions) {
        this.threads = threads;
        this.mostWindow = mostPositions;
        this.leastWindow = Math.max(1, mostPositions / NARROWEST);
        this.window = Math.max(1, mostPositions / 2);
    }

    /** A subscription that asks for bursts. */
    interface Member {

        /** Grants a burst of this number of positions; the member says when it is over. Called without a lock; throws nothing. */
        void granted(int positions);

        /** The member could not be told of its burst: nothing is granted, and it no longer waits. */
        void refused();
    }

    private record Grant(Member member, int positions) {
    }

    /** Queues a member for a burst; not while it waits or has one. */
    void ask(Member member) {
        synchronized (this) {
            waiting.add(member);
        }
        grant();
    }

    /** Takes a member out of the queue; a burst that is granted meanwhile is still told of. */
    void leave(Member member) {
        synchronized (this) {
            waiting.remove(member);
        }
    }

    /** A burst came back, after some time. */
    void back(int positions, long afterMillis) {
        synchronized (this) {
            if (afterMillis <= QUICK_MILLIS) {
                window = Math.min(mostWindow, window + Math.max(1, positions / GROWTH));
            } else if (afterMillis >= SLOW_MILLIS) {
                window = Math.max(leastWindow, window / 2);
            }
        }
        end(positions);
    }

    /** A burst was handed out and did not come back. */
    void failed(int positions) {
        synchronized (this) {
            window = Math.max(leastWindow, window / 2);
        }
        end(positions);
    }

    /** A burst was not wanted, or only in part; that says nothing about reads. */
    void unused(int positions) {
        end(positions);
    }

    private void end(int positions) {
        synchronized (this) {
            underWay -= positions;
            bursts--;
        }
        grant();
    }

    private void grant() {
        List<Grant> grants = new ArrayList<>();
        synchronized (this) {
            while (!waiting.isEmpty() && underWay < window) {
                int share = window / (bursts + waiting.size());
                int positions = Math.min(Math.max(share, LEAST_BURST), Math.min(MOST_BURST, window - underWay));
                grants.add(new Grant(waiting.remove(), positions));
                underWay += positions;
                bursts++;
                total += positions;
            }
        }
        grants.forEach(this::tell);
    }

    private void tell(Grant grant) {
        try {
            threads.execute(() -> grant.member().granted(grant.positions()));
        } catch (Throwable e) {
            // The broker ends, or has no memory for the task.
            LOG.warn("A subscription was not told that it may have {} positions read again", grant.positions(), e);
            grant.member().refused();
            end(grant.positions());
        }
    }

    /** The figures of the broker, in a new object. */
    synchronized Samples samples() {
        return new Samples().put(WINDOW, window).put(UNDER_WAY, underWay).put(ALLOWED, total);
    }
}
