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
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * The limit on the warnings of the storage that are written: one a minute of a subscription and twenty a minute of a broker.
 * Each {@link Sort} is limited apart, so that an outage hides neither a loss nor a defect. Warnings that are held back are
 * counted and told with the next line of their sort. Times are passed in; a clock that was set back begins a new minute.
 * Thread safe.
 */
final class Warnings {

    static final int LINES_A_MINUTE = 20;
    private static final long MINUTE_MILLIS = 60_000;

    /** What a warning tells of. */
    enum Sort {
        /** Storage that is away; what failed is tried again. */
        TRIED_AGAIN,
        /** Something stored that is not used any more; the topic is read instead. */
        LOST,
        /** A failure that nobody expected. */
        UNEXPECTED
    }

    private final Map<Sort, OfBroker> ofBroker = ofEachSort(OfBroker::new);

    private static <T> Map<Sort, T> ofEachSort(Supplier<T> one) {
        Map<Sort, T> all = new EnumMap<>(Sort.class);
        for (Sort sort : Sort.values()) {
            all.put(sort, one.get());
        }
        return all;
    }

    /** The warnings that one subscription has written and held back. */
    static final class Own {
        private final Map<Sort, OwnLines> lines = ofEachSort(OwnLines::new);
    }

    private static final class OwnLines {
        @GuardedBy("this")
        private long writtenMillis = Long.MIN_VALUE;
        @GuardedBy("this")
        private long heldBack;

        /** The number of warnings held back since the last one that was written; empty if this one is held back too. */
        private synchronized OptionalLong admit(OfBroker broker, long nowMillis) {
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

    private static final class OfBroker {
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
     * @return the number of the subscription's held back before it; empty if it is held back
     */
    OptionalLong admit(Own own, Sort sort, long nowMillis) {
        return own.lines.get(sort).admit(ofBroker.get(sort), nowMillis);
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

        /** Writes of something that failed and is tried again, or that nobody expected. */
        void write(Logger log, Warnings.Own own, Object whose, String what, Throwable failure) {
            write(log, own, whose, what, failure, isUnexpected(failure) ? Sort.UNEXPECTED : Sort.TRIED_AGAIN);
        }

        /** Writes of something stored that is not used any more. */
        void writeLoss(Logger log, Warnings.Own own, Object whose, String what, Throwable failure) {
            write(log, own, whose, what, failure, Sort.LOST);
        }

        private static boolean isUnexpected(Throwable failure) {
            return !(Futures.cause(failure) instanceof StorageException known)
                    || known.kind() == StorageException.Kind.UNEXPECTED;
        }

        private void write(Logger log, Warnings.Own own, Object whose, String what, Throwable failure, Sort sort) {
            if (StorageException.isClosed(failure)) {
                return;
            }
            OptionalLong heldBack = warnings.admit(own, sort, wallMillis.getAsLong());
            if (heldBack.isEmpty()) {
                return;
            }
            String before = heldBack.getAsLong() == 0 ? "" : " (" + heldBack.getAsLong() + " like it were not written)";
            Throwable cause = Futures.cause(failure);
            if (isUnexpected(failure)) {
                log.warn("[{}] {}{}", whose, what, before, cause);
            } else {
                log.warn("[{}] {}{}: {}", whose, what, before, cause.toString());
            }
        }
    }
}
