/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.Warnings.WarningLines;
import io.github.delayedtracker.bucket.index.BucketState.BucketWatcher;
import io.github.delayedtracker.bucket.index.BucketState;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of one subscription's chores: its warnings are throttled, and none is written once closed. Thread safe. */
final class ChoreLog {

    private static final Logger LOG = LoggerFactory.getLogger(ChoreLog.class);

    private final BucketKey key;
    private final WarningLines lines;
    private final Warnings.Own warned = new Warnings.Own();
    private volatile boolean closed;

    ChoreLog(BucketKey key, WarningLines lines) {
        this.key = key;
        this.lines = lines;
    }

    void warn(String event, Throwable failure) {
        if (!closed) {
            lines.write(LOG, warned, key, event, failure);
        }
    }

    /** Warns of something stored that is not used any more. */
    void warnOfLoss(String event, Throwable failure) {
        if (!closed) {
            lines.writeLoss(LOG, warned, key, event, failure);
        }
    }

    void info(String event) {
        LOG.info("[{}] {}", key, event);
    }

    boolean isDebugging() {
        return LOG.isDebugEnabled();
    }

    /** Writes one line for a step that has succeeded. */
    void debug(String event, Object... values) {
        if (LOG.isDebugEnabled()) {
            Object[] all = new Object[values.length + 1];
            all[0] = key;
            System.arraycopy(values, 0, all, 1, values.length);
            LOG.debug("[{}] " + event, all);
        }
    }

    /** Writes no warning any more: failures are those of closing from now on. */
    void close() {
        closed = true;
    }

    /** The log of the changes of state of one subscription's buckets. Changes are noted under its lock and written without it. */
    static final class StateLog implements BucketWatcher {

        /** The most changes that wait to be written. There are that many only if no thread writes them. */
        private static final int MOST_NOTED = 1_000;

        private final GuardedIndex index;
        private final ChoreTasks tasks;
        private final ChoreLog log;
        /** The changes that wait to be written, the oldest first. Touched under the lock of the index only. */
        private List<String> noted = List.of();

        StateLog(GuardedIndex index, ChoreTasks tasks, ChoreLog log) {
            this.index = index;
            this.tasks = tasks;
            this.log = log;
        }

        @Override
        public void changed(long ledgerId, BucketState from, BucketState to, String reason) {
            if (!log.isDebugging()) {
                return;
            }
            if (noted.isEmpty()) {
                noted = new ArrayList<>(1);
                tasks.soon(this::write);
            }
            if (noted.size() < MOST_NOTED) {
                noted.add((ledgerId < 0 ? "Bucket without a ledger" : "Bucket of ledger " + ledgerId) + " went from " + from
                        + " to " + to + ": " + reason);
            }
        }

        private synchronized void write() {
            List<String> waiting = index.read(known -> {
                List<String> all = noted;
                noted = List.of();
                return all;
            });
            waiting.forEach(change -> log.debug("{}", change));
        }
    }
}
