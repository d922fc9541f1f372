/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.service;

import io.github.delayedtracker.bucket.RecoveredBucket;
import io.github.delayedtracker.bucket.catalogue.CatalogueRecord;
import io.github.delayedtracker.bucket.jobs.RecoveredSnapshot;
import io.github.delayedtracker.bucket.jobs.Verdict;
import io.github.delayedtracker.bucket.service.Figures.Figure;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Brings the buckets of the record back, the youngest first, a few at a time, each for itself: one that storage does not give now
 * is tried again for ever, one that is gone, damaged or somebody else's is left to be read again from the topic. Meanwhile the
 * index hears of every position that reads ask about; what it has given up to them is taken out of what comes back.
 */
final class RecoverWork {

    private static final int UNDER_WAY = 4;

    private final Site site;
    private final TrashWork trash;
    private final Runnable whenOver;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger left = new AtomicInteger();
    private volatile List<Long> ledgers = List.of();
    private volatile boolean recordRead;
    private volatile boolean over;
    private volatile long begunMillis;

    RecoverWork(Site site, TrashWork trash, Runnable whenOver) {
        this.site = site;
        this.trash = trash;
        this.whenOver = whenOver;
    }

    /** From now on the index hears of everything. */
    void prepare() {
        begunMillis = site.nowMillis();
        site.figures.set(Figure.RECOVERING, 1);
        site.host().askAlways(true);
        site.change(site.index::beginRecovery);
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
        return site.keeper.load().handle((record, failure) -> {
            if (failure == null) {
                recordRead = true;
                begin(record);
                return true;
            }
            site.warn("The record of the buckets was not read; the backlog is read again from the topic", failure);
            if (Futures.cause(failure) instanceof StorageException known && Verdict.of(known) != Verdict.TRY_LATER) {
                end();
            }
            return false;
        });
    }

    private void begin(CatalogueRecord record) {
        List<Long> youngestFirst = new ArrayList<>(record.live());
        Collections.reverse(youngestFirst);
        ledgers = List.copyOf(youngestFirst);
        left.set(ledgers.size());
        if (ledgers.isEmpty()) {
            end();
        }
        for (int i = 0; i < UNDER_WAY; i++) {
            beginNext();
        }
    }

    private void beginNext() {
        int number = next.getAndIncrement();
        if (number < ledgers.size()) {
            submit(ledgers.get(number));
        }
    }

    private void submit(long ledgerId) {
        CompletableFuture<Void> task = site.services.executor().submitAlways(site.key.of(ledgerId), () -> recover(ledgerId));
        Futures.whenDone(task, (done, failure) -> {
            if (failure == null) {
                ended();
            } else {
                failed(ledgerId, failure);
            }
        });
    }

    private CompletableFuture<Void> recover(long ledgerId) {
        long[] markDelete = {-1, -1};
        site.host().markDelete((ledger, entry) -> {
            markDelete[0] = ledger;
            markDelete[1] = entry;
        });
        return site.steps().recover().recover(ledgerId, site.nowMillis(), markDelete[0], markDelete[1])
                .thenAccept(this::register);
    }

    private void register(RecoveredSnapshot found) {
        RecoveredBucket bucket = RecoveredBucket.of(found.ledgerId(), found.segments(), found.sleeping(), found.pastMillis());
        site.host().change(known -> {
            bucket.range(known);
            site.index.register(bucket);
            site.host().markDelete(site.index::forgetUpTo);
        });
    }

    private void failed(long ledgerId, Throwable failure) {
        Verdict verdict = Futures.cause(failure) instanceof StorageException known ? Verdict.of(known) : Verdict.TRY_LATER;
        switch (verdict) {
            case LOST, FOREIGN -> {
                site.figures.add(Figure.LOST_BUCKETS_TOTAL, 1);
                site.warn("Ledger " + ledgerId + " cannot be recovered; its positions are read again from the topic", failure);
                trash.drop(ledgerId);
                ended();
            }
            case TRY_LATER -> {
                site.warn("Ledger " + ledgerId + " is not there yet", failure);
                site.services.timer().arm(Math.max(0, site.restUntilMillis() - site.nowMillis()), () -> {
                    if (!site.isClosed()) {
                        submit(ledgerId);
                    }
                });
            }
            case GIVEN_UP -> ended();
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
        site.change(site.index::endRecovery);
        site.host().askAlways(false);
        site.figures.set(Figure.RECOVERING, 0);
        site.figures.set(Figure.RECOVERY_MILLIS, site.nowMillis() - begunMillis);
        if (!ledgers.isEmpty()) {
            site.info("Recovered " + ledgers.size() + " buckets with " + site.locked(site.index::sleepingPositions)
                    + " positions in " + (site.nowMillis() - begunMillis) + " ms");
        }
        whenOver.run();
    }
}
