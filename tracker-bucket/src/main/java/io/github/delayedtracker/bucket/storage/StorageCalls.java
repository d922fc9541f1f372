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
 * The queue of the calls that all subscriptions of a broker make to the storage and to metadata: a number of them at a time, the
 * most urgent first, of equally urgent ones the oldest. So a restart does not ask for everything at once, and a segment that is
 * due is not read after a merge.
 *
 * <p>A call that has no answer for long makes room for another one, up to as many again: calls that hang hold up nobody else
 * until there are too many of them. Thread safe; nothing is called under the lock.
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
    /** In the order in which they began. */
    @GuardedBy("this")
    private final Set<Turn> underWay = new LinkedHashSet<>();
    /** How many of those under way make room for others. */
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
     * @param atATime how many calls are under way at a time, 1 or more, and as many more where as many are slow
     * @param threads where a call begins that has waited
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

    /** A call that is wanted at this moment is wanted now: epoch milliseconds. */
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

        /** The call was answered or given up. Idempotent. */
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
     * @param call makes the call and ends the turn when that is over: asked before this answers if there is room and nothing
     *     waits, later upon the threads otherwise
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

    /** A turn at once, whatever waits, for a call that ends what others have begun. It counts as the others do. */
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

    /** One thread does it for all: a call that is over at once begins the next one in its turn, not on its stack. */
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

    /** While calls wait: has the others looked at when the oldest of them is slow. */
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
