/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.RecoveredSnapshot;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.Answering;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** The steps of a subscription are given up together; its storage never answers here. */
class SnapshotStepsTest {

    private final JobTime time = new JobTime(1);
    private final Retries retries = time.retries(bound -> 0, JobLimits.DEFAULT);
    private final SnapshotSteps steps = new SnapshotSteps(silent(), new SnapshotOwner("topic", "cursor", 0), JobWorld.RULE,
            new Leftovers(), UnpooledByteBufAllocator.DEFAULT, time::nowMillis, retries, retries, Optional.empty());

    private static SnapshotStorage silent() {
        return Answering.with(SnapshotStorage.class,
                (name, arguments) -> name.equals("maxEntryBytes") ? 1 << 20 : new CompletableFuture<>());
    }

    private CompletableFuture<WrittenSnapshot> write() {
        CompletableFuture<WrittenSnapshot> written =
                steps.write(new SegmentColumns(1, new long[] {1_000}, new long[] {1}, new long[] {1}));
        time.runUntil(time.nowMillis() + 1);
        return written;
    }

    private Kind failure(CompletableFuture<?> step) {
        time.runUntil(time.nowMillis() + 1);
        Throwable failure = Futures.cause(assertThrows(CompletionException.class, step::join));
        return ((StorageException) failure).kind();
    }

    @Test
    void givingUpEndsWhatIsUnderWayAndTouchesNothingLater() {
        CompletableFuture<WrittenSnapshot> first = write();
        CompletableFuture<RecoveredSnapshot> second = steps.recover(1, 0, -1, -1);
        steps.giveUp();
        assertEquals(Kind.CLOSED, failure(first));
        assertEquals(Kind.CLOSED, failure(second));
        assertFalse(write().isDone());
    }

    @Test
    void nothingIsBegunOnceClosedNotEvenAfterGivingUp() {
        CompletableFuture<WrittenSnapshot> first = write();
        steps.close();
        assertEquals(Kind.CLOSED, failure(first));
        steps.giveUp();
        assertEquals(Kind.CLOSED, failure(write()));
    }
}
