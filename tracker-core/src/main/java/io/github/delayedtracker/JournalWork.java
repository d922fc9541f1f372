/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

/** The steps of a journal on the factory's worker. One that gets no thread is begun a second later: nobody else would. */
record JournalWork(TrackerServices services, FailureLog failures) {

    private static final long AGAIN_MILLIS = 1_000;

    /** Begins a step, now or later. */
    void begin(Runnable step) {
        try {
            services.worker().execute(step);
        } catch (RuntimeException | Error e) {
            failures.report("journal", e, false);
            services.timer().arm(AGAIN_MILLIS, () -> begin(step));
        }
    }
}
