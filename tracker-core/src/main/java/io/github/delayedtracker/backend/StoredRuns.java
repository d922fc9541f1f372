/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.backend;

import io.github.delayedtracker.index.DueRun;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The positions of a stored index that are not in memory and may be due in a time: what to read to look at them. */
public interface StoredRuns {

    /**
     * Runs of positions.
     *
     * @param runs which may have positions that are not scheduled any more
     * @param completeUntilMillis the due time up to which, inclusive, the runs have every position
     */
    record Read(List<DueRun> runs, long completeUntilMillis) {
    }

    /** Why stored positions cannot be looked at now; the message is for the user. */
    final class UnreadException extends Exception {

        private static final long serialVersionUID = 1;

        /** With the failure of the storage; null if there is none. */
        public UnreadException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Reads them, a limited number of times, without the lock. Ends within 20 s; fails with an {@link UnreadException}. */
    CompletableFuture<Read> read();
}
