/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.backend.StoredParts.StoredPart;
import io.github.delayedtracker.backend.StoredParts;
import io.github.delayedtracker.backend.StoredRuns;
import io.github.delayedtracker.backend.SubscriptionStore;
import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.chores.BucketOrigin.StockSnapshots;
import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.index.BucketSummary;
import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.record.StockProperties;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.executor.NoThreadException;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.wakeup.Deadlines;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The buckets of one subscription. It <em>rests</em> while nothing of it is stored and it holds few positions: then it has no
 * chores, only a small index. Chores are made at the start, to recover. They are also made when an add makes a resting index long
 * enough to be worth a ledger. They end with a round that finds nothing stored and few positions.
 *
 * <p>Chores are made and let go in the order of the subscription's tasks. The index changes its form under the subscription's
 * lock: from a small index to one of buckets before there are chores, back before they are let go. So between two tasks there are
 * no chores only while nothing is stored.
 */
public final class SubscriptionBuckets implements SubscriptionStore {

    /**
     * The longest wait of a close for an update of the record. The broker closes the cursor after it, which writes its position
     * then. An update usually takes milliseconds. A metadata store that holds one up for longer would hold that up too.
     */
    static final long CLOSE_MILLIS = 2_000;

    private static final Logger LOG = LoggerFactory.getLogger(SubscriptionBuckets.class);

    private final BucketServices services;
    private final BucketOrigin origin;
    private final RestingIndex index;
    private volatile IndexHost host;
    /** The chores; null at rest. */
    private volatile Chores chores;
    /** The figures counted; null while nothing was. */
    private volatile BucketFigures figures;
    private volatile boolean closed;

    /** Empty buckets that do nothing before {@link #start}. */
    public SubscriptionBuckets(BucketServices services, BucketOrigin origin) {
        this.services = services;
        this.origin = origin;
        this.index = new RestingIndex(services.newPart(), services.settings(), this::wake);
    }

    /**
     * Deletes everything stored for a subscription that has no tracker here, after the tasks that its last tracker has still to
     * do. Never fails, and answers in bounded time.
     */
    public static CompletableFuture<Void> removeAll(BucketServices services, BucketOrigin origin) {
        BucketKey key = origin.key();
        Optional<StockSnapshots> stock = origin.stock();
        SnapshotOwner owner = new SnapshotOwner(key.topic(), key.cursor(), services.wallMillis().getAsLong());
        SnapshotStorage storage = Chores.storage(services, owner, stock);
        Retries retries = services.retries().fresh();
        long withinMillis = services.settings().clearMillis();
        CatalogueKeeper keeper = new CatalogueKeeper(origin.catalogue(), storage, owner, retries, new Leftovers());
        Optional<StockProperties> properties = stock.map(found -> new StockProperties(found.properties(), retries));
        CompletableFuture<Void> removed = services.executor().submit(key, () -> keeper.removeAll(withinMillis)
                .thenCompose(removal -> properties.isEmpty() ? Futures.DONE
                        : properties.get().removeAll(storage, owner, withinMillis).<Void>thenApply(deletions -> null)));
        // An update that was given up may still be answered: the next opener of the cursor has to know when.
        Futures.whenDone(Futures.begun(() -> services.executor().submit(key, () ->
                Deadlines.within(services.retries().limits().timeoutMillis(), services.timer(),
                        CompletableFuture.allOf(keeper.close(), properties.map(StockProperties::close).orElse(Futures.DONE))))),
                (written, failure) -> { });
        return removed.handle((removal, failure) -> null);
    }

    @Override
    public DelayIndex index() {
        return index;
    }

    /** The index of the chores; empty at rest. */
    Optional<BucketIndex> awakeIndex() {
        return index.awake();
    }

    @Override
    public StoredRuns storedRuns(long fromMillis, long untilMillis) {
        Optional<BucketIndex> buckets = index.awake();
        Chores now = chores;
        return buckets.isEmpty() ? StoredLook.NOTHING : now == null ? StoredLook.UNKNOWN
                : now.storedRuns(buckets.get().loads().asleep(fromMillis, untilMillis), fromMillis, untilMillis);
    }

    @Override
    public long nextStoredMillis() {
        return index.awake().map(buckets -> buckets.loads().nextAsleepMillis()).orElse(DelayIndex.NEVER);
    }

    @Override
    public long lastStoredMillis() {
        return index.awake().map(buckets -> buckets.loads().lastAsleepMillis()).orElse(DelayIndex.NO_TIME);
    }

    @Override
    public StoredParts storedParts() {
        Optional<BucketIndex> buckets = index.awake();
        Chores now = chores;
        return buckets.isEmpty() || now == null ? StoredParts.NONE
                : new StoredParts(buckets.get().summaries().stream().map(SubscriptionBuckets::part).toList(), now.recorded());
    }

