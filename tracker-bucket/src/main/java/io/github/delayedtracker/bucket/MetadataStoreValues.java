/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.delayedtracker.bucket.orphans.SharedValues;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.metadata.api.MetadataStore;
import org.apache.pulsar.metadata.api.MetadataStoreException.BadVersionException;
import org.apache.pulsar.metadata.api.Stat;

/**
 * Values in the metadata store of the cluster itself, each a node in a folder of this project's own. That store has the cursors'
 * records too, so whoever restores, copies or loses one does the same to the other.
 */
final class MetadataStoreValues implements SharedValues {

    private static final String FOLDER = "/delayedtracker/";
    /** The version that the store takes for: there is to be no such node. */
    private static final long NO_NODE = -1;

    private final Supplier<? extends MetadataStore> store;

    /** Of the cluster that a broker is of. */
    MetadataStoreValues(PulsarService pulsar) {
        this(pulsar::getLocalMetadataStore);
    }

    MetadataStoreValues(Supplier<? extends MetadataStore> store) {
        this.store = store;
    }

    @Override
    public CompletableFuture<Optional<Versioned>> get(String name) {
        return translated("reading " + FOLDER + name, () -> store.get().get(FOLDER + name).thenApply(found ->
                found.map(node -> new Versioned(new String(node.getValue(), UTF_8), node.getStat().getVersion()))));
    }

    @Override
    public CompletableFuture<Long> put(String name, String text, OptionalLong version) {
        return translated("writing " + FOLDER + name, () -> store.get()
                .put(FOLDER + name, text.getBytes(UTF_8), Optional.of(version.orElse(NO_NODE))).thenApply(Stat::getVersion));
    }

    private static <T> CompletableFuture<T> translated(String what, Supplier<CompletableFuture<T>> call) {
        return Futures.begun(call).exceptionallyCompose(failure -> {
            Throwable cause = Futures.cause(failure);
            return CompletableFuture.failedFuture(new StorageException(
                    cause instanceof BadVersionException ? Kind.CONFLICT : Kind.UNAVAILABLE, what + " failed: " + cause, cause));
        });
    }
}
