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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The budget of bytes that the tails and loaded segments of all subscriptions of a broker may take together. While they take
 * more, the largest are asked to make room, until those asked have the bytes in excess, each at most every five seconds. The next
 * look comes after a second, or ever longer where nothing was gained, up to half a minute. It comes at once when they take a
 * sixteenth of the limit more. <em>Memory is short</em> while they take more and for some time after: segments are loaded later.
 *
 * <p>Subscriptions report their bytes when they plan; nobody is asked under a lock. Thread safe.
 */
final class MemoryBudget {

    private static final Logger LOG = LoggerFactory.getLogger(MemoryBudget.class);

    private static final Metric USED = Metric.gauge(Metric.BROKER, "bucket_memory_used_bytes", "bytes",
            "that tails and loaded segments take, as reported last");
    private static final Metric LIMIT = Metric.gauge(Metric.BROKER, "bucket_memory_limit_bytes", "bytes",
            "that they may take together; 0: no limit");
    private static final Metric EARLY_SEALS = Metric.counter(Metric.BROKER, "bucket_memory_early_seals_total", "",
            "tails sealed before they were full, to make room");
    private static final Metric UNLOADS = Metric.counter(Metric.BROKER, "bucket_memory_unloads_total", "",
            "times that a subscription let loaded segments go, to make room");

    private static final long LOOK_MILLIS = 1_000;
    private static final long LONGEST_LOOK_MILLIS = 32_000;
    /** The part of the limit by which the bytes have to grow for the next look to come at once. */
    private static final int GROWN_PART = 16;
    private static final long REST_MILLIS = 5_000;
    /** While memory is short segments are loaded a quarter as long ahead, within these bounds. */
    private static final int LATER = 4;
    private static final long LEAST_AHEAD_MILLIS = 1_000;
    private static final long MOST_AHEAD_MILLIS = 5_000;

    private final long limitBytes;
    private final WakeUpTimer timer;
    private final Executor threads;
    private final LongSupplier wallMillis;
    private final long shortMillis;
    private final long longestLookMillis;
    private final AtomicLong usedBytes = new AtomicLong();
    private final LongAdder earlySeals = new LongAdder();
    private final LongAdder unloads = new LongAdder();
    private final Set<Share> shares = ConcurrentHashMap.newKeySet();
    private final Object lock = new Object();
    /** Whether a look is waited for or made. */
    @GuardedBy("lock")
    private boolean looking;
    /** The next look, while it is waited for. */
    @GuardedBy("lock")
    private WakeUpTimer.Armed armed;
    @GuardedBy("lock")
    private long lookMillis = LOOK_MILLIS;
    /** The bytes taken when the last look ended. */
    @GuardedBy("lock")
    private long lookedAtBytes;
    private volatile long shortUntilMillis;

    /**
     * A budget that nobody has a share of yet.
     *
     * @param limitBytes 0 for no limit
     * @param threads where subscriptions are asked to make room
     * @param shortMillis the time for which memory counts as short after it was
     */
    MemoryBudget(long limitBytes, WakeUpTimer timer, Executor threads, LongSupplier wallMillis, long shortMillis) {
        this.limitBytes = limitBytes;
        this.timer = timer;
        this.threads = threads;
        this.wallMillis = wallMillis;
        this.shortMillis = shortMillis;
        // Memory that stays short does not count as enough between two looks.
        this.longestLookMillis = Math.max(LOOK_MILLIS, Math.min(LONGEST_LOOK_MILLIS, shortMillis / 2));
    }

    /** A holder of a share. */
    @FunctionalInterface
    interface Member {

        /** Takes less, now or soon, and reports. Called without a lock, by one thread at a time. */
        void makeRoom();
    }

    /** The share of one subscription. */
    final class Share {
        private final Member member;
        private long bytes;
        private boolean left;
        private volatile long askedMillis = Long.MIN_VALUE;

        private Share(Member member) {
            this.member = member;
        }

        /** Reports the bytes that the subscription takes now. */
        void report(long newBytes) {
            long more;
            synchronized (this) {
                more = left ? 0 : newBytes - bytes;
                bytes += more;
            }
            if (more != 0) {
                usedBytes.addAndGet(more);
                follow();
            }
        }

        /** Reports that the subscription takes nothing any more. */
        void leave() {
            long less;
            synchronized (this) {
                left = true;
                less = bytes;
                bytes = 0;
            }
            shares.remove(this);
            if (less != 0) {
                usedBytes.addAndGet(-less);
                follow();
            }
        }

        private synchronized long bytes() {
            return bytes;
        }
    }

    Share join(Member member) {
        Share share = new Share(member);
        shares.add(share);
        return share;
    }

    /** Whether there is a limit. */
    public boolean isLimited() {
        return limitBytes > 0;
    }

    boolean isOver() {
        return isLimited() && usedBytes.get() > limitBytes;
    }

    /** The time by which segments are loaded ahead now, where the given one is configured. */
    long loadAheadMillis(long configuredMillis) {
        return isLimited() && wallMillis.getAsLong() < shortUntilMillis ? whileShort(configuredMillis) : configuredMillis;
    }

    /** Segments that begin later than this from now are not needed while memory is short. */
    long farMillis(long configuredMillis) {
        return 2 * whileShort(configuredMillis);
    }

