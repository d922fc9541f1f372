/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.steps.ReadSnapshot.OpenSnapshot;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.RecoveredSnapshot;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.index.PositionSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Finds out what of a recorded snapshot is still asleep: the positions of its head, less those that mark-delete has passed, less
 * those whose time has come, since the cursor was rewound and reads them itself. For the latter every segment that begins in
 * the past is read once; a segment is not read once nothing is left. What follows from a failure is its
 * {@link StorageException#consequence}.
 */
final class RecoverBucket {

    private final ReadSnapshot reads;

    /** Recovers buckets of one subscription. */
    RecoverBucket(ReadSnapshot reads) {
        this.reads = reads;
    }

    /**
     * Recovers one bucket; nothing is left open.
     *
     * @param nowMillis positions due by then are in the past
     * @param markDeleteLedgerId with {@code markDeleteEntryId} the mark-delete position; -1 and -1 if it is not known
     */
    CompletableFuture<RecoveredSnapshot> recover(long ledgerId, long nowMillis, long markDeleteLedgerId,
            long markDeleteEntryId) {
        return Futures.step("recovering ledger " + ledgerId, () -> reads.open(ledgerId).thenCompose(snapshot -> {
            PositionSet sleeping = snapshot.head().positions();
            return Futures.begun(() -> {
                sleeping.removeUpTo(markDeleteLedgerId, markDeleteEntryId);
                return subtractPast(snapshot, nowMillis, sleeping);
            }).whenComplete((done, failure) -> snapshot.close())
                    .thenApply(done -> new RecoveredSnapshot(ledgerId, snapshot.head().segments(), sleeping, nowMillis));
        }));
    }

    private static CompletableFuture<Void> subtractPast(OpenSnapshot snapshot, long nowMillis, PositionSet sleeping) {
        List<SegmentEntry> table = snapshot.head().segments();
        int[] next = {0};
        return Futures.whileTrue(() -> {
            while (next[0] < table.size() && table.get(next[0]).firstDueMillis() > nowMillis) {
                next[0]++;
            }
            if (next[0] == table.size() || sleeping.isEmpty()) {
                return Futures.NO_MORE;
            }
            return snapshot.segments().read(next[0]++).thenApply(columns -> {
                subtract(columns, nowMillis, sleeping);
                return true;
            });
        });
    }

    private static void subtract(SegmentColumns columns, long nowMillis, PositionSet sleeping) {
        for (int i = 0; i < columns.count() && columns.dueMillis(i) <= nowMillis; i++) {
            sleeping.remove(columns.ledgerId(i), columns.entryId(i));
        }
    }
}
