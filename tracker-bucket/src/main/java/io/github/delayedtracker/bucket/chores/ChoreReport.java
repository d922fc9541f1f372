/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;

/**
 * The reports of one subscription's chores: figures, times of operations, and the log. Thread safe.
 *
 * @param figures the figures of the subscription
 * @param form the form of the snapshots, which measures some operations
 */
record ChoreReport(ChoreLog log, BucketFigures figures, SnapshotForm form, ChoreClock clock) {

    void count(Figure figure) {
        figures.add(figure, 1);
    }

    void count(Figure figure, long more) {
        figures.add(figure, more);
    }

    void set(Figure figure, long value) {
        figures.set(figure, value);
    }

    /** Reports that an operation has succeeded, with the time at which it was begun. */
    void took(Operation operation, long begunMillis) {
        form.took(operation, Math.max(0, clock.nowMillis() - begunMillis));
    }

    void warn(String event, Throwable failure) {
        log.warn(event, failure);
    }

    void info(String event) {
        log.info(event);
    }

    void debug(String event, Object... values) {
        log.debug(event, values);
    }
}
