/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * The limit on the warnings of a broker that its trackers write for failures of storage, which are expected now and then: one a
 * minute of a subscription and {@value #LINES_A_MINUTE} a minute of the broker. Warnings that are held back are counted and told
 * with the next line. A clock that was set back begins a new minute. Thread safe.
 */
final class StorageWarnings {

    static final int LINES_A_MINUTE = 20;
    private static final long MINUTE_MILLIS = 60_000;

    private final LongSupplier clock;
    @GuardedBy("this")
    private long minuteBegan = Long.MIN_VALUE;
    /** The subscriptions that have written in this minute. */
    @GuardedBy("this")
    private final Set<String> written = new HashSet<>();
    @GuardedBy("this")
    private long heldBack;

    /** With the clock of the minutes, epoch milliseconds. */
    StorageWarnings(LongSupplier clock) {
        this.clock = clock;
    }

    /** Writes a line that begins with the subscription, unless it is held back. */
    void write(Logger log, String subscription, String text) {
        OptionalLong before = admit(subscription);
        if (before.isPresent()) {
            log.warn("[{}] {}{}", subscription, text,
                    before.getAsLong() == 0 ? "" : " (" + before.getAsLong() + " such lines of the broker were not written)");
        }
    }

    private synchronized OptionalLong admit(String subscription) {
        long nowMillis = clock.getAsLong();
        if (minuteBegan == Long.MIN_VALUE || nowMillis < minuteBegan || nowMillis - minuteBegan >= MINUTE_MILLIS) {
            minuteBegan = nowMillis;
            written.clear();
        }
        if (written.size() == LINES_A_MINUTE || !written.add(subscription)) {
            heldBack++;
            return OptionalLong.empty();
        }
        long told = heldBack;
        heldBack = 0;
        return OptionalLong.of(told);
    }
}
