/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.steps.LedgerWriting.AppendWindow;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.timebucket.CutRule;
import io.github.delayedtracker.timebucket.SealedSegment;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/** The form in which new snapshots of a subscription are written: this plugin's own, or the stock bucket tracker's. */
interface SnapshotWriting {

    /**
     * Writes some positions, in any order; of equal positions the last counts.
     *
     * @param live at least one position
     */
    CompletableFuture<WrittenSnapshot> write(SegmentColumns live);

    /** The rule where a segment ends, for a snapshot that is made from a number of positions. */
    CutRule rule(long positions);

    SegmentEntry entryOf(SealedSegment segment);

    ByteBuf bytesOf(SealedSegment segment);

    /** Begins the snapshot that comes out of a merge of ledgers. */
    Merged merged(List<Long> ledgerIds);

    /** A snapshot whose segments come one by one, in the order of their times: once to be described, and then to be written. */
    interface Merged {

        /** Takes the next segment into its description; fails once that is too long, naming the number of positions so far. */
        CompletableFuture<Void> describe(SealedSegment segment, long positionsSoFar);

        /**
         * Writes it.
         *
         * @param table of all segments described
         * @param copy appends the segments; called anew for each attempt
         * @param mayRepeat whether another attempt may help
         */
        CompletableFuture<WrittenSnapshot> write(String what, List<SegmentEntry> table, PositionSet positions,
                Function<AppendWindow, CompletableFuture<Void>> copy, Predicate<StorageException> mayRepeat);
    }
}
