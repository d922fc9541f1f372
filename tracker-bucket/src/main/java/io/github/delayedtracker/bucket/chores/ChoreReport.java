/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.chores.StorageWork.Work;

/**
 * The reports of one subscription's chores: figures, times of operations, and the log. Thread safe.
 *
 * @param figures the figures of the subscription
 * @param form the form of the snapshots, which measures some operations
 * @param work the work of the whole broker
 */
record ChoreReport(ChoreLog log, BucketFigures figures, SnapshotForm form, ChoreClock clock, StorageWork work) {

    void count(Figure figure) {
        figures.add(figure, 1);
    }

    void count(Figure figure, long more) {
        figures.add(figure, more);
    }

    void set(Figure figure, long value) {
        figures.set(figure, value);
    }

    /** Reports that an operation has succeeded, with the time at which it was begun, and the bytes written or read. */
    void took(Operation operation, long begunMillis, long bytes) {
        long millis = Math.max(0, clock.nowMillis() - begunMillis);
        form.took(operation, millis);
        work.took(switch (operation) {
            case CREATE -> Work.SEAL;
            case LOAD -> Work.LOAD;
            case MERGE -> Work.MERGE;
        }, millis, bytes);
    }

    /** Reports that a stored bucket was recovered, with the time at which that was begun. */
    void recovered(long begunMillis) {
        work.took(Work.RECOVER, clock.nowMillis() - begunMillis);
    }

    void warn(String event, Throwable failure) {
        log.warn(event, failure);
    }

    /** Warns of something stored that is not used any more; the topic is read instead. */
    void warnOfLoss(String event, Throwable failure) {
        log.warnOfLoss(event, failure);
    }

    void info(String event) {
        log.info(event);
    }

    void debug(String event, Object... values) {
        log.debug(event, values);
    }
}
