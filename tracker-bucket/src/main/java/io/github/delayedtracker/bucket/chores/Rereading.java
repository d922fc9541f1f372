/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.bucket.index.Losses;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.EnumSet;
import java.util.Set;

/**
 * The reading of one subscription's lost positions from the topic again, in bursts that the broker's {@link RereadLimit} grants.
 * After a burst it rests for as long as the burst took, so that other messages of the topic have half of the time. After a burst
 * of which nothing came back it rests for longer and longer.
 *
 * <p>A subscription whose dispatcher takes nothing keeps no part of the limit. One position is <em>tried</em> first, which takes
 * no share. A burst is asked for only once that position was handed out. Thread safe.
 */
final class Rereading implements RereadLimit.Member {

    /** The time between two looks for the position that is tried. */
    private static final long TRY_MILLIS = 1_000;
    /** The time to the first look after a burst that is not told to be back; each next look takes twice as long. */
    private static final long FIRST_LOOK_MILLIS = 20;
    /** The longest time of a burst, whatever has come back. */
    private static final long BURST_MILLIS = 5_000;
    private static final long LEAST_REST_MILLIS = 1;
    private static final long FIRST_BACK_OFF_MILLIS = 1_000;
    private static final long LONGEST_BACK_OFF_MILLIS = 60_000;

    /** The phase of the reading. */
    private enum Phase {
        /** Nothing is lost. */
        IDLE,
        /** One position may be handed out. */
        TRYING,
        /** A burst is asked for. */
        WAITING,
        /** A burst may be handed out, or is, and is awaited. */
        READING,
        /** Nothing may be handed out for a time. */
        RESTING,
        CLOSED;

        Set<Phase> predecessors() {
            return switch (this) {
                case IDLE -> EnumSet.of(TRYING, WAITING, READING, RESTING);
                case TRYING -> EnumSet.of(IDLE, RESTING, READING);
                case WAITING -> EnumSet.of(TRYING, RESTING);
                case READING -> EnumSet.of(WAITING);
                case RESTING -> EnumSet.of(READING);
                case CLOSED -> EnumSet.complementOf(EnumSet.of(CLOSED));
            };
        }
    }

    /** The state of the positions that were allowed last, from the index. */
    private record Seen(long lost, int handedOut, long awaited, boolean isBack) {
    }

    private final IndexHost host;
    private final GuardedIndex index;
    private final ChoreTasks tasks;
    private final ChoreClock clock;
    private final ChoreLog log;
    private final RereadLimit limit;
    private final Runnable whenLess;
    @GuardedBy("this")
    private Phase phase = Phase.IDLE;
    @GuardedBy("this")
    private WakeUpTimer.Armed armed = () -> { };
    @GuardedBy("this")
    private int granted;
    /** How many of them were handed out at the last look. */
    @GuardedBy("this")
    private int taken;
    @GuardedBy("this")
    private long grantedMillis;
    /** How long a burst has been looked after. */
    @GuardedBy("this")
    private long lookedMillis;
    @GuardedBy("this")
    private long backOffMillis = FIRST_BACK_OFF_MILLIS;

    /**
     * For a subscription that has lost nothing.
     *
     * @param whenLess told when a burst is over: it may be another bucket's turn to be given up
     */
    Rereading(IndexHost host, GuardedIndex index, ChoreTasks tasks, RereadLimit limit, ChoreClock clock, ChoreLog log,
            Runnable whenLess) {
        this.host = host;
        this.index = index;
        this.tasks = tasks;
        this.limit = limit;
        this.clock = clock;
        this.log = log;
        this.whenLess = whenLess;
        index.change(known -> known.losses().onBack(this::look));
    }

    /** Whether nothing was lost when it was looked at last. */
    synchronized boolean isIdle() {
        return phase == Phase.IDLE;
    }

    /** Looks at what is lost and what has come back; not under the lock of the index. */
    void look() {
        guarded(this::lookNow);
    }

    /** Runs a step. A failed step holds nothing: the next look begins anew. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            log.warn("Reading lost positions again has failed; it is begun anew", e);
            reset(Phase.IDLE);
        }
    }

    /** Gives back what was granted, and waits for nothing any more. */
    private void reset(Phase to) {
        int left;
        synchronized (this) {
            if (phase == Phase.CLOSED || phase == to) {
                return;
            }
            become(to);
            left = granted;
            granted = 0;
        }
        limit.leave(this);
        if (left > 0) {
            limit.unused(left);
        }
    }

    private void lookNow() {
        Seen seen = seen();
        Runnable next = () -> { };
        synchronized (this) {
            switch (phase) {
                case IDLE -> next = seen.lost() > 0 ? tryOne() : next;
                case TRYING -> next = seen.lost() == 0 ? become(Phase.IDLE) : seen.handedOut() > 0 ? ask() : next;
                case READING -> next = seen.isBack() ? over(seen, true) : next;
                case WAITING, RESTING, CLOSED -> { }
                default -> throw new IllegalStateException("a phase without a rule: " + phase);
            }
        }
        next.run();
    }

    /** Changes the phase, which nothing else does, and cancels what was armed for the one before. Answers the next step. */
    @GuardedBy("this")
    private Runnable become(Phase to) {
        if (!to.predecessors().contains(phase)) {
            throw new IllegalStateException("reading again may not go from " + phase + " to " + to);
        }
        phase = to;
        armed.cancel();
        armed = () -> { };
        return to == Phase.IDLE ? whenLess : () -> { };
    }

