/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import java.util.concurrent.atomic.LongAdder;

/** What one tracker has done since it was made. Counts only grow; any thread may write and read them. */
final class TrackerCounters {

    private final LongAdder offers = new LongAdder();
    private final LongAdder handedOut = new LongAdder();
    private final LongAdder droppedAtHandOut = new LongAdder();
    private final LongAdder wakeUps = new LongAdder();

    void offered() {
        offers.increment();
    }

    void handedOut(int positions) {
        handedOut.add(positions);
    }

    void droppedAtHandOut() {
        droppedAtHandOut.increment();
    }

    void wokenUp() {
        wakeUps.increment();
    }

    long offers() {
        return offers.sum();
    }

    long handedOut() {
        return handedOut.sum();
    }

    long dropped() {
        return droppedAtHandOut.sum();
    }

    long wakeUps() {
        return wakeUps.sum();
    }
}
