/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The properties of one cursor in a map. Every call answers at once; updates fail while there is a failure. */
public final class MapCatalogue implements CatalogueStore {

    private final Map<String, String> properties;
    private final Supplier<Optional<StorageException>> failure;

    /** Empty; nothing fails. Thread safe. */
    public MapCatalogue() {
        this(new ConcurrentHashMap<>(), Optional::empty);
    }

    /** As thread safe as the map. */
    public MapCatalogue(Map<String, String> properties, Supplier<Optional<StorageException>> failure) {
        this.properties = properties;
        this.failure = failure;
    }

    /** The longest value, characters. */
    public int longest() {
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
        return updated(() -> properties.put(name, value));
    }

    @Override
    public CompletableFuture<Void> remove(String name) {
        return updated(() -> properties.remove(name));
    }

    private CompletableFuture<Void> updated(Runnable update) {
        Optional<StorageException> fails = failure.get();
        if (fails.isPresent()) {
            return CompletableFuture.failedFuture(fails.get());
        }
        update.run();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> close() {
        return CompletableFuture.completedFuture(null);
    }
}
