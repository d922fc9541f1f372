/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.LongSupplier;

/**
 * The plan of the wake-ups of one subscription: at most one is armed, for the earliest due time, and is moved as rarely as
 * possible.
 *
 * <p>Policy. A wake-up is armed for the very millisecond it is wanted. An earlier one replaces it if it falls into an earlier
 * tick; within the tick only while an allowance of {@link #SPARE_MOVES} lasts, of which each wake-up that comes restores one. So
 * times in random order are met to the millisecond. Times that arrive in falling order cost one arming a tick and not one each; a
 * wake-up then comes up to one tick late. Wanted times farther away than the horizon are not armed: the factory's sweep, which
 * calls {@link #renew} once a minute, comes first, and finds out a wall clock that was set meanwhile.
 *
 * <p>While something is overdue the next wake-up follows one tick after the last, but only if the dispatcher asked for positions
 * in between. Otherwise the dispatcher has no permits or no consumers and asks by itself when it gets them, and the gaps double
 * up to a minute. A dispatcher that asked in vain, since all due positions wait for its normal read, asks by itself when that
 * read has ended. Positions that wait so want no wake-up before {@link #readLookMillis}, in gaps that double up to a second, or a
 * tick if that is longer, until the read goes on.
 *
 * <p>Thread safe; the monitor is a leaf, held for a few field accesses, the look at a published time and the timer's own arm or
 * cancel. Whoever publishes an earlier time calls {@link #want} after it. The task given to the timer runs without the monitor.
 * Time is passed in.
 */
public final class WakeUpPlan {

    /** Wanted times farther away than this are left to the sweep. */
    public static final long HORIZON_MILLIS = 120_000;
    /** The longest gap between wake-ups while something is overdue and nobody asks. */
    public static final long MAX_BACKOFF_MILLIS = 60_000;
    /** The longest gap, with a shorter tick, while the dispatcher asks and all overdue positions wait for its normal read. */
    public static final long MAX_READ_GAP_MILLIS = 1_000;

    /** How often a wake-up may be moved within its tick. */
    public static final int SPARE_MOVES = 16;

    private static final long NOT_ARMED = Long.MAX_VALUE;

    private final WakeUpTimer timer;
    private final Runnable task;

    @GuardedBy("this")
    private WakeUpTimer.Armed armed;
    @GuardedBy("this")
    private int backoffMillis;
    @GuardedBy("this")
    private short readGapMillis;
    /** The number of the latest arming. A wake-up that was replaced while it was about to run finds another number here. */
    @GuardedBy("this")
    private int generation;
    @GuardedBy("this")
    private boolean closed;
    @GuardedBy("this")
    private byte spareMoves = SPARE_MOVES;
    /** The time from which on a wanted time does not move the armed wake-up; read without the monitor to leave early. */
    private volatile long movedBelowMillis = NOT_ARMED;
    /** Whether the armed wake-up only looks after something overdue; it is void once nothing is. */
    private volatile boolean armedForGap;
    private volatile boolean askedSinceWakeUp;
    private volatile long readLookMillis;

    /**
     * A plan that has armed nothing yet.
     *
     * @param task the task of a wake-up, run on the timer's thread; nothing is armed by then
     */
    public WakeUpPlan(WakeUpTimer timer, Runnable task) {
        this.timer = timer;
        this.task = task;
    }

    /**
     * Whether {@link #want} would do anything for a time; without the monitor.
     *
     * @param wantedMillis epoch milliseconds; not after now while something overdue is to be handed out; Long.MAX_VALUE for never
     */
    public boolean isMovedBy(long wantedMillis, long nowMillis) {
        return wantedMillis <= nowMillis || armedForGap || wantedMillis < movedBelowMillis && !isFar(wantedMillis, nowMillis);
    }

    /** Says when a wake-up is wanted, as {@link #isMovedBy} has it. */
    public void want(long wantedMillis, long nowMillis, long tickMillis) {
        if (isMovedBy(wantedMillis, nowMillis)) {
            want(() -> wantedMillis, nowMillis, tickMillis);
        }
    }

    /**
     * Says that a wake-up may be wanted at another time than before.
     *
     * @param wantedMillis the time as published last before this call or since; asked under the monitor, since an older answer
     *     could disarm a wake-up that another thread has armed meanwhile for a time published later
     */
    public synchronized void want(LongSupplier wantedMillis, long nowMillis, long tickMillis) {
        if (!closed) {
            arm(wantedMillis.getAsLong(), nowMillis, overdueGapMillis(tickMillis), tickMillis);
        }
    }

    /**
     * Renews the wake-up by a wall clock that may have been set since the last call: a wake-up that is armed for a time is armed
     * anew.
     *
     * @param wantedMillis asked after the wake-up was disarmed, so that no time published meanwhile is missed
     */
    public synchronized void renew(LongSupplier wantedMillis, long nowMillis, long tickMillis) {
        endReadGap();
        if (armed != null && !armedForGap) {
            armAnew(wantedMillis, nowMillis, tickMillis);
        } else {
            want(wantedMillis, nowMillis, tickMillis);
        }
    }

