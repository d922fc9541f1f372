/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * The limit on the warnings of the storage that are written: one a minute of a subscription and twenty a minute of a broker.
 * There are two sorts, limited apart, so that an outage does not hide a defect: failures known from storage that is away, and
 * failures that nobody expected. Warnings that are held back are counted and told with the next line. Times are passed in; a
 * clock that was set back begins a new minute. Thread safe.
 */
final class Warnings {

    static final int LINES_A_MINUTE = 20;
    private static final long MINUTE_MILLIS = 60_000;

    private final Sort known = new Sort();
    private final Sort unexpected = new Sort();

    /** The warnings that one subscription has written and held back. */
    static final class Own {
        private final OwnSort known = new OwnSort();
        private final OwnSort unexpected = new OwnSort();
    }

    private static final class OwnSort {
        @GuardedBy("this")
        private long writtenMillis = Long.MIN_VALUE;
        @GuardedBy("this")
        private long heldBack;

        /** The number of warnings held back since the last one that was written; empty if this one is held back too. */
        private synchronized OptionalLong admit(Sort broker, long nowMillis) {
            boolean isRecent = writtenMillis != Long.MIN_VALUE && nowMillis >= writtenMillis
                    && nowMillis - writtenMillis < MINUTE_MILLIS;
            if (isRecent || !broker.admit(nowMillis)) {
                heldBack++;
                return OptionalLong.empty();
            }
            long told = heldBack;
            heldBack = 0;
            writtenMillis = nowMillis;
            return OptionalLong.of(told);
        }
    }

    private static final class Sort {
        @GuardedBy("this")
        private long minuteBegan = Long.MIN_VALUE;
        @GuardedBy("this")
        private int lines;

        private synchronized boolean admit(long nowMillis) {
            if (minuteBegan == Long.MIN_VALUE || nowMillis < minuteBegan || nowMillis - minuteBegan >= MINUTE_MILLIS) {
                minuteBegan = nowMillis;
                lines = 0;
            }
            lines++;
            return lines <= LINES_A_MINUTE;
        }
    }

    /**
     * Whether a warning is to be written now.
     *
     * @param isUnexpected whether nobody knows this failure
     * @return the number of the subscription's held back before it; empty if it is held back
     */
    OptionalLong admit(Own own, boolean isUnexpected, long nowMillis) {
        return isUnexpected ? own.unexpected.admit(unexpected, nowMillis) : own.known.admit(known, nowMillis);
    }

    /**
     * The writer of the warnings that {@link Warnings} lets through. A failure that storage is known to have is one line. A
     * failure that nobody expected carries its stack trace. Operations that this side has ended give no warning. Thread safe.
     */
    static final class WarningLines {

        private final Warnings warnings = new Warnings();
        private final LongSupplier wallMillis;

        WarningLines(LongSupplier wallMillis) {
            this.wallMillis = wallMillis;
        }

        void write(Logger log, Warnings.Own own, Object whose, String what, Throwable failure) {
            if (StorageException.isClosed(failure)) {
                return;
            }
            Throwable cause = Futures.cause(failure);
            boolean isUnexpected = !(cause instanceof StorageException known) || known.kind() == StorageException.Kind.UNEXPECTED;
            OptionalLong heldBack = warnings.admit(own, isUnexpected, wallMillis.getAsLong());
            if (heldBack.isEmpty()) {
                return;
            }
            String before = heldBack.getAsLong() == 0 ? "" : " (" + heldBack.getAsLong() + " like it were not written)";
            if (isUnexpected) {
                log.warn("[{}] {}{}", whose, what, before, cause);
            } else {
                log.warn("[{}] {}{}: {}", whose, what, before, cause.toString());
            }
        }
    }
}
