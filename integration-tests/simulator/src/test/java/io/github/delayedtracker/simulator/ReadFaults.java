/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/** The faults of reads to come: some fail, one hangs. */
final class ReadFaults {

    private final Scheduler scheduler;
    private int readsToFail;
    private long hangMillis;
    private boolean hangsReplay;
    private long hangsUntilMillis;

    ReadFaults(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** How long a read takes: a hang waits for the kind of read it is meant for. */
    long latency(long usualMillis, boolean replay) {
        long millis = usualMillis;
        if (hangMillis > 0 && replay == hangsReplay) {
            millis += hangMillis;
            hangsUntilMillis = Math.max(hangsUntilMillis, scheduler.nowMillis() + millis);
            hangMillis = 0;
        }
        return millis;
    }

    boolean fails() {
        if (readsToFail > 0) {
            readsToFail--;
            return true;
        }
        return false;
    }

    void fail(int count) {
        readsToFail = count;
    }

    void hangNext(long millis, boolean replay) {
        hangMillis = millis;
        hangsReplay = replay;
    }

    void end() {
        readsToFail = 0;
        hangMillis = 0;
    }

    /** Whether one fails or hangs. */
    boolean areDue() {
        return readsToFail > 0 || hangsUntilMillis > scheduler.nowMillis();
    }
}
