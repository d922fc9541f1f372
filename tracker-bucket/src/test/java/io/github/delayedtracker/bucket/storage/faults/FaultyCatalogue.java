/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.CursorCatalogueStore;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The real catalogue store over a model cursor; only reading, which the real one does at once, may go wrong by itself. */
final class FaultyCatalogue implements CatalogueStore {

    private final StorageLife life;
    private final CursorFace face;
    private final String prefix;
    private final CursorCatalogueStore store;

    FaultyCatalogue(StorageLife life, CursorFace face, String prefix) {
        this.life = life;
        this.face = face;
        this.prefix = prefix;
        this.store = new CursorCatalogueStore(face.cursor(), (topic, cursor) -> {
            throw new UnsupportedOperationException("what is durable is read here");
        }, prefix);
    }

    @Override
    public CompletableFuture<Map<String, String>> readAll() {
        return life.begin(Operation.GET_PROPERTIES, face.subscription(), new Work<Map<String, String>>() {
            @Override
            Map<String, String> take() {
                return ours(face.known());
            }
        });
    }

    @Override
    public CompletableFuture<Map<String, String>> readStored() {
        return life.begin(Operation.GET_PROPERTIES, face.subscription(), new Work<Map<String, String>>() {
            @Override
            Map<String, String> take() {
                return ours(life.world().record(face.subscription()).properties);
            }
        });
    }

    private Map<String, String> ours(Map<String, String> all) {
        Map<String, String> ours = new HashMap<>();
        all.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                ours.put(key.substring(prefix.length()), value);
            }
        });
        return ours;
    }

    @Override
    public CompletableFuture<Void> put(String name, String value) {
        return store.put(name, value);
    }

    @Override
    public CompletableFuture<Void> remove(String name) {
        return store.remove(name);
    }

    @Override
    public CompletableFuture<Void> close() {
        return store.close();
    }
}
