/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import io.github.delayedtracker.bucket.snapshot.StockKey;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.DeleteLedgers;
import io.github.delayedtracker.bucket.storage.DeleteLedgers.Deletions;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;

/**
 * The properties of one cursor that name snapshots of the stock bucket tracker. A failed removal has no known outcome. It is to
 * be repeated, and the property counts as there until it succeeds. One call at a time.
 */
public final class StockProperties {

    private final CatalogueStore store;
    private final Retries retries;

    /**
     * Properties of which nothing is read yet.
     *
     * @param store the properties, by names without the stock prefix
     * @param retries give the policy; the steps end with {@link #close} alone
     */
    public StockProperties(CatalogueStore store, Retries retries) {
        this.store = store;
        this.retries = retries.fresh();
    }

    /** Reads the ledger of each property, by name; none where stock could not have written name and value. */
    public CompletableFuture<Map<String, OptionalLong>> read() {
        return Futures.step("reading the stock properties", () -> read(retries));
    }

    private CompletableFuture<Map<String, OptionalLong>> read(Retries policy) {
        return policy.call("reading the stock properties", store::readAll).thenApply(properties -> {
            Map<String, OptionalLong> ledgers = new TreeMap<>();
            properties.forEach((name, value) -> ledgers.put(name, ledgerOf(name, value)));
            return ledgers;
        });
    }

    static OptionalLong ledgerOf(String name, String value) {
        try {
            return StockKey.parse(name).isPresent() && Long.parseLong(value) >= 0 ? OptionalLong.of(Long.parseLong(value))
                    : OptionalLong.empty();
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Removes one property; durable once it answers. */
    public CompletableFuture<Void> remove(String name) {
        return Futures.step("removing stock property " + name,
                () -> retries.call("removing stock property " + name, () -> store.remove(name)));
    }

    /**
     * Deletes the named ledgers that are the subscription's. Removes the properties of ledgers that are gone, of ledgers of
     * somebody else, and of no ledger. Never fails, and answers in bounded time.
     *
     * @param storage a storage to which the subscription's stock ledgers are its own
     */
    public CompletableFuture<Deletions> removeAll(SnapshotStorage storage, SnapshotOwner owner, long withinMillis) {
        Retries bounded = retries.fresh();
        WakeUpTimer.Armed deadline = bounded.abandonAfter(withinMillis);
        return Futures.begun(() -> read(bounded))
                .handle((found, failure) -> found == null ? Map.<String, OptionalLong>of() : found)
                .thenCompose(found -> {
                    Map<String, Long> named = new HashMap<>();
                    found.forEach((name, ledger) -> ledger.ifPresent(id -> named.put(name, id)));
                    return new DeleteLedgers(storage, owner, bounded).deleteAll(named.values()).thenCompose(deletions -> {
                        LongPredicate left = deletions.left()::containsKey;
                        Deque<String> over = new ArrayDeque<>(found.keySet());
                        over.removeIf(name -> found.get(name).isPresent() && left.test(found.get(name).getAsLong()));
                        return Futures.whileTrue(() -> over.isEmpty() ? Futures.NO_MORE
                                : removeOne(bounded, over.remove())).thenApply(done -> deletions);
                    });
                }).whenComplete((deletions, failure) -> deadline.cancel());
    }

    private CompletableFuture<Boolean> removeOne(Retries bounded, String name) {
        return bounded.call("removing stock property " + name, () -> store.remove(name)).handle((done, failure) -> true);
    }

    /**
     * Ends the removals: none begins after this, and none is tried again. Answers as the store does, when the removals begun have
     * ended.
     */
    public CompletableFuture<Void> close() {
        retries.abandon();
        return Futures.closed(store);
    }
}
