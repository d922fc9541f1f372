/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.chores.StockFigures.Operation;
import io.github.delayedtracker.bucket.index.SegmentRef;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.Verdict;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Loads segments ahead of the time they are due, one of each bucket at a time, so that a slow one delays its bucket alone. A
 * segment that storage does not give now is tried again after a pause, until its bucket is given up ({@link Unreadable}); a
 * bucket of which something is gone or damaged is lost at once. What sleeps in it is read again from the topic. Thread safe.
 */
final class LoadChore {

    private final Site site;
    private final DeleteChore trash;
    private final Unreadable unreadable;
    private final Runnable whenLoaded;

    LoadChore(Site site, DeleteChore trash, Runnable whenLoaded) {
        this.site = site;
        this.trash = trash;
        this.unreadable = new Unreadable(site, whenLoaded);
        this.whenLoaded = whenLoaded;
    }

    /** Begins to load what is due soon. */
    void begin() {
        if (!site.isClosed()) {
            long untilMillis = site.nowMillis() + site.loadAheadMillis();
            site.locked(() -> site.index.beginLoading(untilMillis)).forEach(this::submit);
        }
    }

    /** When to begin again, or never; under the lock. */
    long nextMillis() {
        long next = site.index.nextLoadMillis();
        return next == Long.MAX_VALUE ? next : next - site.loadAheadMillis();
    }

    /** Gives up what has been overdue and unreadable for too long, if it is its turn. */
    void giveUp() {
        unreadable.look();
    }

    void close() {
        unreadable.close();
    }

    private void submit(SegmentRef ref) {
        CompletableFuture<Void> task = Futures.begun(() ->
                site.services.executor().submit(site.key.of(ref.ledgerId()), () -> load(ref)));
        Futures.whenDone(task, (done, failure) -> {
            if (failure == null) {
                unreadable.ended(ref);
                whenLoaded.run();
            } else {
                failed(ref, failure);
            }
        });
    }

    private CompletableFuture<Void> load(SegmentRef ref) {
        Optional<SegmentEntry> entry = site.locked(() -> site.index.segment(ref));
        if (entry.isEmpty()) {
            return Futures.DONE;
        }
        long begunMillis = site.nowMillis();
        unreadable.begun(ref);
        int count = site.locked(() -> site.index.segmentCount(ref.ledgerId()));
        // Of the table the step needs the length and this one entry.
        List<SegmentEntry> table = Collections.nCopies(count, entry.get());
        return site.steps().load().segment(ref.ledgerId(), table, ref.number())
                .thenAccept(columns -> {
                    site.took(Operation.LOAD, begunMillis);
                    take(ref, columns);
                    site.debug("Loaded segment {} of ledger {}: {} positions, {} bytes, {} ms", ref.number(), ref.ledgerId(),
                            columns.count(), entry.get().bytes(), site.nowMillis() - begunMillis);
                });
    }

    private void take(SegmentRef ref, SegmentColumns columns) {
        site.inSlices(columns.count(), (from, to) -> site.index.loaded(ref, columns, from, to));
        site.change(() -> site.index.endLoading(ref));
        site.figures.add(Figure.LOADS_TOTAL, 1);
    }

    private void failed(SegmentRef ref, Throwable failure) {
        site.figures.add(Figure.LOAD_FAILURES_TOTAL, 1);
        Verdict verdict = Futures.cause(failure) instanceof StorageException known ? Verdict.of(known)
                : site.isClosed() ? Verdict.GIVEN_UP : Verdict.TRY_LATER;
        boolean isWanted = site.locked(() -> site.index.losses().dueMillis(ref)) != Long.MAX_VALUE;
        if (verdict == Verdict.GIVEN_UP || !isWanted) {
            // Or its bucket is merged, given up or deleted meanwhile, and the ledger with it.
            unreadable.ended(ref);
            site.change(() -> site.index.loadFailed(ref));
            whenLoaded.run();
        } else if (verdict == Verdict.TRY_LATER) {
            site.warn("Segment " + ref.number() + " of ledger " + ref.ledgerId() + " is not there yet", failure);
            long restMillis = Steps.loadRestMillis(site.settings());
            long delayMillis = restMillis / 2 + site.services.jitter().applyAsLong(Math.max(1, restMillis / 2));
            site.services.timer().arm(delayMillis, () -> {
                if (!site.isClosed()) {
                    submit(ref);
                }
            });
        } else {
            unreadable.ended(ref);
            if (verdict == Verdict.NEWER) {
                trash.keep(ref.ledgerId());
            }
            site.figures.add(Figure.LOST_BUCKETS_TOTAL, 1);
            site.warn("Ledger " + ref.ledgerId() + " cannot be read; its positions are read again from the topic", failure);
            site.change(() -> site.index.lose(ref.ledgerId(), Futures.cause(failure).toString()));
            whenLoaded.run();
        }
    }
}
