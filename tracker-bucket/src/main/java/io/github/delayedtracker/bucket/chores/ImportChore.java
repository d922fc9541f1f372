/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.record.StockProperties;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.steps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Retries;
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
 * Takes over what the stock bucket tracker has left, one snapshot after the other and each for itself: writes what still waits in
 * it as a bucket; one update of the record names the new ledger and dooms the stock one; then the stock property is removed; then
 * the stock ledger is deleted as any doomed one. A property whose ledger the record dooms is therefore done with: after a crash
 * it is removed and not imported again. Steps that change something are called in the subscription's order.
 */
final class ImportChore {

    /** One stock snapshot to import. */
    record Stock(String property, long ledgerId) {
    }

    /** What was written for one, and until when what is due was left out. */
    record Imported(Optional<WrittenSnapshot> written, long pastMillis) {
    }

    private final Site site;
    private final RecordWork record;
    /** Null where there is nothing of the stock tracker to be found. */
    private final StockProperties properties;
    /** The ledgers of the properties that may still be there. */
    private final Map<String, Long> named = new ConcurrentHashMap<>();
    private final Queue<String> removable = new ConcurrentLinkedQueue<>();
    private volatile long restsUntilMillis;

    ImportChore(Site site, RecordWork record, Optional<StockSnapshots> stock) {
        this.site = site;
        this.record = record;
        this.properties = stock.map(found -> new StockProperties(found.properties(), new Retries(site.services.timer(),
                site.services.threads(), site.services.jitter(), site.services.limits()))).orElse(null);
    }

    /** Looks for stock snapshots; those still to be imported by the record, the first ledgers of the topic first. */
    CompletableFuture<List<Stock>> find(CatalogueRecord known) {
        return properties == null ? CompletableFuture.completedFuture(List.of()) : properties.read().thenApply(found -> {
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

    /** Writes what of a stock snapshot waits and is not due yet; what is due the rewound cursor reads by itself. */
    CompletableFuture<Imported> write(Stock stock) {
        if (!named.containsKey(stock.property())) {
            return CompletableFuture.completedFuture(new Imported(Optional.empty(), -1));
        }
        long pastMillis = site.nowMillis();
        long[] markDelete = {-1, -1};
        site.host().markDelete((ledger, entry) -> {
            markDelete[0] = ledger;
            markDelete[1] = entry;
        });
        return site.steps().imports().run(stock.ledgerId(),
                (source, columns) -> CompletableFuture.completedFuture(waiting(columns, pastMillis, markDelete)),
                bytes -> Futures.DONE).thenApply(written -> new Imported(written, pastMillis));
    }

    private static BitSet waiting(SegmentColumns columns, long pastMillis, long[] markDelete) {
        BitSet waiting = new BitSet(columns.count());
        for (int at = 0; at < columns.count(); at++) {
            long ledgerId = columns.ledgerId(at);
            boolean deleted = ledgerId < markDelete[0] || ledgerId == markDelete[0] && columns.entryId(at) <= markDelete[1];
            waiting.set(at, !deleted && columns.dueMillis(at) > pastMillis);
        }
        return waiting;
    }

    /**
     * Has it recorded that a stock snapshot is done with.
     *
     * @param whenOver run once, after what is recorded, or when everything recorded is to be removed instead
     */
    CompletableFuture<Boolean> record(Stock stock, Optional<WrittenSnapshot> written, Runnable whenDurable, Runnable whenOver) {
        if (site.isClosed() || !named.containsKey(stock.property())) {
            written.ifPresent(snapshot -> site.leftovers.unwanted(snapshot.ledgerId()));
            whenOver.run();
            return site.keeper.deleteLeftovers().thenApply(deletions -> false);
        }
        return record.update(before -> before.imported(stock.ledgerId(), written.map(WrittenSnapshot::ledgerId)), () -> {
            written.ifPresent(snapshot -> {
                site.figures.add(Figure.IMPORTS_TOTAL, 1);
                site.figures.add(Figure.IMPORTED_POSITIONS_TOTAL, snapshot.positions().size());
            });
            whenDurable.run();
            removable.add(stock.property());
            whenOver.run();
        }, whenOver);
    }

    /** A stock snapshot of somebody else: its property goes, its ledger stays. */
    void leave(Stock stock) {
        removable.add(stock.property());
    }

    /** Removes the properties of what is done with. */
    CompletableFuture<Void> removeProperties() {
        String name = removable.peek();
        if (name == null || site.isClosed() || site.nowMillis() < restsUntilMillis) {
            return Futures.DONE;
        }
        return properties.remove(name).handle((done, failure) -> {
            if (failure != null) {
                site.warn("Stock property " + name + " was not removed; its ledger is kept until it is", failure);
                restsUntilMillis = site.restUntilMillis();
                return false;
            }
            removable.remove(name);
            named.remove(name);
            return true;
        }).thenCompose(removed -> removed ? removeProperties() : Futures.DONE);
    }

    /** When to look again though nothing happens, or never. */
    long nextMillis() {
        return removable.isEmpty() ? Long.MAX_VALUE : restsUntilMillis;
    }

    /** Whether no stock property is left, as far as is known. */
    boolean isIdle() {
        return named.isEmpty() && removable.isEmpty();
    }

    /** Ledgers that a stock property may still name, so that they are not to be deleted. */
    Set<Long> held() {
        return new HashSet<>(named.values());
    }

    /** Everything stored is deleted: so are the stock snapshots, those not imported yet among them. */
    CompletableFuture<Void> removeAll() {
        if (properties == null) {
            return Futures.DONE;
        }
        removable.clear();
        named.clear();
        return properties.removeAll(site.storage, site.owner, site.settings().clearMillis()).thenAccept(deletions -> {
            if (!deletions.left().isEmpty()) {
                site.info("Stock ledgers left in storage: " + deletions.left());
            }
        });
    }

    CompletableFuture<Void> close() {
        return properties == null ? Futures.DONE : properties.close();
    }
}
