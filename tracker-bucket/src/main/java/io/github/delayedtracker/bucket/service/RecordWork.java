/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.service;

import io.github.delayedtracker.bucket.catalogue.CatalogueRecord;
import io.github.delayedtracker.bucket.service.Figures.Figure;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;

/**
 * Updates of the record and what is to be done once they are durable. An update that failed may have taken effect: nothing that
 * depends on it is done or undone until a later one has succeeded. One call at a time.
 */
final class RecordWork {

    private record Waiting(Runnable whenDurable, Runnable whenGivenUp) {
    }

    private final Site site;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private long failuresInARow;

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

    private CompletableFuture<Boolean> written(CompletableFuture<CatalogueRecord> update) {
        return update.handle((record, failure) -> {
            if (failure != null) {
                site.figures.add(Figure.RECORD_FAILURES_TOTAL, 1);
                failuresInARow++;
                if (Long.bitCount(failuresInARow) == 1) {
                    site.warn("The record of the buckets was not written (" + failuresInARow
                            + " times in a row); both the old and the new ledgers are kept", failure);
                }
                return false;
            }
            failuresInARow = 0;
            runAll();
            return true;
        });
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