    @GuardedBy("this")
    private Runnable tryOne() {
        become(Phase.TRYING);
        return () -> {
            index.change(known -> known.losses().allow(1));
            arm(Phase.TRYING, TRY_MILLIS, this::lookAgain);
        };
    }

    private void lookAgain() {
        arm(Phase.TRYING, TRY_MILLIS, this::lookAgain);
        look();
    }

    @GuardedBy("this")
    private Runnable ask() {
        become(Phase.WAITING);
        return () -> {
            index.change(known -> known.losses().allow(0));
            limit.ask(this);
        };
    }

    private void arm(Phase during, long millis, Runnable then) {
        synchronized (this) {
            if (phase == during) {
                armed.cancel();
                armed = tasks.after(millis, () -> begin(during, then));
            }
        }
    }

    /** On the timer's thread. Nobody else would begin the step where no thread can be had for it. */
    private void begin(Phase during, Runnable step) {
        try {
            tasks.soon(() -> guarded(step));
        } catch (Throwable e) {
            log.warn("A step of reading lost positions again has no thread; it is begun later", e);
            arm(during, TRY_MILLIS, step);
        }
    }

    @Override
    public void granted(int positions) {
        guarded(() -> begin(positions));
    }

    @Override
    public void refused() {
        reset(Phase.IDLE);
    }

    private void begin(int positions) {
        boolean wanted;
        synchronized (this) {
            wanted = phase == Phase.WAITING;
            if (wanted) {
                become(Phase.READING);
                granted = positions;
                grantedMillis = clock.nowMillis();
                lookedMillis = 0;
                taken = 0;
            }
        }
        if (!wanted) {
            limit.unused(positions);
            return;
        }
        index.change(known -> known.losses().allow(positions));
        arm(Phase.READING, FIRST_LOOK_MILLIS, this::lookAfter);
        host.wake();
    }

    private void lookAfter() {
        look();
        Seen seen = seen();
        Runnable next = () -> { };
        synchronized (this) {
            if (phase == Phase.READING) {
                lookedMillis = Math.max(FIRST_LOOK_MILLIS, 2 * lookedMillis);
                long nextMillis = Math.min(lookedMillis, BURST_MILLIS - lookedMillis);
                boolean takes = seen.handedOut() > taken && seen.handedOut() < granted;
                taken = seen.handedOut();
                next = nextMillis <= 0 ? over(seen, false) : () -> waitOn(nextMillis, takes);
            }
        }
        next.run();
    }

    /** A dispatcher that has got messages of consumers that take nothing does not ask for the others by itself. */
    private void waitOn(long millis, boolean wake) {
        arm(Phase.READING, millis, this::lookAfter);
        if (wake) {
            host.wake();
        }
    }

    /** The present state. Nothing comes back to the index where the broker sends handed out positions without a new offer. */
    private Seen seen() {
        boolean comesBack = host.offersAgain();
        return index.read(known -> {
            Losses losses = known.losses();
            return comesBack ? new Seen(losses.positions(), losses.handedOut(), losses.awaited(), losses.isBack())
                    : new Seen(losses.positions(), losses.handedOut(), 0, losses.isHandedOut());
        });
    }

    /** Ends the burst. */
    @GuardedBy("this")
    private Runnable over(Seen seen, boolean back) {
        int positions = granted;
        long tookMillis = Math.max(0, Math.min(clock.nowMillis() - grantedMillis, BURST_MILLIS));
        // Where a part has come back the broker reads: the others wait for consumers of their keys, and say nothing about reads.
        boolean failed = !back && seen.handedOut() > 0 && seen.awaited() == seen.handedOut();
        granted = 0;
        if (failed && seen.lost() == 0) {
            // Nothing is left to wait with; the next bucket begins anew.
            backOffMillis = FIRST_BACK_OFF_MILLIS;
            Runnable idle = become(Phase.IDLE);
            return () -> {
                limit.failed(positions);
                index.change(known -> known.losses().allow(0));
                idle.run();
            };
        }
        become(Phase.RESTING);
        if (failed) {
            long restMillis = backOffMillis;
            backOffMillis = Math.min(LONGEST_BACK_OFF_MILLIS, 2 * backOffMillis);
            return () -> rest(restMillis, this::goOnByTrying, () -> limit.failed(positions));
        }
        backOffMillis = FIRST_BACK_OFF_MILLIS;
        return back ? () -> rest(Math.max(LEAST_REST_MILLIS, tookMillis), this::goOn, () -> limit.back(positions, tookMillis))
                : () -> rest(LEAST_REST_MILLIS, this::goOnByTrying, () -> limit.unused(positions));
    }

    private void rest(long millis, Runnable then, Runnable giveBack) {
        giveBack.run();
        index.change(known -> known.losses().allow(0));
        arm(Phase.RESTING, millis, then);
        whenLess.run();
    }

    private void goOn() {
        afterRest(true);
    }

    private void goOnByTrying() {
        afterRest(false);
    }

    private void afterRest(boolean burst) {
        long lost = index.read(known -> known.losses().positions());
        Runnable next = () -> { };
        synchronized (this) {
            if (phase == Phase.RESTING) {
                next = lost == 0 ? become(Phase.IDLE) : burst ? ask() : tryOne();
            }
        }
        next.run();
    }

    /** Nothing is handed out any more, and what was granted is given back. */
    void close() {
        reset(Phase.CLOSED);
    }
}
