/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

/** A task with a deadline that a {@link TimingWheel} can hold; it is its own link cell. Not thread safe. */
abstract class Task extends Link {

    private final long deadlineTick;

    /**
     * A task in no wheel.
     *
     * @param deadlineTick the first tick at which it is due, 0 to Long.MAX_VALUE
     */
    Task(long deadlineTick) {
        if (deadlineTick < 0) {
            throw new IllegalArgumentException("deadlineTick must be 0 or more: " + deadlineTick);
        }
        this.deadlineTick = deadlineTick;
    }

    final long deadlineTick() {
        return deadlineTick;
    }
}
