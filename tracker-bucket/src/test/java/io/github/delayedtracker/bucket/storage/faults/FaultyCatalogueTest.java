/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Faults of the cursor record, and what the real store makes of them. */
class FaultyCatalogueTest {

    private static final String TOPIC = "topic";
    private static final String CURSOR = "cursor";

    private final VirtualTime time = new VirtualTime(5);
    private final FaultyStorage storage = new FaultyStorage(5, FaultRates.none(), time);
    private final StorageLife life = storage.newLife();
    private final CatalogueStore store = life.catalogue(TOPIC, CURSOR);

    private Kind failure(CompletableFuture<?> answer) {
        return assertThrows(StorageException.class, () -> time.get(answer)).kind();
    }

    private Map<String, String> durable() {
        return storage.world().propertiesOf(TOPIC, CURSOR);
    }

    @Test
    void aConflictIsTriedAgain() throws Exception {
        storage.onCall(Operation.PUT, CURSOR, 1, Fault.conflict()).onCall(Operation.PUT, CURSOR, 2, Fault.conflict());
        time.get(store.put("a", "1"));
        assertEquals(Map.of("a", "1"), durable());
        assertEquals(2, storage.counts().of(Operation.PUT, Fault.Kind.CONFLICT));
    }

    @Test
    void conflictsAreTriedAgainABoundedNumberOfTimes() throws Exception {
        storage.onEvery(Operation.PUT, "*", Fault.conflict());
        assertEquals(Kind.CONFLICT, failure(store.put("a", "1")));
        assertEquals(4, storage.counts().of(Operation.PUT, Fault.Kind.CONFLICT));
        storage.heal();
        time.get(store.put("a", "2"));
        assertEquals(Map.of("a", "2"), durable());
    }

    @Test
    void anyOtherFailureHasNoKnownOutcomeAndIsNotTriedAgain() throws Exception {
        storage.onCall(Operation.PUT, CURSOR, 1, Fault.failBefore(Kind.UNAVAILABLE));
        assertEquals(Kind.OUTCOME_UNKNOWN, failure(store.put("a", "1")));
        assertEquals(Map.of(), durable());
        time.get(store.put("a", "2"));
        assertEquals(Map.of("a", "2"), durable());
    }

    @Test
    @DisplayName("#26238: an update that took effect and failed shows in the durable record, and the broker does not know it")
    void anUpdateThatFailedMayHaveTakenEffect() throws Exception {
        storage.onCall(Operation.PUT, CURSOR, 1, Fault.failAfter(Kind.UNAVAILABLE));
        assertEquals(Kind.OUTCOME_UNKNOWN, failure(store.put("a", "1")));
        assertEquals(Map.of("a", "1"), durable());
        assertEquals(Map.of(), time.get(store.readAll()));
        assertEquals(Kind.CONFLICT, failure(store.put("b", "2")));
        life.reloadCursor(TOPIC, CURSOR);
        CatalogueStore reloaded = life.catalogue(TOPIC, CURSOR);
        time.get(reloaded.put("b", "2"));
        assertEquals(Map.of("a", "1", "b", "2"), durable());
    }

    @Test
    void anUpdateThatFailedMayTakeEffectLaterUnlessAnotherCameBefore() throws Exception {
        storage.onCall(Operation.PUT, CURSOR, 1, Fault.answerTwice(100)).onCall(Operation.PUT, CURSOR, 2, Fault.answerTwice(100));
        assertEquals(Kind.OUTCOME_UNKNOWN, failure(store.put("a", "1")));
        assertEquals(Map.of(), durable());
        time.runAll();
        assertEquals(Map.of("a", "1"), durable());
        life.reloadCursor(TOPIC, CURSOR);
        CatalogueStore reloaded = life.catalogue(TOPIC, CURSOR);
        assertEquals(Kind.OUTCOME_UNKNOWN, failure(reloaded.put("a", "late")));
        time.get(reloaded.put("a", "2"));
        time.runAll();
        assertEquals(Map.of("a", "2"), durable());
    }

    @Test
    void aHungUpdateHoldsTheNextBackUntilItIsGivenUp() throws Exception {
        storage.onCall(Operation.PUT, CURSOR, 1, Fault.hangBefore());
        CompletableFuture<Void> hung = store.put("a", "1");
        CompletableFuture<Void> waiting = store.put("dropped", "x");
        CompletableFuture<Void> next = store.put("b", "2");
        time.runAll();
        assertFalse(hung.isDone() || next.isDone());
        waiting.cancel(false);
        hung.cancel(false);
        time.get(next);
        assertThrows(CancellationException.class, () -> time.get(hung));
        assertEquals(Map.of("b", "2"), durable());
        storage.heal();
        time.runAll();
        assertEquals(Map.of("b", "2"), durable(), "the hung update was overtaken by a newer version");
    }

    @Test
    void closingRefusesWhatWaits() throws Exception {
        CompletableFuture<Void> underWay = store.put("a", "1");
        CompletableFuture<Void> waiting = store.put("b", "2");
        store.close().isDone();
        time.get(underWay);
        assertEquals(Kind.CLOSED, failure(waiting));
        assertEquals(Map.of("a", "1"), durable());
    }

    @Test
    @DisplayName("B3: a cursor whose record is still being written is not to be closed, whoever waits for the update")
    void closingWaitsForAnUpdateThatWasGivenUp() throws Exception {
        storage.onCall(Operation.REMOVE, CURSOR, 1, Fault.hangBefore());
        CompletableFuture<Void> hung = store.remove("a");
        CompletableFuture<Void> closed = store.close();
        time.runAll();
        assertFalse(closed.isDone());
        hung.cancel(false);
        time.runAll();
        assertFalse(closed.isDone());
        storage.heal();
        time.get(closed);
    }

    @Test
    void noUpdateIsTriedAgainAfterTheStoreWasClosed() throws Exception {
        storage.onCall(Operation.PUT, CURSOR, 1, Fault.conflict());
        CompletableFuture<Void> put = store.put("a", "1");
        CompletableFuture<Void> closed = store.close();
        assertEquals(Kind.CONFLICT, failure(put));
        time.get(closed);
        time.runAll();
        assertEquals(Map.of(), durable());
    }

    @Test
    void readingMayHang() throws Exception {
        storage.onCall(Operation.GET_PROPERTIES, CURSOR, 1, Fault.hangBefore());
        CompletableFuture<Map<String, String>> read = store.readAll();
        time.runAll();
        assertFalse(read.isDone());
    }

    @Test
    void aCopiedRecordNamesAnotherTopicsSnapshots() throws Exception {
        time.get(store.put("root", "1000"));
        storage.world().copyProperties(TOPIC, CURSOR, "topic-2");
        assertEquals(Map.of("root", "1000"), time.get(life.catalogue("topic-2", CURSOR).readAll()));
    }
}