    private static StoredPart part(BucketSummary bucket) {
        return new StoredPart(bucket.ledgerId(), bucket.state().name().toLowerCase(Locale.ROOT), bucket.isLive(),
                bucket.sleeping(), bucket.bytes(), bucket.segments(), bucket.asleep(), bucket.firstDueMillis(),
                bucket.lastDueMillis());
    }

    @Override
    public void start(IndexHost newHost) {
        host = newHost;
        CompletableFuture<Void> before = inOrder("Waiting for the tracker before", () -> Futures.DONE);
        newHost.change(sink -> {
            index.wakeUp();
            return null;
        });
        begin(made -> made.recover(before));
    }

    @Override
    public void sweep() {
        Chores now = chores;
        if (now != null) {
            now.beginRound();
        } else if (index.wantsChores()) {
            // The call was passed on, and may have been dropped.
            wake();
        }
    }

    private void wake() {
        Futures.whenDone(inOrder("Waking the buckets", () -> {
            goOnIfWoken();
            return Futures.DONE;
        }), (done, failure) -> { });
    }

    private void goOnIfWoken() {
        if (chores == null && index.wantsChores()) {
            begin(Chores::goOn);
        }
    }

    /** Makes chores for an index of buckets, unless closed. */
    private void begin(Consumer<Chores> how) {
        BucketFigures counted = figures == null ? new BucketFigures() : figures;
        Chores made = new Chores(services, origin, host, index.awake().orElseThrow(), counted, this::rest);
        how.accept(made);
        boolean wanted;
        synchronized (this) {
            wanted = !closed;
            chores = made;
        }
        if (wanted) {
            made.beginRound();
        } else {
            Futures.whenDone(made.stop(), (written, failure) -> { });
        }
    }

    /** Lets the chores go. In the subscription's order, with nothing stored. */
    private CompletableFuture<Void> rest() {
        if (!host.change(sink -> index.rest())) {
            return Futures.DONE;
        }
        Chores over = chores;
        figures = over.counted();
        // The outcome of every update is known by now.
        Futures.whenDone(over.stop(), (written, failure) -> { });
        over.end();
        synchronized (this) {
            chores = null;
        }
        return Futures.DONE;
    }

    @Override
    public CompletableFuture<Void> clear() {
        Chores before = chores;
        if (before == null && index.awake().isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        if (before != null) {
            before.beginClear();
        }
        CompletableFuture<Void> cleared = inOrder("Deleting everything stored", () -> clear(before));
        Futures.whenDone(cleared, (removal, failure) -> {
            Chores now = chores;
            if (now != null) {
                now.endClear();
            }
        });
        return Deadlines.within(services.settings().clearMillis(), services.timer(), cleared);
    }

    /** Clears with the present chores. New ones must not write the positions they woke for. Without chores nothing is stored. */
    private CompletableFuture<Void> clear(Chores before) {
        goOnIfWoken();
        Chores now = chores;
        if (now == null) {
            return Futures.DONE;
        }
        if (now != before) {
            now.beginClear();
        }
        return now.clear();
    }

    @Override
    @CanIgnoreReturnValue
    public CompletableFuture<Void> close() {
        Chores now;
        synchronized (this) {
            closed = true;
            now = chores;
        }
        if (now == null) {
            return Futures.DONE;
        }
        CompletableFuture<Void> written = now.stop();
        Futures.whenDone(inOrder("Closing the record", () -> {
            now.end();
            // The next opener of the cursor has to read a record that nobody is writing.
            return Deadlines.within(services.retries().limits().timeoutMillis(), services.timer(), written);
        }), (done, failure) -> {
            if (failure != null && Futures.cause(failure) instanceof NoThreadException) {
                // Nothing of this subscription is under way, and nothing is begun any more.
                now.end();
            }
        });
        return Deadlines.within(CLOSE_MILLIS, services.timer(), written);
    }

    private CompletableFuture<Void> inOrder(String what, Supplier<CompletableFuture<Void>> task) {
        BucketKey key = origin.key();
        CompletableFuture<Void> done = Futures.begun(() -> services.executor().submit(key, task::get));
        Futures.whenDone(done, (nothing, failure) -> {
            if (failure != null && !closed) {
                services.limits().warnings().write(LOG, new Warnings.Own(), key, what + " failed", failure);
            }
        });
        return done;
    }

    @Override
    public Samples samples() {
        Chores now = chores;
        if (now != null) {
            return now.samples();
        }
        BucketFigures counted = figures == null ? new BucketFigures() : figures;
        IndexHost known = host;
        if (known != null) {
            counted.set(Figure.LOADED_POSITIONS, known.read(index::size));
        }
        return counted.all();
    }
}
