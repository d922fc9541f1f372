/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.Answering;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.MapCatalogue;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.SomeLimits;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An update answers once it, or a later one, is durable. */
class DurableRecordTest {

    private final JobTime time = new JobTime(1);
    private final List<String> heard = new ArrayList<>();
    private Kind fails;
    private DurableRecord record;

    @BeforeEach
    void load() throws Exception {
        Retries retries = time.retries(bound -> 0, new SomeLimits().timeoutMillis(1_000)
                .backOffMillis(1, 1).mostAttempts(1).make());
        CatalogueKeeper keeper = new CatalogueKeeper(store(), Answering.nothing(SnapshotStorage.class),
                new SnapshotOwner("topic", "cursor", 0), retries, new Leftovers());
        record = new DurableRecord(keeper, new DurableRecord.Watcher() {
            @Override
            public void failed(Throwable failure, long timesInARow) {
                heard.add("failed " + timesInARow);
            }

            @Override
            public void followingFailed(Throwable failure) {
                heard.add("following failed");
            }
        });
        time.get(keeper.load());
    }

    private CatalogueStore store() {
        return new MapCatalogue(new HashMap<>(),
                () -> Optional.ofNullable(fails).map(kind -> new StorageException(kind, "on purpose")));
    }

    private CompletableFuture<Boolean> seal(long ledgerId) {
        CompletableFuture<Boolean> durable = record.update(before -> before.sealed(ledgerId));
        time.runAll();
        return durable;
    }

    private boolean settled(CompletableFuture<?> following) throws Exception {
        return time.get(record.settled(following));
    }

    @Test
    void anUpdateThatIsWrittenIsDurable() throws Exception {
        assertTrue(seal(1).join());
        assertTrue(settled(CompletableFuture.completedFuture(null)));
    }

    @Test
    void anUpdateOfUnknownOutcomeAnswersWithALaterOne() throws Exception {
        fails = Kind.OUTCOME_UNKNOWN;
        CompletableFuture<Boolean> first = seal(1);
        assertFalse(first.isDone());
        assertFalse(settled(first));
        fails = null;
        assertTrue(seal(2).join());
        assertTrue(first.join());
        assertEquals(List.of(1L, 2L), record.keeper().written().orElseThrow().live());
    }

    @Test
    void settlingWritesTheNewestWishAgain() throws Exception {
        fails = Kind.UNAVAILABLE;
        CompletableFuture<Boolean> first = seal(1);
        assertFalse(time.get(record.settle()));
        fails = null;
        assertTrue(time.get(record.settle()));
        assertTrue(first.join());
        assertEquals(List.of("failed 1", "failed 2"), heard);
    }

    @Test
    void whatWaitsIsGivenUpWhereEverythingIsRemoved() {
        fails = Kind.UNAVAILABLE;
        CompletableFuture<Boolean> first = seal(1);
        record.giveUp();
        assertFalse(first.join());
    }

    @Test
    void aFollowerThatFailsFailsTheAnswerAndKeepsNoOtherWaiting() {
        fails = Kind.UNAVAILABLE;
        CompletableFuture<Void> first = seal(1).thenAccept(durable -> {
            throw new IllegalStateException("on purpose");
        });
        assertFalse(record.settled(first).join());
        fails = null;
        CompletableFuture<Void> second = seal(2).thenAccept(durable -> {
            throw new IllegalStateException("on purpose");
        });
        assertThrows(CompletionException.class, () -> record.settled(second).join());
        assertTrue(seal(3).join());
        assertEquals(List.of("failed 1", "following failed"), heard);
    }

    @Test
    void conflictsAreCountedUntilAnotherOutcome() {
        fails = Kind.CONFLICT;
        assertFalse(seal(1).isDone());
        assertFalse(seal(2).isDone());
        assertEquals(2, record.conflictsInARow());
        fails = Kind.UNAVAILABLE;
        assertFalse(seal(3).isDone());
        assertEquals(0, record.conflictsInARow());
    }

    @Test
    void whatIsDurableIsNotWrittenAgainToSettle() throws Exception {
        assertTrue(seal(1).join());
        fails = Kind.UNAVAILABLE;
        assertTrue(time.get(record.settle()));
        assertEquals(List.of(), heard);
    }

    @Test
    void failuresInARowAreCountedFromTheLastSuccessOn() {
        fails = Kind.CONFLICT;
        assertFalse(seal(1).isDone());
        fails = null;
        assertTrue(seal(2).join());
        assertEquals(0, record.conflictsInARow());
        fails = Kind.UNAVAILABLE;
        assertFalse(seal(3).isDone());
        assertEquals(List.of("failed 1", "failed 1"), heard);
    }

    @Test
    void theAnswerWaitsForTheStepBehindADurableUpdate() {
        assertTrue(seal(1).join());
        CompletableFuture<Void> following = new CompletableFuture<>();
        CompletableFuture<Boolean> answer = record.settled(following);
        assertFalse(answer.isDone());
        following.complete(null);
        assertTrue(answer.join());
    }

    @Test
    void aRecordThatNamesALedgerIsNotEmpty() {
        assertTrue(seal(1).join());
        assertFalse(record.isEmpty());
    }

    @Test
    void aRecordIsEmptyOnlyForCertain() {
        assertTrue(record.isEmpty());
        fails = Kind.OUTCOME_UNKNOWN;
        assertFalse(seal(1).isDone());
        assertFalse(record.isEmpty());
    }
}
