/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;

/**
 * The work that an index passes on, done by other threads. What was done to the index before stands, so a call that has added a
 * position does not fail where there is no thread for the work: an index does by itself what was never done, or is asked again
 * by the sweep. Without an object for each index, of which a broker has many. Thread safe.
 */
final class PassedOnWork {

    private static final LongAdder DROPPED = new LongAdder();

    private PassedOnWork() {
    }

    /** Has it done, if there is any and a thread for it. */
    static void pass(Optional<Runnable> work, Executor threads) {
        try {
            work.ifPresent(threads::execute);
        } catch (RuntimeException | Error e) {
            DROPPED.increment();
        }
    }

    /** How often there was no thread, for any index. */
    static long dropped() {
        return DROPPED.sum();
    }
}
