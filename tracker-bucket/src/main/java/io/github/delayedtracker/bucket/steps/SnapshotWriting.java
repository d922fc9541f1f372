/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import java.util.concurrent.CompletableFuture;

/** Writes positions as a new snapshot, in one form or another. */
@FunctionalInterface
interface SnapshotWriting {

    /**
     * Writes some positions, in any order; of one that stands several times the last counts.
     *
     * @param live at least one position
     */
    CompletableFuture<WrittenSnapshot> write(SegmentColumns live);
}
