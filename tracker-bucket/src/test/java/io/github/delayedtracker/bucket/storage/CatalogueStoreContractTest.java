/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What every catalogue store does, over a model cursor and over a real one. */
public abstract class CatalogueStoreContractTest {

    private CatalogueStore store;

    /** A store over a cursor that has no properties of the plugin yet; every test has its own. */
    protected abstract CatalogueStore newCursor() throws Exception;

    /** A store over the same cursor after its topic was loaded anew. */
    protected abstract CatalogueStore reload() throws Exception;

    /** Sets a property of the same cursor that is not the plugin's, by its whole key. */
    protected abstract void putForeign(String key, String value) throws Exception;

    /** All properties of the same cursor, by their whole keys, as they are durable. */
    protected abstract Map<String, String> durable() throws Exception;

    /** How to wait. */
    protected abstract Awaiting awaiting();

    @BeforeEach
    final void open() throws Exception {
        store = newCursor();
    }

    private <T> T await(CompletableFuture<T> answer) throws Exception {
        return awaiting().get(answer);
    }

    @Test
    void aNewCursorHasNoProperties() throws Exception {
        assertEquals(Map.of(), await(store.readAll()));
    }

    @Test
    void whatIsSetIsReadAndOverwritten() throws Exception {
        await(store.put("root", "1"));
        await(store.put("other", ""));
        await(store.put("root", "2"));
        assertEquals(Map.of("root", "2", "other", ""), await(store.readAll()));
    }

    @Test
    void whatIsRemovedIsGoneAndMayBeRemovedAgain() throws Exception {
        await(store.put("a", "1"));
        await(store.put("b", "2"));
        await(store.remove("a"));
        await(store.remove("a"));
        await(store.remove("never there"));
        assertEquals(Map.of("b", "2"), await(store.readAll()));
    }

    @Test
    @DisplayName("S10: what is durable is read past the broker, and nothing else than the plugin's own")
    void whatIsStoredIsWhatAnswered() throws Exception {
        assertEquals(Map.of(), await(store.readStored()));
        await(store.put("root", "1"));
        putForeign("somebody's", "2");
        await(store.put("other", "3"));
        await(store.remove("root"));
        assertEquals(Map.of("other", "3"), await(store.readStored()));
    }

    @Test
    void whatAnsweredSurvivesAReload() throws Exception {
        String large = "value ".repeat(8_000);
        await(store.put("root", large));
        await(store.put("gone", "x"));
        await(store.remove("gone"));
        assertEquals(Map.of("root", large), await(reload().readAll()));
    }

    @Test
    void propertiesOfOthersAreNeitherSeenNorTouched() throws Exception {
        putForeign("user", "u");
        putForeign("#pulsar.internal.delayed.bucket_1_2", "77");
        await(store.put("root", "1"));
        await(store.remove("user"));
        assertEquals(Map.of("root", "1"), await(store.readAll()));
        assertEquals(Map.of("user", "u", "#pulsar.internal.delayed.bucket_1_2", "77",
                CatalogueStore.PROPERTY_PREFIX + "root", "1"), durable());
    }

    @Test
    void updatesBegunTogetherTakeEffectInOrder() throws Exception {
        List<CompletableFuture<Void>> updates = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            updates.add(store.put("counter", Integer.toString(i)));
            updates.add(store.put("key " + i, "x"));
            updates.add(i % 2 == 0 ? store.remove("key " + i) : store.put("last", "key " + i));
        }
        for (CompletableFuture<Void> update : updates) {
            await(update);
        }
        Map<String, String> read = await(store.readAll());
        assertEquals("9", read.get("counter"));
        assertEquals("key 9", read.get("last"));
        assertEquals(7, read.size(), () -> "keys 1, 3, 5, 7, 9, counter and last, got " + read);
    }

    @Test
    void aClosedStoreBeginsNoUpdateAndFinishesTheOneUnderWay() throws Exception {
        CompletableFuture<Void> underWay = store.put("a", "1");
        CompletableFuture<Void> closed = store.close();
        CompletableFuture<Void> later = store.remove("a");
        await(closed);
        await(underWay);
        assertEquals(Kind.CLOSED, assertThrows(StorageException.class, () -> await(later)).kind());
        await(store.close());
        assertEquals(Map.of("a", "1"), await(reload().readAll()));
    }
}
