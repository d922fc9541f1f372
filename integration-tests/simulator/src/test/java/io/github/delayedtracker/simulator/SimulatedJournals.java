/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.acks.JournalLedgers;
import io.github.delayedtracker.backend.JournalStore;
import io.github.delayedtracker.bucket.journal.StoredJournalLedgers;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.record.JournalNames;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.bookkeeper.mledger.ManagedCursor;

/** The journals of acknowledgements of one broker life: the real ledgers and names, on the double of the storage. */
final class SimulatedJournals implements JournalStore {

    private final StorageLife storage;
    private final Retries retries;
    private final LongSupplier wallMillis;
    private final Map<Content, Integer> open = new EnumMap<>(Content.class);
    private int closing;
    private boolean twoWriters;
    private CompletableFuture<Void> removal = CompletableFuture.completedFuture(null);

    SimulatedJournals(World world, StorageLife storage, SimulatedTimer timer, Executor threads) {
        Scheduler scheduler = world.scheduler();
        this.storage = storage;
        this.wallMillis = scheduler::wallMillis;
        this.retries = new Retries(timer, threads, bound -> scheduler.draw((int) Math.min(bound - 1, Integer.MAX_VALUE - 1)),
                SimulatedBuckets.LIMITS, scheduler::wallMillis, scheduler::nowMillis);
    }

    private static String property(Content content) {
        return content == Content.ACKNOWLEDGEMENTS ? JournalNames.ACKS : JournalNames.MOVES;
    }

    private Optional<String> text(Content content) {
        return Optional.ofNullable(storage.propertiesOf(SimulatedBuckets.TOPIC, SimulatedBuckets.CURSOR)
                .get(CatalogueStore.PROPERTY_PREFIX + property(content)));
    }

    @Override
    public boolean isNamed(ManagedCursor cursor, Content content) {
        return text(content).isPresent();
    }

    @Override
    public Optional<JournalLedgers> open(ManagedCursor cursor, Content content) {
        twoWriters |= open.merge(content, 1, Integer::sum) > 1;
        return Optional.of(new Watched(content, ledgers(content)));
    }

    /** Tells when they are closed. */
    private final class Watched implements JournalLedgers {
        private final Content content;
        private final JournalLedgers watched;

        private Watched(Content content, JournalLedgers watched) {
            this.content = content;
            this.watched = watched;
        }

        @Override
        public int mostBytes() {
            return watched.mostBytes();
        }

        @Override
        public CompletableFuture<Writer> create() {
            return watched.create();
        }

        @Override
        public CompletableFuture<List<ByteBuffer>> read(long ledgerId) {
            return watched.read(ledgerId);
        }

        @Override
        public CompletableFuture<Void> delete(long ledgerId) {
            return watched.delete(ledgerId);
        }

        @Override
        public List<Long> named() {
            return watched.named();
        }

        @Override
        public CompletableFuture<Void> name(List<Long> ledgerIds) {
            return watched.name(ledgerIds);
        }

        @Override
        public CompletableFuture<Void> close() {
            open.merge(content, -1, Integer::sum);
            closing++;
            return watched.close().whenComplete((done, failure) -> closing--);
        }
    }

    /** A tracker is about to be made: one before may still write. */
    void newTracker() {
        twoWriters |= closing > 0;
    }

    /** A tracker is about to be made that nobody closes. */
    void trackerOfALateRead() {
        twoWriters = true;
    }

    /** Whether nobody writes names but a tracker that its dispatcher closes. */
    boolean hasOneWriter() {
        return !twoWriters && removal.isDone();
    }

    /** What the factory does for a subscription that is deleted and has no tracker. */
    void removeAll() {
        removal = removeEach();
    }

    private CompletableFuture<Void> removeEach() {
        return CompletableFuture.allOf(Arrays.stream(Content.values()).filter(content -> text(content).isPresent())
                .map(content -> ledgers(content).removeAll()).toArray(CompletableFuture[]::new));
    }

    private StoredJournalLedgers ledgers(Content content) {
        List<Long> named;
        try {
            named = text(content).isPresent() ? JournalNames.decode(text(content).get()) : List.of();
        } catch (StorageException e) {
            throw new IllegalStateException("nobody damages names", e);
        }
        return new StoredJournalLedgers(storage.storage(),
                storage.catalogue(SimulatedBuckets.TOPIC, SimulatedBuckets.CURSOR, CatalogueStore.PROPERTY_PREFIX),
                new SnapshotOwner(SimulatedBuckets.TOPIC, SimulatedBuckets.CURSOR, wallMillis.getAsLong()), retries.fresh(),
                wallMillis, property(content), named, () -> { });
    }

    @Override
    public CompletableFuture<Void> removeAll(ManagedCursor cursor) {
        return removeEach();
    }
}
