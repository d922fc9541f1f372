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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.RecoveredSnapshot;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.Answering;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.SomeLimits;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** The steps of a subscription are given up together, and the more urgent ones have their turn first. */
class SnapshotStepsTest {

    private final JobTime time = new JobTime(1);
    private final Retries retries = time.retries(bound -> 0, JobLimits.DEFAULT);
    private final SnapshotSteps steps = steps(silent(), retries);

    private SnapshotSteps steps(SnapshotStorage storage, Retries all) {
        return new SnapshotSteps(storage, new SnapshotOwner("topic", "cursor", 0), JobWorld.RULE, new Leftovers(),
                UnpooledByteBufAllocator.DEFAULT, time::nowMillis, all, all, Optional.empty());
    }

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

    @Test
    void callsOfWhatIsDueSoonerHaveTheirTurnFirstAndMergesGiveWayForHalfAMinute() {
        List<String> asked = new ArrayList<>();
        List<CompletableFuture<Object>> answers = new ArrayList<>();
        Retries oneCall = time.retries(bound -> 0, new SomeLimits().callsUnderWay(1).make());
        SnapshotSteps one = steps(Answering.with(SnapshotStorage.class, (name, arguments) -> name.equals("maxEntryBytes")
                ? 1 << 20 : noted(asked, name + (name.equals("create") ? "" : " " + arguments[0]), answers)), oneCall);
        List<CompletableFuture<?>> begun = new ArrayList<>();
        begun.add(one.recover(1, 0, -1, -1));
        begun.add(one.source(2, dueAt(1)).read(0));
        begun.add(one.load(3, dueAt(40_000), 0));
        begun.add(one.load(4, dueAt(20_000), 0));
        begun.add(one.write(new SegmentColumns(1, new long[] {1_000}, new long[] {1}, new long[] {1})));
        for (int i = 0; i < begun.size(); i++) {
            time.runUntil(time.nowMillis() + 1);
            answers.get(i).completeExceptionally(new StorageException(Kind.UNAUTHORIZED, "for the test"));
        }
        time.runUntil(time.nowMillis() + 1);
        assertEquals(List.of("ownerOf 1", "create", "open 4", "open 2", "open 3"), asked);
        assertTrue(begun.stream().allMatch(CompletableFuture::isCompletedExceptionally));
    }

    private static CompletableFuture<Object> noted(List<String> asked, String call,
            List<CompletableFuture<Object>> answers) {
        asked.add(call);
        answers.add(new CompletableFuture<>());
        return answers.get(answers.size() - 1);
    }

    private static List<SegmentEntry> dueAt(long millis) {
        return List.of(new SegmentEntry(millis, millis, 1, SegmentEntry.LEAST_BYTES));
    }
}
