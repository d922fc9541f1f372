/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.service;

import io.github.delayedtracker.bucket.RecoveredBucket;
import io.github.delayedtracker.bucket.catalogue.CatalogueRecord;
import io.github.delayedtracker.bucket.jobs.Verdict;
import io.github.delayedtracker.bucket.service.Figures.Figure;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Brings the buckets of the record back, the youngest first, a few at a time, each for itself: one that storage does not give now
 * is tried again for ever, one that is gone, damaged or somebody else's is left to be read again from the topic. Snapshots of the
 * stock bucket tracker come after them and become buckets in the same way. Meanwhile the index hears of every position that reads
 * ask about; what it has given up to them is taken out of what comes back.
 */
final class RecoverWork {

    private static final int UNDER_WAY = 4;

    private final Site site;
    private final TrashWork trash;
    private final ImportWork imports;
    private final Runnable whenOver;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger left = new AtomicInteger();
    private volatile List<Found> found = List.of();
    private volatile boolean skipped;
    private volatile boolean recordRead;
    private volatile boolean over;
    private volatile long begunMillis;

    /** A ledger to bring back: of the record, or of a stock property. */
    private record Found(long ledgerId, Optional<ImportWork.Stock> stock) {

        @Override
        public String toString() {
            return (stock.isPresent() ? "Stock ledger " : "Ledger ") + ledgerId;
        }
    }

    RecoverWork(Site site, TrashWork trash, ImportWork imports, Runnable whenOver) {
        this.site = site;
        this.trash = trash;
        this.imports = imports;
        this.whenOver = whenOver;
    }

    /** From now on the index hears of everything. */
    void prepare() {
        begunMillis = site.nowMillis();
        site.figures.set(Figure.RECOVERING, 1);
        site.host().askAlways(true);
        site.change(site.index::beginRecovery);
    }

    /** There is nothing to recover, whatever the record names: it is only read. */
    void skip() {
        skipped = true;
    }

    /** Whether the record is known, so that it may be changed. */
    boolean isRecordRead() {
        return recordRead;
    }

    boolean isOver() {
        return over;
    }

    /**
     * Reads the record and begins with its buckets; true if it was read. A record that is damaged is left as it is: nothing is
     * recovered by it, and nothing can be sealed.
     */
    CompletableFuture<Boolean> readRecord() {
        return site.keeper.load().thenCompose(record -> skipped ? begun(CatalogueRecord.EMPTY, List.of())
                        : imports.find(record).thenCompose(stock -> begun(record, stock)))
                .handle((begun, failure) -> {
                    if (failure == null) {
                        return true;
                    }
                    site.warn("The record of the buckets was not read; the backlog is read again from the topic", failure);
                    if (Futures.cause(failure) instanceof StorageException known && Verdict.of(known) != Verdict.TRY_LATER) {
                        end();
                    }
                    return false;
                });
    }

    private CompletableFuture<Void> begun(CatalogueRecord record, List<ImportWork.Stock> stock) {
        recordRead = true;
        List<Found> all = new ArrayList<>(record.live().stream().map(ledgerId -> new Found(ledgerId, Optional.empty())).toList());
        Collections.reverse(all);
        stock.forEach(each -> all.add(new Found(each.ledgerId(), Optional.of(each))));
        found = List.copyOf(all);
        left.set(found.size());
        if (found.isEmpty()) {
            end();
        }
        for (int i = 0; i < UNDER_WAY; i++) {
            beginNext();
        }
        return Futures.DONE;
    }

    private void beginNext() {
        int number = next.getAndIncrement();
        if (number < found.size()) {
            submit(found.get(number));
        }
    }

    private void submit(Found one) {
        if (one.stock().isPresent()) {
            submitImport(one, one.stock().get());
            return;
        }
        CompletableFuture<Void> task = site.services.executor().submitAlways(site.key.of(one.ledgerId()),
                () -> recover(one.ledgerId()));
        Futures.whenDone(task, (done, failure) -> {
            if (failure == null) {
                ended();
            } else {
                failed(one, failure);
            }
        });
    }

