/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.record.DurableRecord;
import io.github.delayedtracker.bucket.record.StockProperties;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.steps.SnapshotSteps;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.index.PositionSink;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The chore that takes over the snapshots of the stock bucket tracker, one after the other and each for itself. It writes the
 * positions that still wait as a bucket. One update of the record names the new ledger and dooms the stock one. Then the stock
 * property is removed, and the stock ledger is deleted as any doomed one. A property with a doomed ledger is therefore done with:
 * after a crash it is removed and not imported again. Steps that change something are called in the subscription's order.
 */
final class ImportChore implements Chore {

    /** One stock snapshot to import. */
    record Stock(String property, long ledgerId) {
    }

    /** The snapshot written for a stock one, and the time up to which due positions were left out. */
    record Imported(Optional<WrittenSnapshot> written, long pastMillis) {
    }

    /** The step that writes the kept positions of a stock snapshot as a new one; empty if there are none. */
    @FunctionalInterface
    interface Import {
        CompletableFuture<Optional<WrittenSnapshot>> run(long ledgerId, SnapshotSteps.Keep keep, SnapshotSteps.Pause pause);
    }

    private final IndexHost host;
    private final ChoreTasks tasks;
    private final DurableRecord record;
    private final Leftovers leftovers;
    private final Import steps;
    private final ChoreClock clock;
    private final ChoreReport report;
    /** The stock properties; empty where there is nothing of the stock tracker to be found. */
    private final Optional<StockProperties> properties;
    /** The ledgers of the properties that may still be there. */
    private final Map<String, Long> named = new ConcurrentHashMap<>();
    private final Queue<String> removable = new ConcurrentLinkedQueue<>();
    private volatile long restsUntilMillis;

    ImportChore(IndexHost host, ChoreTasks tasks, DurableRecord record, Leftovers leftovers, Import steps,
            Optional<StockProperties> properties, ChoreClock clock, ChoreReport report) {
        this.host = host;
        this.tasks = tasks;
        this.record = record;
        this.leftovers = leftovers;
        this.steps = steps;
        this.properties = properties;
        this.clock = clock;
        this.report = report;
    }

    /** Looks for stock snapshots. Answers those still to be imported by the record, the first ledgers of the topic first. */
    CompletableFuture<List<Stock>> find(CatalogueRecord known) {
        return properties.isEmpty() ? CompletableFuture.completedFuture(List.of()) : properties.get().read().thenApply(found -> {
            List<Stock> toDo = new ArrayList<>();
            found.forEach((name, ledger) -> sort(name, ledger, known, toDo));
            return toDo;
        });
    }

    private void sort(String name, OptionalLong ledger, CatalogueRecord known, List<Stock> toDo) {
        named.put(name, ledger.orElse(BucketKey.WHOLE));
        if (ledger.isEmpty() || known.doomed().contains(ledger.getAsLong()) || known.live().contains(ledger.getAsLong())) {
            removable.add(name);
        } else {
            toDo.add(new Stock(name, ledger.getAsLong()));
        }
    }

    /** Writes the positions of a stock snapshot that wait and are not due yet. The rewound cursor reads due ones by itself. */
    CompletableFuture<Imported> write(Stock stock) {
        if (!named.containsKey(stock.property())) {
            return CompletableFuture.completedFuture(new Imported(Optional.empty(), -1));
        }
        long pastMillis = clock.nowMillis();
        MarkDelete markDelete = MarkDelete.of(host);
        return steps.run(stock.ledgerId(),
                (source, columns) -> CompletableFuture.completedFuture(waiting(columns, pastMillis, markDelete)),
                bytes -> Futures.DONE).thenApply(written -> new Imported(written, pastMillis));
    }

    private static BitSet waiting(SegmentColumns columns, long pastMillis, MarkDelete markDelete) {
        BitSet waiting = new BitSet(columns.count());
        for (int at = 0; at < columns.count(); at++) {
            waiting.set(at, columns.dueMillis(at) > pastMillis && !markDelete.covers(columns.ledgerId(at), columns.entryId(at)));
        }
        return waiting;
    }

