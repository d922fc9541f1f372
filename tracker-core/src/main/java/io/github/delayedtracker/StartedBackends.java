/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.backend.BackendServices;
import io.github.delayedtracker.backend.BrokerStore;
import io.github.delayedtracker.backend.JournalStore;
import io.github.delayedtracker.backend.StoredOrphans;
import io.github.delayedtracker.backend.StoringBackend;
import io.github.delayedtracker.backend.SubscriptionStore;
import io.github.delayedtracker.metrics.Samples;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backends of this broker that store, by name. All of them serve, not only the one in use: a subscription may choose
 * another by property, and the ledgers of an earlier choice are deleted with the subscription. A backend that the broker's
 * configuration makes impossible stops the broker if it is the broker's own choice; otherwise a subscription that chooses it
 * gets its index in memory. Immutable.
 */
final class StartedBackends {

    private static final Logger LOG = LoggerFactory.getLogger(StartedBackends.class);

    private final Map<String, BrokerStore> serving;

    private StartedBackends(Map<String, BrokerStore> serving) {
        this.serving = serving;
    }

    /**
     * Starts all of them.
     *
     * @throws IllegalStateException if the one that the broker's settings name cannot serve it
     */
    static StartedBackends start(Backends backends, BackendServices services) {
        Map<String, BrokerStore> serving = new TreeMap<>();
        for (String name : backends.names()) {
            if (backends.get(name) instanceof StoringBackend stored) {
                try {
                    serving.put(name, stored.start(services));
                } catch (RuntimeException | LinkageError e) {
                    if (name.equals(services.settings().backend())) {
                        LOG.error("The broker cannot start: backend {} cannot serve it: {}", name, e.getMessage());
                        new StartedBackends(serving).close();
                        throw new IllegalStateException("backend " + name + " cannot serve this broker: " + e.getMessage(), e);
                    }
                    LOG.warn("Backend {} cannot serve this broker; subscriptions that choose it keep their index in memory: {}",
                            name, e.getMessage());
                }
            }
        }
        return new StartedBackends(serving);
    }

    /**
     * The store of a dispatcher's subscription; empty if the backend stores nothing, for its cursor or at all, and once the
     * dispatcher is closed, since its topic may have another owner. Snapshots of other backends are deleted: the cursor's
     * backlog is read again into the new index.
     */
    Optional<SubscriptionStore> open(String backendName, AbstractPersistentDispatcherMultipleConsumers dispatcher) {
        ManagedCursor cursor = dispatcher.getCursor();
        if (!cursor.isDurable() || dispatcher.isClosed()) {
            return Optional.empty();
        }
        serving.forEach((name, indexes) -> {
            if (!name.equals(backendName)) {
                logFailure("deleting what backend " + name + " has stored for " + cursor.getName(), indexes.removeAll(cursor));
            }
        });
        return Optional.ofNullable(serving.get(backendName)).map(indexes -> indexes.open(cursor));
    }

    /** The journals of acknowledgements; empty if no backend has a storage. */
    Optional<JournalStore> journals() {
        return serving.values().stream().flatMap(indexes -> indexes.journals().stream()).findFirst();
    }

    /** A page of ledgers that nothing names, of the storage that keeps any; empty if no backend has a storage. */
    Optional<CompletableFuture<StoredOrphans>> orphans(long afterLedgerId) {
        return serving.values().stream().flatMap(indexes -> indexes.orphans(afterLedgerId).stream()).findFirst();
    }

    CompletableFuture<Void> removeAll(ManagedCursor cursor) {
        CompletableFuture<Void> indexesGone = CompletableFuture.allOf(serving.values().stream()
                .map(indexes -> indexes.removeAll(cursor)).toArray(CompletableFuture[]::new));
        return journals().map(kept -> CompletableFuture.allOf(indexesGone, kept.removeAll(cursor))).orElse(indexesGone);
    }

    /** The figures of all of them. Fresh. */
    Samples samples() {
        Samples figures = new Samples();
        serving.values().forEach(indexes -> figures.putAll(indexes.samples()));
        return figures;
    }

    void close() {
        serving.forEach((name, indexes) -> logFailure("closing backend " + name, indexes.close()));
    }

    private static void logFailure(String what, CompletableFuture<Void> done) {
        CompletableFuture<Void> unused = done.exceptionally(failure -> {
            LOG.warn("Failed: {}", what, failure);
            return null;
        });
    }
}
