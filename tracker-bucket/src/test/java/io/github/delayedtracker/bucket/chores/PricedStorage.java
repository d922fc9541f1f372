/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Ledgers in memory where every call takes a time, and reads of metadata pass through a server that answers so many a second,
 * first come first served. Nothing fails. Counts its calls.
 */
final class PricedStorage implements SnapshotStorage {

    private static final int MAX_ENTRY_BYTES = 5 << 20;
    private static final double MILLIS_A_SECOND = 1_000;

    private final JobTime time;
    private final long callMillis;
    private final double metadataReadMillis;
    private final TreeMap<Long, Ledger> ledgers = new TreeMap<>();
    private final Map<String, Long> calls = new HashMap<>();
    private long nextLedgerId;
    private double serverBusyUntilMillis;
    private int underWay;
    private int mostUnderWay;
    private int givenUp;

    private record Ledger(SnapshotOwner owner, List<byte[]> entries) {
        long bytes() {
            return entries.stream().mapToLong(entry -> entry.length).sum();
        }
    }

    /** Empty. */
    PricedStorage(JobTime time, long callMillis, double metadataReadsASecond) {
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

    private <T> CompletableFuture<T> after(String name, long millis, Supplier<T> outcome) {
        calls.merge(name, 1L, Long::sum);
        mostUnderWay = Math.max(mostUnderWay, ++underWay);
        CompletableFuture<T> answer = new CompletableFuture<>();
        time.after(millis, () -> {
            underWay--;
            if (answer.isDone()) {
                givenUp++;
            } else {
                try {
                    answer.complete(outcome.get());
                } catch (RuntimeException e) {
                    answer.completeExceptionally(e.getCause());
                }
            }
        });
        return answer;
    }

    private <T> CompletableFuture<T> answered(String name, Supplier<T> outcome) {
        return after(name, callMillis, outcome);
    }

    private <T> CompletableFuture<T> metadata(String name, Supplier<T> outcome) {
        serverBusyUntilMillis = Math.max(serverBusyUntilMillis, time.nowMillis()) + metadataReadMillis;
        return after(name, callMillis + (long) serverBusyUntilMillis - time.nowMillis(), outcome);
    }

    private Ledger known(long ledgerId) {
        return Optional.ofNullable(ledgers.get(ledgerId)).orElseThrow(() -> new IllegalStateException(
                new StorageException(StorageException.Kind.NO_SUCH_LEDGER, "ledger " + ledgerId)));
    }

    /** The properties of a cursor, each update of which takes a call. */
    Properties catalogue() {
        return new Properties();
    }

    @Override
    public int maxEntryBytes() {
        return MAX_ENTRY_BYTES;
    }

    @Override
    public CompletableFuture<SnapshotWriter> create(SnapshotOwner owner) {
        return answered("create", () -> {
            long ledgerId = nextLedgerId++;
            Ledger ledger = new Ledger(owner, new ArrayList<>());
            ledgers.put(ledgerId, ledger);
            return new Writer(ledgerId, ledger);
        });
    }

    @Override
    public CompletableFuture<SnapshotReader> open(long ledgerId) {
        return metadata("open", () -> new Reader(ledgerId, known(ledgerId)));
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        return answered("delete", () -> {
            ledgers.remove(ledgerId);
            return null;
        });
    }

    @Override
    public CompletableFuture<Optional<SnapshotOwner>> ownerOf(long ledgerId) {
        return metadata("ownerOf", () -> Optional.of(known(ledgerId).owner()));
    }

    @Override
    public CompletableFuture<List<Long>> list(long afterLedgerId, int limit) {
        return answered("list", () -> ledgers.tailMap(afterLedgerId, false).keySet().stream().limit(limit).toList());
    }

    @Override
    public CompletableFuture<Void> close() {
        return CompletableFuture.completedFuture(null);
    }

    private final class Writer implements SnapshotWriter {
        private final long ledgerId;
        private final Ledger ledger;

        Writer(long ledgerId, Ledger ledger) {
            this.ledgerId = ledgerId;
            this.ledger = ledger;
        }

        @Override
        public long ledgerId() {
            return ledgerId;
        }

        @Override
        public CompletableFuture<Long> append(ByteBuf entry) {
            byte[] bytes = new byte[entry.readableBytes()];
            entry.readBytes(bytes);
            entry.release();
            ledger.entries().add(bytes);
            long number = ledger.entries().size() - 1L;
            return answered("append", () -> number);
        }

        @Override
        public CompletableFuture<Void> close() {
            return answered("close", () -> null);
        }

        @Override
        public CompletableFuture<Void> abandon() {
            return delete(ledgerId);
        }
    }

    private final class Reader implements SnapshotReader {
        private final long ledgerId;
        private final Ledger ledger;

        Reader(long ledgerId, Ledger ledger) {
            this.ledgerId = ledgerId;
            this.ledger = ledger;
        }

        @Override
        public long ledgerId() {
            return ledgerId;
        }

        @Override
        public long lastEntryId() {
            return ledger.entries().size() - 1L;
        }

        @Override
        public long lengthBytes() {
            return ledger.bytes();
        }

        @Override
        public CompletableFuture<ByteBuf> read(long entryId) {
            return answered("read", () -> Unpooled.wrappedBuffer(ledger.entries().get((int) entryId)));
        }

        @Override
        public CompletableFuture<List<ByteBuf>> read(long firstEntryId, long lastEntryId) {
            return answered("read", () -> ledger.entries().subList((int) firstEntryId, (int) lastEntryId + 1).stream()
                    .map(Unpooled::wrappedBuffer).toList());
        }

        @Override
        public void close() {
            // Nothing is held.
        }
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
            return answered("readStored", () -> Map.copyOf(properties));
        }

        @Override
        public CompletableFuture<Void> put(String name, String value) {
            return answered("put", () -> {
                properties.put(name, value);
                return null;
            });
        }

        @Override
        public CompletableFuture<Void> remove(String name) {
            return answered("remove", () -> {
                properties.remove(name);
                return null;
            });
        }

        @Override
        public CompletableFuture<Void> close() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
