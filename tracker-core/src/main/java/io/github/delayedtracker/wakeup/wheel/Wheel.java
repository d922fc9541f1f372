/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

/**
 * One level of a {@link TimingWheel}: 64 slots, each for 64 times as many ticks as a slot of the level below, and one word that
 * says which of them hold tasks. So the non-empty slots are always in order, and an emptied slot leaves at once.
 *
 * <p>The slot of a task is the digit of its deadline at this level, in base 64; the digits above are the digits of the wheel's
 * time. Not thread safe.
 */
final class Wheel {

    static final int DIGIT_BITS = 6;
    private static final int SLOTS = 1 << DIGIT_BITS;

    private final int level;
    private final Slot[] slots = new Slot[SLOTS];
    private long nonEmpty;

    Wheel(int level) {
        this.level = level;
        for (int i = 0; i < SLOTS; i++) {
            slots[i] = new Slot(this, i);
        }
    }

    /** The tasks of one slot. */
    static final class Slot extends Link {
        private final Wheel wheel;
        private final int index;
        /** A tick not after any deadline in the slot; it may be before all of them once a task was cancelled. */
        private long earliestTick;

        Slot(Wheel wheel, int index) {
            this.wheel = wheel;
            this.index = index;
            makeHead();
        }

        Wheel wheel() {
            return wheel;
        }

        long earliestTick() {
            return earliestTick;
        }

        /** Marks the slot as empty, which it has become. */
        void leave() {
            wheel.nonEmpty &= ~(1L << index);
        }
    }

    boolean isEmpty() {
        return nonEmpty == 0;
    }

    int level() {
        return level;
    }

    void add(Task task) {
        int index = (int) (task.deadlineTick() >>> level * DIGIT_BITS) & SLOTS - 1;
        Slot slot = slots[index];
        long bit = 1L << index;
        if ((nonEmpty & bit) == 0) {
            nonEmpty |= bit;
            slot.earliestTick = task.deadlineTick();
        } else if (task.deadlineTick() < slot.earliestTick) {
            slot.earliestTick = task.deadlineTick();
        }
        slot.append(task);
    }

    /** The non-empty slot that is reached first, of a level that is not empty. */
    Slot first() {
        return slots[Long.numberOfTrailingZeros(nonEmpty)];
    }

    /** The tick at which the first slot is reached: the digits above are now's, the digits below are 0. */
    long firstTick(long nowTick) {
        int shift = level * DIGIT_BITS;
        long above = nowTick >>> shift >>> DIGIT_BITS;
        return (above << DIGIT_BITS | Long.numberOfTrailingZeros(nonEmpty)) << shift;
    }
}
