/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

/** The one place that asks the machine for the time; everything else has it passed in. */
final class SystemClock {

    private SystemClock() {
    }

    /** The broker's wall clock, by which positions are due. Epoch milliseconds. */
    static long nowMillis() {
        return System.currentTimeMillis();
    }

    /** A clock that never goes back, for durations. Nanoseconds from any origin. */
    static long nanoTime() {
        return System.nanoTime();
    }
}
