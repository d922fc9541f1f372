/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The queue of the calls that all subscriptions of a broker make to the storage and to metadata: {@code atATime} at a time, the
 * most urgent first, of equally urgent calls the oldest. So a restart does not ask for everything at once, and a segment that is
 * due is not read after a merge.
 *
 * <p>A call without an answer for 10 s is slow and makes room for another one, for {@code atATime} slow calls at most. Up to then
 * calls that hang hold up no others. Thread safe; nothing is called under the lock.
 */
final class StorageCalls {

    private static final long SLOW_MILLIS = 10_000;

    private final int atATime;
    private final WakeUpTimer timer;
    private final Executor threads;
    private final LongSupplier wallMillis;
    private final LongSupplier monotonicMillis;
    @GuardedBy("this")
    private final TreeSet<Turn> waiting = new TreeSet<>(
            Comparator.<Turn>comparingLong(turn -> turn.wantedMillis).thenComparingLong(turn -> turn.number));
    /** The turns under way, in the order in which they began. */
    @GuardedBy("this")
    private final Set<Turn> underWay = new LinkedHashSet<>();
    /** The number of turns under way that make room for others. */
    @GuardedBy("this")
    private int slow;
    @GuardedBy("this")
    private boolean isBeginning;
    @GuardedBy("this")
    private boolean isWatched;
    @GuardedBy("this")
    private long turns;

    /**
     * A queue in which nothing waits.
     *
     * @param atATime the number of calls under way at a time, 1 or more, besides slow ones up to the same number
     * @param threads the executor on which a call begins that has waited
     * @param wallMillis the clock that decides what is due
     * @param monotonicMillis a clock that never goes back, milliseconds from any origin
     */
    StorageCalls(int atATime, WakeUpTimer timer, Executor threads, LongSupplier wallMillis, LongSupplier monotonicMillis) {
        this.atATime = atATime;
        this.timer = timer;
        this.threads = threads;
        this.wallMillis = wallMillis;
        this.monotonicMillis = monotonicMillis;
    }

    /** The moment now, for calls that are wanted now, epoch milliseconds. */
    long nowMillis() {
        return wallMillis.getAsLong();
    }

    /** The turn of one call: it waits, is under way, or is over. */
    final class Turn {
        private final long wantedMillis;
        private final long number;
        private final Consumer<Turn> call;
        private long begunMillis;
        private boolean isSlow;

        private Turn(long wantedMillis, long number, Consumer<Turn> call) {
            this.wantedMillis = wantedMillis;
            this.number = number;
            this.call = call;
        }

        /** Takes it out of the queue; false if it waits no longer. */
        boolean leave() {
            synchronized (StorageCalls.this) {
                return waiting.remove(this);
            }
        }

        boolean isWaiting() {
            synchronized (StorageCalls.this) {
                return waiting.contains(this);
            }
        }

        /** Ends the turn of a call that was answered or given up. Idempotent. */
        void end() {
            synchronized (StorageCalls.this) {
                if (underWay.remove(this) && isSlow) {
                    slow--;
                }
            }
            beginWaiting();
            watch();
        }
    }

    /**
     * Asks for a turn.
     *
     * @param wantedMillis when the call is wanted, epoch milliseconds: the earlier, the more urgent
     * @param call makes the call and ends the turn when that is over. It runs before this method returns if there is room and
     *     nothing waits, and later on the threads otherwise
     */
    Turn ask(long wantedMillis, Consumer<Turn> call) {
        Turn turn;
        boolean begins;
        synchronized (this) {
            turn = new Turn(wantedMillis, turns++, call);
            begins = waiting.isEmpty() && hasRoom();
            if (begins) {
                begun(turn);
            } else {
                waiting.add(turn);
            }
        }
        if (begins) {
            call.accept(turn);
        } else {
            watch();
        }
        return turn;
    }

    /** A turn at once, ahead of the queue, for a call that ends the work of earlier ones. It counts as the others do. */
    Turn atOnce() {
        synchronized (this) {
            Turn turn = new Turn(Long.MIN_VALUE, turns++, any -> { });
            begun(turn);
            return turn;
        }
    }

    @GuardedBy("this")
    private boolean hasRoom() {
        return underWay.size() - slow < atATime;
    }

    @GuardedBy("this")
    private void begun(Turn turn) {
        turn.begunMillis = monotonicMillis.getAsLong();
        underWay.add(turn);
    }

    /** Begins waiting calls, one thread for all: a call that is over at once begins the next in its turn, not on its stack. */
    private void beginWaiting() {
        while (true) {
            Turn next;
            synchronized (this) {
                if (isBeginning || waiting.isEmpty() || !hasRoom()) {
                    return;
                }
                isBeginning = true;
                next = waiting.pollFirst();
                begun(next);
            }
            try {
                Futures.runOn(threads, () -> next.call.accept(next));
            } finally {
                synchronized (this) {
                    isBeginning = false;
                }
            }
        }
    }

    /** While calls wait: arms the timer to look at the calls under way when the oldest of them is slow. */
    private void watch() {
        long afterMillis;
        synchronized (this) {
            if (isWatched || waiting.isEmpty() || slow >= atATime) {
                return;
            }
            Optional<Turn> oldest = underWay.stream().filter(turn -> !turn.isSlow).findFirst();
            if (oldest.isEmpty()) {
                return;
            }
            afterMillis = Math.max(1, oldest.get().begunMillis + SLOW_MILLIS - monotonicMillis.getAsLong());
            isWatched = true;
        }
        try {
            timer.arm(afterMillis, this::look);
        } catch (Throwable e) {
            // The next call that waits or ends looks again.
            synchronized (this) {
                isWatched = false;
            }
        }
    }

    private void look() {
        synchronized (this) {
            isWatched = false;
            long slowSinceMillis = monotonicMillis.getAsLong() - SLOW_MILLIS;
            for (Turn turn : underWay) {
                if (slow < atATime && !turn.isSlow && turn.begunMillis <= slowSinceMillis) {
                    turn.isSlow = true;
                    slow++;
                }
            }
        }
        beginWaiting();
        watch();
    }

    synchronized int underWay() {
        return underWay.size();
    }

    synchronized int waiting() {
        return waiting.size();
    }
}