    /**
     * Records that a stock snapshot is done with.
     *
     * @param whenDurable run once that is durable
     * @param whenOver run once after it, or when everything recorded is to be removed instead
     */
    CompletableFuture<Boolean> record(Stock stock, Optional<WrittenSnapshot> written, Runnable whenDurable, Runnable whenOver) {
        if (tasks.isClosed() || !named.containsKey(stock.property())) {
            written.ifPresent(snapshot -> leftovers.unwanted(snapshot.ledgerId()));
            whenOver.run();
            return record.keeper().deleteLeftovers().thenApply(deletions -> false);
        }
        return record.settled(record.update(before -> before.imported(stock.ledgerId(), written.map(WrittenSnapshot::ledgerId)))
                .thenAccept(durable -> {
                    if (durable) {
                        written.ifPresent(snapshot -> {
                            report.count(Figure.IMPORTS_TOTAL);
                            report.count(Figure.IMPORTED_POSITIONS_TOTAL, snapshot.positions().size());
                        });
                        whenDurable.run();
                        removable.add(stock.property());
                    }
                    whenOver.run();
                }));
    }

    /** Leaves a stock snapshot of somebody else: its property goes, its ledger stays. */
    void leave(Stock stock) {
        removable.add(stock.property());
    }

    /** Removes the properties of the snapshots that are done with. */
    @Override
    public CompletableFuture<Void> run() {
        String name = removable.peek();
        if (name == null || tasks.isClosed() || clock.nowMillis() < restsUntilMillis) {
            return Futures.DONE;
        }
        return properties.orElseThrow().remove(name).handle((done, failure) -> {
            if (failure != null) {
                report.warn("Stock property " + name + " was not removed; its ledger is kept until it is", failure);
                restsUntilMillis = clock.restUntilMillis();
                return false;
            }
            removable.remove(name);
            named.remove(name);
            return true;
        }).thenCompose(removed -> removed ? run() : Futures.DONE);
    }

    @Override
    public long nextMillis() {
        return removable.isEmpty() ? Long.MAX_VALUE : restsUntilMillis;
    }

    /** Whether no stock property is left, as far as is known. */
    @Override
    public boolean isIdle() {
        return named.isEmpty() && removable.isEmpty();
    }

    /** Ledgers that a stock property may still name, so that they are not to be deleted. */
    Set<Long> held() {
        return new HashSet<>(named.values());
    }

    /** Deletes the stock snapshots with everything stored, those not imported yet among them. */
    CompletableFuture<Void> removeAll(SnapshotStorage storage, SnapshotOwner owner, long withinMillis) {
        if (properties.isEmpty()) {
            return Futures.DONE;
        }
        removable.clear();
        named.clear();
        return properties.get().removeAll(storage, owner, withinMillis).thenAccept(deletions -> {
            if (!deletions.left().isEmpty()) {
                report.info("Stock ledgers left in storage: " + deletions.left());
            }
        });
    }

    CompletableFuture<Void> close() {
        return properties.map(StockProperties::close).orElse(Futures.DONE);
    }

    /** The mark-delete position of a subscription as it was when asked for; before every other one while it is unknown. */
    static final class MarkDelete implements PositionSink {

        private long ledgerId = -1;
        private long entryId = -1;

        private MarkDelete() {
        }

        static MarkDelete of(IndexHost host) {
            MarkDelete now = new MarkDelete();
            host.markDelete(now);
            return now;
        }

        @Override
        public void accept(long ledger, long entry) {
            ledgerId = ledger;
            entryId = entry;
        }

        long ledgerId() {
            return ledgerId;
        }

        long entryId() {
            return entryId;
        }

        /** Whether a position is acknowledged with everything before it. */
        boolean covers(long ledger, long entry) {
            return ledger < ledgerId || ledger == ledgerId && entry <= entryId;
        }
    }
}