    /** Renews the wake-up by another tick: a wake-up that is armed by the tick before is armed anew. */
    public synchronized void tickChanged(LongSupplier wantedMillis, long nowMillis, long tickMillis) {
        armAnew(wantedMillis, nowMillis, tickMillis);
    }

    /** A wake-up that was armed for a time which has come by now comes at once. */
    @GuardedBy("this")
    private void armAnew(LongSupplier wantedMillis, long nowMillis, long tickMillis) {
        boolean isForATime = armed != null && !armedForGap;
        disarm();
        if (!closed) {
            arm(wantedMillis.getAsLong(), nowMillis, isForATime ? 0 : overdueGapMillis(tickMillis), tickMillis);
        }
    }

    @GuardedBy("this")
    private void arm(long wantedMillis, long nowMillis, long overdueGapMillis, long tickMillis) {
        boolean overdue = wantedMillis <= nowMillis;
        if (armedForGap && !overdue) {
            disarm();
        }
        long atMillis = overdue ? nowMillis + overdueGapMillis : wantedMillis;
        if (atMillis >= movedBelowMillis || isFar(atMillis, nowMillis)) {
            return;
        }
        boolean moved = armed != null;
        disarm();
        int armedGeneration = ++generation;
        // First: if this throws nothing is armed, and the next call that wants a wake-up arms one.
        armed = timer.arm(atMillis - nowMillis, () -> fire(armedGeneration, tickMillis));
        armedForGap = overdue;
        if (moved && spareMoves > 0) {
            spareMoves--;
        }
        movedBelowMillis = spareMoves > 0 ? atMillis : atMillis - Math.floorMod(atMillis, tickMillis);
    }

    /**
     * Notes that the dispatcher asked for positions: it has permits and will ask again.
     *
     * @param inVain whether all due positions wait for the normal read
     */
    public void asked(boolean inVain, long nowMillis, long tickMillis) {
        if (inVain || readLookMillis != 0) {
            askedAboutARead(inVain, nowMillis, tickMillis);
        }
        if (!askedSinceWakeUp) {
            askedSinceWakeUp = true;
        }
    }

    private synchronized void askedAboutARead(boolean inVain, long nowMillis, long tickMillis) {
        if (!inVain) {
            endReadGap();
        } else if (nowMillis >= readLookMillis) {
            readGapMillis = (short) Math.min(MAX_READ_GAP_MILLIS, Math.max(tickMillis, 2L * readGapMillis));
            readLookMillis = nowMillis + Math.max(tickMillis, readGapMillis);
        }
    }

    /** Notes that a normal read goes on: due positions may stand below it now. True if that changes when a wake-up is wanted. */
    public boolean readGoesOn() {
        boolean waited = readLookMillis != 0;
        if (waited) {
            endReadGap();
        }
        return waited;
    }

    private synchronized void endReadGap() {
        readGapMillis = 0;
        readLookMillis = 0;
    }

    /** The time before which positions that wait for the normal read want no wake-up; 0: they want one when they are due. */
    public long readLookMillis() {
        return readLookMillis;
    }

    /** Whether the dispatcher has asked for positions since the last wake-up. */
    public boolean wasAsked() {
        return askedSinceWakeUp;
    }

    /** Whether a wake-up is armed. */
    public boolean isArmed() {
        return movedBelowMillis != NOT_ARMED;
    }

    /** Cancels the armed wake-up; the next call may arm again. */
    public synchronized void rest() {
        disarm();
    }

    /** Cancels the wake-up for good. */
    public void close() {
        synchronized (this) {
            closed = true;
            disarm();
        }
    }

    private void fire(int firedGeneration, long tickMillis) {
        synchronized (this) {
            if (closed || firedGeneration != generation) {
                return;
            }
            armed = null;
            armedForGap = false;
            movedBelowMillis = NOT_ARMED;
            spareMoves = (byte) Math.min(SPARE_MOVES, spareMoves + 1);
            backoffMillis = askedSinceWakeUp ? 0 : (int) Math.min(MAX_BACKOFF_MILLIS, Math.max(tickMillis, 2L * backoffMillis));
            askedSinceWakeUp = false;
        }
        task.run();
    }

    @GuardedBy("this")
    private void disarm() {
        if (armed != null) {
            armed.cancel();
            armed = null;
            generation++;
        }
        armedForGap = false;
        movedBelowMillis = NOT_ARMED;
    }

    private static boolean isFar(long atMillis, long nowMillis) {
        return atMillis - HORIZON_MILLIS > nowMillis;
    }

    @GuardedBy("this")
    private long overdueGapMillis(long tickMillis) {
        return askedSinceWakeUp ? tickMillis : Math.max(tickMillis, backoffMillis);
    }
}
