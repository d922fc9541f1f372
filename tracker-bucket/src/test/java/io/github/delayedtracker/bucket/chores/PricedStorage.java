/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.MemoryStorage;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Ledgers in memory where every call takes a time, and reads of metadata pass through a server that answers so many a second,
 * first come first served. Nothing fails. Counts its calls.
 */
final class PricedStorage extends MemoryStorage {

    private static final int MAX_ENTRY_BYTES = 5 << 20;
    private static final double MILLIS_A_SECOND = 1_000;
    private static final Set<String> METADATA_READS = Set.of("open", "ownerOf");

    private final JobTime time;
    private final long callMillis;
    private final double metadataReadMillis;
    private final Map<String, Long> calls = new HashMap<>();
    private double serverBusyUntilMillis;
    private int underWay;
    private int mostUnderWay;
    private int givenUp;

    /** Empty. */
    PricedStorage(JobTime time, long callMillis, double metadataReadsASecond) {
        super(MAX_ENTRY_BYTES);
        this.time = time;
        this.callMillis = callMillis;
        this.metadataReadMillis = MILLIS_A_SECOND / metadataReadsASecond;
    }

    /** How often a call was made. */
    long calls(String name) {
        return calls.getOrDefault(name, 0L);
    }

    /** How many calls were under way at a time, at most. */
    int mostUnderWay() {
        return mostUnderWay;
    }

    /** How many calls were given up before their answer came. */
    int givenUp() {
        return givenUp;
    }

    /** A call that nobody waits for any more does nothing. */
    @Override
    protected <T> CompletableFuture<T> answer(String call, Effect<T> effect, Consumer<T> dispose) {
        long millis = callMillis;
        if (METADATA_READS.contains(call)) {
            serverBusyUntilMillis = Math.max(serverBusyUntilMillis, time.nowMillis()) + metadataReadMillis;
            millis += (long) serverBusyUntilMillis - time.nowMillis();
        }
        calls.merge(call, 1L, Long::sum);
        mostUnderWay = Math.max(mostUnderWay, ++underWay);
        CompletableFuture<T> answer = new CompletableFuture<>();
        time.after(millis, () -> {
            underWay--;
            if (answer.isDone()) {
                givenUp++;
            } else {
                try {
                    answer.complete(effect.take());
                } catch (StorageException e) {
                    answer.completeExceptionally(e);
                }
            }
        });
        return answer;
    }

    /** The properties of a cursor, each update of which takes a call. */
    Properties catalogue() {
        return new Properties();
    }

    /** A cursor. */
    final class Properties implements CatalogueStore {
        private final Map<String, String> properties = new TreeMap<>();

        @Override
        public CompletableFuture<Map<String, String>> readAll() {
            return CompletableFuture.completedFuture(Map.copyOf(properties));
        }

        @Override
        public CompletableFuture<Map<String, String>> readStored() {
            return answer("readStored", () -> Map.copyOf(properties), late -> { });
        }

        @Override
        public CompletableFuture<Void> put(String name, String value) {
            return answer("put", () -> {
                properties.put(name, value);
                return null;
            }, late -> { });
        }

        @Override
        public CompletableFuture<Void> remove(String name) {
            return answer("remove", () -> {
                properties.remove(name);
                return null;
            }, late -> { });
        }

        @Override
        public CompletableFuture<Void> close() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