    private void submitImport(Found one, ImportWork.Stock stock) {
        CompletableFuture<ImportWork.Imported> task = site.services.executor().submitAlways(site.key.of(one.ledgerId()),
                () -> imports.write(stock));
        Futures.whenDone(task, (imported, failure) -> {
            if (failure == null) {
                record(stock, imported);
            } else {
                failed(one, failure);
            }
        });
    }

    private void record(ImportWork.Stock stock, ImportWork.Imported imported) {
        Futures.whenDone(site.services.executor().submitAlways(site.key, () -> imports.record(stock, imported.written(),
                () -> imported.written().ifPresent(written -> register(RecoveredBucket.of(written.ledgerId(), written.segments(),
                        written.positions(), imported.pastMillis()))), this::ended)), (done, failure) -> {
                            if (failure != null) {
                                imported.written().ifPresent(written -> site.leftovers.unwanted(written.ledgerId()));
                                site.warn("Stock ledger " + stock.ledgerId() + " was imported and not recorded", failure);
                                ended();
                            }
                            whenOver.run();
                        });
    }

    private CompletableFuture<Void> recover(long ledgerId) {
        long[] markDelete = {-1, -1};
        site.host().markDelete((ledger, entry) -> {
            markDelete[0] = ledger;
            markDelete[1] = entry;
        });
        return site.steps().recover().recover(ledgerId, site.nowMillis(), markDelete[0], markDelete[1])
                .thenAccept(known -> register(RecoveredBucket.of(known.ledgerId(), known.segments(), known.sleeping(),
                        known.pastMillis())));
    }

    private void register(RecoveredBucket bucket) {
        site.host().change(known -> {
            bucket.range(known);
            site.index.register(bucket);
            site.host().markDelete(site.index::forgetUpTo);
        });
    }

    private void failed(Found one, Throwable failure) {
        Verdict verdict = Futures.cause(failure) instanceof StorageException known ? Verdict.of(known) : Verdict.TRY_LATER;
        switch (verdict) {
            case LOST, FOREIGN -> {
                site.figures.add(Figure.LOST_BUCKETS_TOTAL, 1);
                site.warn(one + " cannot be recovered; its positions are read again from the topic", failure);
                giveUp(one, verdict);
            }
            case TRY_LATER -> {
                site.warn(one + " is not there yet", failure);
                site.services.timer().arm(Math.max(0, site.restUntilMillis() - site.nowMillis()), () -> {
                    if (!site.isClosed()) {
                        submit(one);
                    }
                });
            }
            case GIVEN_UP -> ended();
        }
    }

    private void giveUp(Found one, Verdict verdict) {
        if (one.stock().isEmpty()) {
            trash.drop(one.ledgerId());
            ended();
        } else if (verdict == Verdict.FOREIGN) {
            imports.leave(one.stock().get());
            ended();
            whenOver.run();
        } else {
            record(one.stock().get(), new ImportWork.Imported(Optional.empty(), -1));
        }
    }

    private void ended() {
        beginNext();
        if (left.decrementAndGet() == 0) {
            end();
        }
    }

    private void end() {
        if (over || site.isClosed()) {
            return;
        }
        over = true;
        if (skipped) {
            whenOver.run();
            return;
        }
        site.change(site.index::endRecovery);
        site.host().askAlways(false);
        site.figures.set(Figure.RECOVERING, 0);
        site.figures.set(Figure.RECOVERY_MILLIS, site.nowMillis() - begunMillis);
        if (!found.isEmpty()) {
            site.info("Recovered " + found.size() + " buckets, " + site.figures.get(Figure.IMPORTS_TOTAL)
                    + " of them from the stock tracker, with " + site.locked(site.index::sleepingPositions) + " positions in "
                    + (site.nowMillis() - begunMillis) + " ms");
        }
        whenOver.run();
    }
}
