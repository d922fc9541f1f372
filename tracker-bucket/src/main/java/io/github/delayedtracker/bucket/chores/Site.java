/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.index.BucketState;
import io.github.delayedtracker.bucket.index.BucketWatcher;
import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.record.StockCatalogue;
import io.github.delayedtracker.bucket.record.StockRanges;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.steps.StockWriting;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.WithStockLedgers;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the works of one subscription have in common: its index with its lock, its steps, its record. The index is touched only
 * within {@link #locked} and {@link #inSlices}, with no other lock held.
 */
final class Site implements BucketWatcher {

    private static final Logger LOG = LoggerFactory.getLogger(Site.class);

    /** Of changes of state that wait to be logged; there are as many only where nobody logs them. */
    private static final int MOST_CHANGES = 1_000;

    /** Looks at positions from one index to before another, under the lock. */
    @FunctionalInterface
    interface Slice {
        void look(int from, int to);
    }

    final BucketServices services;
    final BucketKey key;
    final BucketIndex index;
    private final IndexHost host;
    final Leftovers leftovers = new Leftovers();
    final CatalogueKeeper keeper;
    final BucketFigures figures;
    final SnapshotOwner owner;
    final SnapshotStorage storage;
    /** How snapshots are written in the stock form; empty if they are not. */
    final Optional<StockWriting> stockWriting;
    private final Warnings.Own warned = new Warnings.Own();
    /** There if {@link #stockWriting} is. */
    final Optional<StockFigures> stockFigures;
    /** What is to be logged of buckets, oldest first; null for nothing. Touched under the lock of the index only. */
    private List<String> changes;
    private volatile Steps steps;
    private volatile boolean closed;

    Site(BucketServices services, BucketOrigin origin, Optional<StockSnapshots> stock, IndexHost host, BucketIndex index,
            BucketFigures figures) {
        CatalogueStore catalogue = origin.catalogue();
        this.services = services;
        this.key = origin.key();
        this.host = host;
        this.index = index;
        this.figures = figures;
        this.owner = new SnapshotOwner(key.topic(), key.cursor(), services.wallMillis().getAsLong());
        this.storage = storage(services, owner, stock);
        this.stockWriting = stock.filter(StockSnapshots::kept).map(kept ->
                new StockWriting(kept.ledgers(), kept.owner(), new StockRanges()));
        this.stockFigures = stockWriting.map(writing -> new StockFigures(figures));
        CatalogueStore record = stockWriting.<CatalogueStore>map(writing ->
                new StockCatalogue(catalogue, stock.get().properties(), writing.ranges())).orElse(catalogue);
        this.steps = Steps.of(services, storage, owner, leftovers, stockWriting);
        this.keeper = new CatalogueKeeper(record, storage, owner,
                new Retries(services.timer(), services.threads(), services.jitter(), services.limits()), leftovers);
    }

    /** The storage in which the stock ledgers of a subscription are its own. */
    static SnapshotStorage storage(BucketServices services, SnapshotOwner owner, Optional<StockSnapshots> stock) {
        return stock.<SnapshotStorage>map(found ->
                new WithStockLedgers(services.storage(), owner, found.ledgers(), found.owner())).orElse(services.storage());
    }

    IndexHost host() {
        return host;
    }

    Steps steps() {
        return steps;
    }

    /** Gives up the steps under way; later ones begin afresh. */
    void abandonSteps() {
        Steps old = steps;
        steps = Steps.of(services, storage, owner, leftovers, stockWriting);
        old.abandon();
    }

    /** Gives up the steps under way; later ones end at once. */
    void close() {
        closed = true;
        steps.abandon();
    }

    boolean isClosed() {
        return closed;
    }

    BucketSettings settings() {
        return services.settings();
    }

    /** How long ahead segments are loaded. */
    long loadAheadMillis() {
        return services.budget().loadAheadMillis(settings().prefetchMillis());
    }

    long nowMillis() {
        return services.wallMillis().getAsLong();
    }

    /** An operation that was begun at some time has succeeded. */
    void took(StockFigures.Operation operation, long begunMillis) {
        stockFigures.ifPresent(stock -> stock.took(operation, Math.max(0, nowMillis() - begunMillis)));
    }

    /** When something that has failed for good may be tried again. */
    long restUntilMillis() {
        long pauseMillis = settings().pauseMillis();
        return nowMillis() + pauseMillis / 2 + services.jitter().applyAsLong(Math.max(1, pauseMillis / 2));
    }

    /** The same for something that has failed before as well: the rest is doubled so often. */
    long restUntilMillis(int doublings) {
        long nowMillis = nowMillis();
        return nowMillis + (Math.max(0, restUntilMillis() - nowMillis) << doublings);
    }

    /** A short call of the index, under the lock. */
    <T> T locked(Supplier<T> call) {
        return host.change(sink -> call.get());
    }

    /** The same without an answer. */
    void change(Runnable call) {
        host.change(sink -> {
            call.run();
            return null;
        });
    }

    /** Runs something on the threads that work for all subscriptions, not at all when the broker ends. */
    void soon(Runnable task) {
        try {
            services.threads().execute(() -> {
                try {
                    task.run();
                } catch (Throwable e) {
                    warn("Some work failed; it is begun again with the next look", e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("[{}] Nothing is begun any more", key);
        }
    }

    /** A long look in short ones. */
    void inSlices(int count, Slice slice) {
        int length = settings().slice();
        for (int from = 0; from < count; from += length) {
            int begin = from;
            change(() -> slice.look(begin, Math.min(count, begin + length)));
        }
    }

    /** Those of some positions that pass a test made under the lock. */
    BitSet chosen(SegmentColumns columns, Chooser chooser) {
        BitSet chosen = new BitSet(columns.count());
        inSlices(columns.count(), (from, to) -> chooser.choose(from, to, chosen));
        return chosen;
    }

    /** Sets the bits of positions from one index to before another. */
    @FunctionalInterface
    interface Chooser {
        int choose(int from, int to, BitSet into);
    }

    void warn(String what, Throwable failure) {
        if (!closed) {
            services.warnings().write(LOG, warned, key, what, failure);
        }
    }

    /** A step that has succeeded. */
    void debug(String what, Object... values) {
        if (LOG.isDebugEnabled()) {
            Object[] all = new Object[values.length + 1];
            all[0] = key;
            System.arraycopy(values, 0, all, 1, values.length);
            LOG.debug("[{}] " + what, all);
        }
    }

    /** Nothing is logged under the lock: it is noted if anybody wants to know. */
    @Override
    public void changed(long ledgerId, BucketState from, BucketState to, String reason) {
        if (LOG.isDebugEnabled()) {
            if (changes == null) {
                changes = new ArrayList<>(1);
                soon(this::logChanges);
            }
            if (changes.size() < MOST_CHANGES) {
                changes.add((ledgerId < 0 ? "Bucket without a ledger" : "Bucket of ledger " + ledgerId) + " went from " + from
                        + " to " + to + ": " + reason);
            }
        }
    }

    private synchronized void logChanges() {
        List<String> noted = new ArrayList<>();
        change(() -> {
            noted.addAll(changes);
            changes = null;
        });
        noted.forEach(change -> debug("{}", change));
    }

    void info(String what) {
        LOG.info("[{}] {}", key, what);
    }
}
