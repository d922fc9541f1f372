/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;

/**
 * Updates of the record and what is to be done once they are durable. An update that failed may have taken effect: nothing that
 * depends on it is done or undone until a later one has succeeded. One call at a time.
 *
 * <p>A cursor whose version is stale refuses each update until its broker has read the record again, perhaps not before the topic
 * is loaded anew: the rest between two updates that meet conflicts doubles.
 */
final class RecordWork {

    /** The longest rest after conflicts is a pause doubled so often: a quarter of an hour by default. */
    static final int MOST_DOUBLINGS = 4;

    private record Waiting(Runnable whenDurable, Runnable whenGivenUp) {
    }

    private final Site site;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private long failuresInARow;
    private int conflictsInARow;

    RecordWork(Site site) {
        this.site = site;
    }

    /**
     * Changes the record.
     *
     * @param whenDurable run once, when this or a later update has succeeded
     * @param whenGivenUp run instead if everything recorded is removed first
     * @return whether it is durable now
     */
    CompletableFuture<Boolean> update(UnaryOperator<CatalogueRecord> change, Runnable whenDurable, Runnable whenGivenUp) {
        waiting.add(new Waiting(whenDurable, whenGivenUp));
        return written(site.keeper.update(change));
    }

    /** Whether there is no record, for certain: it was read, or removed, and is not there in a form that cannot be read. */
    boolean isEmpty() {
        return waiting.isEmpty() && !site.keeper.isUnsettled() && !site.keeper.isReplacing()
                && site.keeper.written().filter(CatalogueRecord.EMPTY::equals).isPresent();
    }

    /** Whether no outcome is unknown; tries to write the newest wish otherwise. */
    CompletableFuture<Boolean> settle() {
        return waiting.isEmpty() && !site.keeper.isUnsettled() ? CompletableFuture.completedFuture(true)
                : written(site.keeper.update(UnaryOperator.identity()));
    }

    /** When to read or write again a record that was not read or written. */
    long retryMillis() {
        return site.restUntilMillis(Math.min(Math.max(0, conflictsInARow - 1), MOST_DOUBLINGS));
    }

    private CompletableFuture<Boolean> written(CompletableFuture<CatalogueRecord> update) {
        return update.handle((record, failure) -> {
            if (failure != null) {
                site.figures.add(Figure.RECORD_FAILURES_TOTAL, 1);
                failuresInARow++;
                conflictsInARow = isConflict(failure) ? conflictsInARow + 1 : 0;
                if (Long.bitCount(failuresInARow) == 1) {
                    site.warn("The record of the buckets was not written (" + failuresInARow
                            + " times in a row); both the old and the new ledgers are kept", failure);
                }
                return false;
            }
            failuresInARow = 0;
            conflictsInARow = 0;
            runAll();
            return true;
        });
    }

    private static boolean isConflict(Throwable failure) {
        return Futures.cause(failure) instanceof StorageException known && known.kind() == Kind.CONFLICT;
    }

    /** One that fails keeps none of the others. */
    private void runAll() {
        Throwable failed = null;
        while (!waiting.isEmpty()) {
            try {
                waiting.remove().whenDurable().run();
            } catch (Throwable e) {
                failed = e;
            }
        }
        if (failed != null) {
            throw new CompletionException(failed);
        }
    }

    /** The record is about to be removed. */
    void giveUp() {
        while (!waiting.isEmpty()) {
            waiting.remove().whenGivenUp().run();
        }
    }
}
