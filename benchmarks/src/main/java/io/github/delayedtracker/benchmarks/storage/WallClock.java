/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import java.util.concurrent.TimeUnit;

/** The time of day to the microsecond, as it was at the start and on from there steadily. Thread safe. */
final class WallClock {

    private final long startMicros = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    private final long startNanos = System.nanoTime();

    long micros() {
        return startMicros + TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startNanos);
    }

    long millis() {
        return TimeUnit.MICROSECONDS.toMillis(micros());
    }
}
