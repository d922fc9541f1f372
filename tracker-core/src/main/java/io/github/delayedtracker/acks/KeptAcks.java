/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import io.github.delayedtracker.acks.JournalCursor.Moment;
import io.github.delayedtracker.acks.JournalLedgers.JournalException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The acknowledgements that somebody was promised: a journal is begun for them however few there are, names them in its entries,
 * and does not end before mark-delete has passed them. Each promise is kept once a record of the cursor is written that holds
 * them, or a stamp of a journal that does. Thread safe; callers are answered by the executor.
 */
final class KeptAcks {

    private final Executor answers;
    private final List<Promise> open = new ArrayList<>();
    /** All that is promised, kept or not, and acknowledged above mark-delete. */
    private AckedPositions kept;

    KeptAcks(AckedPositions kept, Executor answers) {
        this.answers = answers;
        this.kept = kept;
    }

    /** Positions that one caller asks for, and the answer. */
    private static final class Promise {

        final AckedPositions positions;
        final CompletableFuture<Void> durable = new CompletableFuture<>();
        boolean isSeen;

        Promise(AckedPositions positions) {
            this.positions = positions;
        }
    }

    /** Promises that a record under way holds. */
    final class Held {

        private final List<Promise> promises;

        private Held(List<Promise> promises) {
            this.promises = promises;
        }

        /** The record is written. */
        void isWritten() {
            synchronized (KeptAcks.this) {
                open.removeAll(promises);
            }
            promises.forEach(promise -> answers.execute(() -> promise.durable.complete(null)));
        }
    }

    /** Asks for positions that are acknowledged. */
    synchronized CompletableFuture<Void> ask(AckedPositions positions) {
        Promise promise = new Promise(positions);
        open.add(promise);
        return promise.durable;
    }

    /**
     * Takes over what was asked for. A promise whose positions are not acknowledged any more is broken: there was a reset.
     *
     * @return all that is to be kept in a journal
     */
    synchronized AckedPositions look(Moment now) {
        open.removeIf(promise -> promise.durable.isDone());
        List<Promise> broken = open.stream().filter(promise -> !now.hasAll(promise.positions)).toList();
        open.removeAll(broken);
        fail(broken, new JournalException("positions to be kept are not acknowledged: there was a reset", false, null));
        for (Promise promise : open) {
            kept = promise.isSeen ? kept : kept.plus(promise.positions);
            promise.isSeen = true;
        }
        if (!kept.isEmpty()) {
            kept = kept.above(now.ledgerId(), now.entryId()).and(now.acked());
        }
        return kept;
    }

    /** The promises that a record begun now holds, with the stamp of a journal that has these positions. */
    synchronized Held heldBy(AckedPositions journaled, Moment now) {
        return new Held(open.stream().filter(promise -> promise.isSeen
                && journaled.containsAll(promise.positions.above(now.ledgerId(), now.entryId()))).toList());
    }

    /** All that was promised, as of the last look. */
    synchronized AckedPositions known() {
        return kept;
    }

    /** Whether one waits for an answer. */
    synchronized boolean isAwaited() {
        return !open.isEmpty();
    }

    /** No answer is awaited any more. What was asked for is kept as far as it can be. */
    synchronized void fail(Throwable why) {
        fail(List.copyOf(open), why);
        open.clear();
    }

    private void fail(List<Promise> promises, Throwable why) {
        promises.forEach(promise -> answers.execute(() -> promise.durable.completeExceptionally(why)));
    }
}
