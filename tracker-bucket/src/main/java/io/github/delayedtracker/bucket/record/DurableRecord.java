/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * The record of one subscription as its chores change it. A failed update may have taken effect. Nothing that depends on it is
 * done or undone until a later update has succeeded, and every update waits for that success. One call at a time.
 */
public final class DurableRecord {

    /** A watcher of failures. */
    public interface Watcher {

        /** Hears of a failed update, and how many have failed in a row. */
        void failed(Throwable failure, long timesInARow);

        /** Hears that the step behind an update has failed, where the update was durable, or given up, only later. */
        void followingFailed(Throwable failure);
    }

    private final CatalogueKeeper keeper;
    private final Watcher watcher;
    private final Deque<CompletableFuture<Boolean>> waiting = new ArrayDeque<>();
    private CompletableFuture<Boolean> lastWrite = CompletableFuture.completedFuture(true);
    private long failuresInARow;
    private int conflictsInARow;

    /** A record in which nothing is changed yet. */
    public DurableRecord(CatalogueKeeper keeper, Watcher watcher) {
        this.keeper = keeper;
        this.watcher = watcher;
    }

    /** The keeper, for calls that do not change the record. */
    public CatalogueKeeper keeper() {
        return keeper;
    }

    /**
     * Changes the record.
     *
     * @return true once this or a later update has made the change durable; false if everything recorded is removed first. Does
     *     not fail, and may never answer: {@link #settled} tells when to go on
     */
    public CompletableFuture<Boolean> update(UnaryOperator<CatalogueRecord> change) {
        CompletableFuture<Boolean> durable = new CompletableFuture<>();
        waiting.add(durable);
        lastWrite = written(keeper.update(change));
        return durable;
    }

    /**
     * The outcome of the write that was begun last.
     *
     * @param following the step behind the update, done by then if the update is durable; its failure is the answer's
     * @return whether everything is durable
     */
    public CompletableFuture<Boolean> settled(CompletableFuture<?> following) {
        return lastWrite.thenCompose(durable -> {
            if (durable) {
                return following.thenApply(done -> true);
            }
            Futures.whenDone(following, (done, failure) -> {
                if (failure != null) {
                    watcher.followingFailed(failure);
                }
            });
            return Futures.NO_MORE;
        });
    }

    /** Whether everything is durable; writes the newest wish again if an outcome is unknown. */
    public CompletableFuture<Boolean> settle() {
        if (!waiting.isEmpty() || keeper.isUnsettled()) {
            lastWrite = written(keeper.update(UnaryOperator.identity()));
            return lastWrite;
        }
        return Futures.MORE;
    }

    /** Whether there is certainly no record: it was read as empty, or removed, and is not there in a form that cannot be read. */
    public boolean isEmpty() {
        return waiting.isEmpty() && !keeper.isUnsettled() && !keeper.isReplacing()
                && keeper.written().filter(CatalogueRecord.EMPTY::equals).isPresent();
    }

    /**
     * The number of updates in a row that have met another version of the record. A cursor with a stale version refuses each
     * update until its broker has read the record again, perhaps not before the topic is loaded anew.
     */
    public int conflictsInARow() {
        return conflictsInARow;
    }

    private CompletableFuture<Boolean> written(CompletableFuture<CatalogueRecord> update) {
        return update.handle((record, failure) -> {
            if (failure != null) {
                failuresInARow++;
                conflictsInARow = isConflict(failure) ? conflictsInARow + 1 : 0;
                watcher.failed(failure, failuresInARow);
                return false;
            }
            failuresInARow = 0;
            conflictsInARow = 0;
            answerAll(true);
            return true;
        });
    }

    private static boolean isConflict(Throwable failure) {
        return Futures.cause(failure) instanceof StorageException known && known.kind() == Kind.CONFLICT;
    }

    private void answerAll(boolean durable) {
        while (!waiting.isEmpty()) {
            waiting.remove().complete(durable);
        }
    }

    /** Ends the waiting updates as not durable: everything recorded is about to be removed. */
    public void giveUp() {
        answerAll(false);
    }
}