    private static long whileShort(long configuredMillis) {
        return Math.min(configuredMillis, Math.max(LEAST_AHEAD_MILLIS, Math.min(configuredMillis / LATER, MOST_AHEAD_MILLIS)));
    }

    void sealedEarly() {
        earlySeals.increment();
    }

    void unloaded() {
        unloads.increment();
    }

    private void follow() {
        WakeUpTimer.Armed noLonger = null;
        boolean look = false;
        synchronized (lock) {
            boolean over = isOver();
            boolean grown = armed != null && usedBytes.get() - lookedAtBytes > limitBytes / GROWN_PART;
            if (armed != null && (!over || grown)) {
                noLonger = armed;
                armed = null;
                looking = false;
            }
            if (over) {
                look = !looking;
                looking = true;
            } else if (!looking) {
                lookMillis = LOOK_MILLIS;
            }
        }
        if (noLonger != null) {
            noLonger.cancel();
        }
        if (look) {
            begin();
        }
    }

    private void begin() {
        try {
            threads.execute(this::look);
        } catch (Throwable e) {
            // The broker ends, or has no thread now: the next report begins again.
            synchronized (lock) {
                looking = false;
            }
        }
    }

    private void look() {
        try {
            if (isOver()) {
                shortUntilMillis = wallMillis.getAsLong() + shortMillis;
                askTheLargest(usedBytes.get() - limitBytes);
            }
        } finally {
            synchronized (lock) {
                looking = false;
                armed = isOver() ? timer.arm(nextLookMillis(), this::lookAgain) : null;
                looking = armed != null;
            }
        }
    }

    @GuardedBy("lock")
    private long nextLookMillis() {
        long bytes = usedBytes.get();
        long millis = bytes < lookedAtBytes ? LOOK_MILLIS : lookMillis;
        lookMillis = Math.min(2 * millis, longestLookMillis);
        lookedAtBytes = bytes;
        return millis;
    }

    private void lookAgain() {
        synchronized (lock) {
            if (armed == null) {
                return;
            }
            armed = null;
        }
        begin();
    }

    /** Asks the largest subscriptions to make room. Linear in the subscriptions, and a sort. */
    private void askTheLargest(long tooManyBytes) {
        long nowMillis = wallMillis.getAsLong();
        record Sized(Share share, long bytes) {
        }

        List<Sized> candidates = new ArrayList<>();
        for (Share share : shares) {
            if (share.askedMillis == Long.MIN_VALUE || Math.abs(nowMillis - share.askedMillis) >= REST_MILLIS) {
                candidates.add(new Sized(share, share.bytes()));
            }
        }
        candidates.sort(Comparator.comparingLong(Sized::bytes).reversed());
        long asked = 0;
        for (Sized candidate : candidates) {
            if (asked >= tooManyBytes || candidate.bytes() == 0) {
                return;
            }
            asked += candidate.bytes();
            candidate.share().askedMillis = nowMillis;
            try {
                candidate.share().member.makeRoom();
            } catch (Throwable e) {
                LOG.warn("A subscription could not make room; others are asked, and this one again later", e);
            }
        }
    }

    /** Of the broker. Fresh. */
    Samples samples() {
        return new Samples().put(USED, usedBytes.get()).put(LIMIT, limitBytes).put(EARLY_SEALS, earlySeals.sum())
                .put(UNLOADS, unloads.sum());
    }

    /**
     * The member of the budget for one subscription. It reports the bytes in memory and takes less when the budget asks: far
     * segments are unloaded, then the tail is sealed early if it is worth a ledger. Thread safe.
     */
    static final class MemoryRelief implements MemoryBudget.Member {

        private final GuardedIndex index;
        private final ChoreTasks tasks;
        private final SealChore seals;
        private final MemoryBudget budget;
        private final ChoreClock clock;
        private final long prefetchMillis;
        private final Runnable round;
        private final Runnable plan;
        private final MemoryBudget.Share share;

        /**
         * A member with an empty share.
         *
         * @param prefetchMillis how long before their first position is due segments are loaded
         * @param round begins a round, which seals
         * @param plan asks when to load next, and reports
         */
        MemoryRelief(GuardedIndex index, ChoreTasks tasks, SealChore seals, MemoryBudget budget, ChoreClock clock,
                long prefetchMillis, Runnable round, Runnable plan) {
            this.index = index;
            this.tasks = tasks;
            this.seals = seals;
            this.budget = budget;
            this.clock = clock;
            this.prefetchMillis = prefetchMillis;
            this.round = round;
            this.plan = plan;
            this.share = budget.join(this);
        }

        /** Reports the bytes in memory; not under the lock. */
        void report(long bytes) {
            share.report(bytes);
        }

        @Override
        public void makeRoom() {
            if (tasks.isClosed()) {
                return;
            }
            long afterMillis = clock.nowMillis() + budget.farMillis(prefetchMillis);
            boolean more = true;
            while (more && budget.isOver()) {
                more = index.changeAndGet(known -> known.memoryUse().unloadLatest(afterMillis)) >= 0;
                if (more) {
                    budget.unloaded();
                    share.report(index.read(known -> known.memoryUse().bytes()));
                }
            }
            if (budget.isOver() && seals.sealEarly()) {
                round.run();
            }
            plan.run();
        }

        void close() {
            share.leave();
        }
    }
}
