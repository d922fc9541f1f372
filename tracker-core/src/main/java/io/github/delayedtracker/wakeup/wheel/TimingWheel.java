/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

/**
 * A holder of tasks until their deadlines, in ticks from 0 to Long.MAX_VALUE.
 *
 * <p>Policy. Level k has 64 slots of 64^k ticks and exists from the first task on that needs it, 11 of them at most. A task is in
 * the level of the highest base-64 digit in which its deadline differs from the time now, in the slot of that digit. So every
 * task of a level comes before every task of the levels above, and the next slot is the lowest bit of the lowest level that is
 * not empty. When time reaches a slot of level 0 its tasks are due; when it reaches a coarser slot, its tasks are placed anew,
 * each in a finer level or among the due. Tasks that become due while others still wait for their turn are taken in turn with
 * them, so a tick with very many tasks does not hold up the next. A level is made with all below it, so that a task on its way
 * down needs no memory: only {@link #arm} may fail for want of it, and has done nothing then.
 *
 * <p>Arm and cancel are O(1) and touch a constant number of links; a cancelled task is gone at once and {@link #size} is exact. A
 * task is placed anew at most 10 times in its life. {@link #advance} does no more than it is told to. Memory: the tasks
 * themselves, and some 2.4 kB for each level in use. Time is passed in and never goes back. Not thread safe.
 */
final class TimingWheel {

    /** The answer when no task is held: none will come due. */
    static final long NEVER = Long.MAX_VALUE;

    private static final int LEVELS = (Long.SIZE - 1 + Wheel.DIGIT_BITS - 1) / Wheel.DIGIT_BITS;

    /** A list that is not a slot. */
    private static final class Queue extends Link {
        Queue() {
            makeHead();
        }
    }

    private final Wheel[] wheels = new Wheel[LEVELS];
    /** Bit k: level k holds tasks. */
    private int nonEmpty;
    private long nowTick;
    private int size;
    /** Tasks of a coarse slot that time has reached, to be placed anew. */
    private final Queue moving = new Queue();
    /** Due tasks whose turn has come, and tasks that fell due while there were some: one of each is taken in turn. */
    private final Queue due = new Queue();
    private final Queue dueLater = new Queue();
    private boolean laterIsNext;

    /** The number of tasks held, due or not. */
    int size() {
        return size;
    }

    /** The tick that time has come to. */
    long nowTick() {
        return nowTick;
    }

    /** Adds a task that is in no wheel; a task whose deadline is not after now is due at once. */
    void arm(Task task) {
        place(task);
        size++;
    }

    /**
     * Removes a task.
     *
     * @return false if it is not held any more
     */
    boolean cancel(Task task) {
        if (!task.isLinked()) {
            return false;
        }
        unlink(task);
        size--;
        return true;
    }

    /** Whether {@link #advance} and {@link #takeDue} have something to do without waiting. */
    boolean isBusy() {
        return !moving.isAlone() || !due.isAlone() || !dueLater.isAlone();
    }

    /**
     * The tick when something has to be done next, not after the earliest deadline; now while the wheel is busy; {@link #NEVER}
     * when it is empty. The tick is the earliest deadline itself unless a task was cancelled since.
     */
    long nextTick() {
        if (isBusy()) {
            return nowTick;
        }
        return nonEmpty == 0 ? NEVER : lowest().first().earliestTick();
    }

    /**
     * Lets time go on if that costs nothing, that is if no slot is reached. New tasks are then placed by a later time, in finer
     * levels.
     */
    void advanceFreely(long toTick) {
        if (toTick > nowTick && (nonEmpty == 0 || lowest().firstTick(nowTick) > toTick)) {
            nowTick = toTick;
        }
    }

    /**
     * Lets time go on, and stops after a number of steps: a slot reached, or a task placed anew.
     *
     * @return whether time has come to toTick; if not, call again
     */
    boolean advance(long toTick, int steps) {
        for (int step = 0; step < steps; step++) {
            if (!moving.isAlone()) {
                Task task = (Task) moving.next();
                task.unlink();
                place(task);
            } else if (nonEmpty != 0 && lowest().firstTick(nowTick) <= toTick) {
                reach(lowest());
            } else {
                nowTick = Math.max(nowTick, toTick);
                return true;
            }
        }
        return false;
    }

    /** Removes and returns the due task whose turn it is, or null. */
    Task takeDue() {
        if (due.isAlone()) {
            due.appendAllOf(dueLater);
            laterIsNext = false;
            if (due.isAlone()) {
                return null;
            }
        }
        boolean later = laterIsNext && !dueLater.isAlone();
        laterIsNext = !laterIsNext;
        Task task = (Task) (later ? dueLater : due).next();
        task.unlink();
        size--;
        return task;
    }

    private Wheel lowest() {
        return wheels[Integer.numberOfTrailingZeros(nonEmpty)];
    }

    private void place(Task task) {
        long deadlineTick = task.deadlineTick();
        if (deadlineTick <= nowTick) {
            dueQueue().append(task);
            return;
        }
        int level = (Long.SIZE - 1 - Long.numberOfLeadingZeros(deadlineTick ^ nowTick)) / Wheel.DIGIT_BITS;
        wheel(level).add(task);
        nonEmpty |= 1 << level;
    }

    private Wheel wheel(int level) {
        for (int below = 0; wheels[level] == null; below++) {
            if (wheels[below] == null) {
                wheels[below] = new Wheel(below);
            }
        }
        return wheels[level];
    }

    private void reach(Wheel wheel) {
        Wheel.Slot slot = wheel.first();
        nowTick = wheel.firstTick(nowTick);
        (wheel.level() == 0 ? dueQueue() : moving).appendAllOf(slot);
        emptied(slot);
    }

    private Queue dueQueue() {
        return due.isAlone() ? due : dueLater;
    }

    private void unlink(Task task) {
        if (task.unlink() instanceof Wheel.Slot slot) {
            emptied(slot);
        }
    }

    private void emptied(Wheel.Slot slot) {
        slot.leave();
        if (slot.wheel().isEmpty()) {
            nonEmpty &= ~(1 << slot.wheel().level());
        }
    }
}
