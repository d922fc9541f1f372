/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.storage;

import io.github.delayedtracker.bucket.storage.CatalogueStore;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The properties of one cursor, in memory. */
final class MapCatalogue implements CatalogueStore {

    private final Map<String, String> properties = new ConcurrentHashMap<>();

    /** The longest value, characters. */
    int longest() {
        return properties.values().stream().mapToInt(String::length).max().orElse(0);
    }

    @Override
    public CompletableFuture<Map<String, String>> readAll() {
        return CompletableFuture.completedFuture(Map.copyOf(properties));
    }

    @Override
    public CompletableFuture<Map<String, String>> readStored() {
        return readAll();
    }

    @Override
    public CompletableFuture<Void> put(String name, String value) {
        properties.put(name, value);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> remove(String name) {
        properties.remove(name);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> close() {
        return CompletableFuture.completedFuture(null);
    }
}
