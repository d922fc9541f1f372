/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import io.github.delayedtracker.acks.JournalCursor.Moment;
import io.github.delayedtracker.acks.JournalLedgers.JournalException;
import io.github.delayedtracker.index.PositionSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The acknowledgements that somebody was promised: a journal is begun for them however few there are, names them in its entries,
 * and does not end before mark-delete has passed them. All that is asked for between two looks at the cursor is one promise,
 * kept once a record of the cursor is written that holds it, or a stamp of a journal that does. Thread safe; callers are
 * answered by the executor.
 */
final class KeptAcks {

    private final Executor answers;
    /** Taken over at a look, and not kept yet. */
    private final List<Promise> open = new ArrayList<>();
    /** What was asked for since the last look, or null. */
    private Promise asked;
    /** All that is promised, kept or not, and acknowledged above mark-delete. */
    private AckedPositions kept;

    KeptAcks(AckedPositions kept, Executor answers) {
        this.answers = answers;
        this.kept = kept;
    }

    /** The answer that all who ask between two looks wait for. */
    private static final class Promise {

        final CompletableFuture<Void> durable = new CompletableFuture<>();
        /** Null once the look has taken them over. */
        PositionSet asked = new PositionSet();
        AckedPositions positions;
    }

    /** Promises that a record under way holds. */
    final class Held {

        /** Empty once they are answered: their positions may be many. */
        private List<Promise> promises;

        private Held(List<Promise> promises) {
            this.promises = promises;
        }

        /** The record is written. */
        void isWritten() {
            List<Promise> held;
            synchronized (KeptAcks.this) {
                held = promises;
                promises = List.of();
                open.removeAll(held);
            }
            held.forEach(promise -> answers.execute(() -> promise.durable.complete(null)));
        }
    }

    /**
     * What a caller waits for.
     *
     * @param isFirst whether it is the first since the last look, and has to see to the next
     */
    record Asked(CompletableFuture<Void> durable, boolean isFirst) {
    }

    /** Asks for positions that are acknowledged. O(positions). */
    synchronized Asked ask(PositionSet positions) {
        boolean isFirst = asked == null || asked.durable.isDone();
        if (isFirst) {
            asked = new Promise();
        }
        positions.forEach(asked.asked::add);
        return new Asked(asked.durable, isFirst);
    }

    /**
     * Takes over what was asked for. A promise with a position that is not acknowledged any more is broken: there was a reset.
     *
     * @return all that is to be kept in a journal
     */
    synchronized AckedPositions look(Moment now) {
        if (asked != null) {
            asked.positions = now.acked().of(asked.asked);
            asked.asked = null;
            kept = kept.plus(asked.positions);
            open.add(asked);
            asked = null;
        }
        open.removeIf(promise -> promise.durable.isDone());
        List<Promise> broken = open.stream().filter(promise -> !now.hasAll(promise.positions)).toList();
        open.removeAll(broken);
        broken.forEach(promise -> fail(List.of(promise), JournalException.failed("positions to be kept are not acknowledged any"
                + " more, there was a reset: one of " + promise.positions)));
        if (!kept.isEmpty()) {
            kept = kept.above(now.ledgerId(), now.entryId()).and(now.acked());
        }
        return kept;
    }

    /** The promises that a record begun now holds, with the stamp of a journal that has these positions. */
    synchronized Held heldBy(AckedPositions journaled, Moment now) {
        return new Held(open.stream().filter(promise ->
                journaled.containsAll(promise.positions.above(now.ledgerId(), now.entryId()))).toList());
    }

    /** All that was promised, as of the last look, and is among these. */
    synchronized PositionSet knownAmong(AckedPositions acked) {
        PositionSet known = new PositionSet();
        kept.and(acked).forEach(known::add);
        return known;
    }

    /** Whether one waits for an answer. */
    synchronized boolean isAwaited() {
        return asked != null || !open.isEmpty();
    }

    /** No answer is awaited any more. What was taken over is kept as far as it can be. */
    synchronized void fail(Throwable why) {
        List<Promise> all = new ArrayList<>(open);
        Optional.ofNullable(asked).ifPresent(all::add);
        fail(all, why);
        open.clear();
        asked = null;
    }

    private void fail(List<Promise> promises, Throwable why) {
        promises.forEach(promise -> answers.execute(() -> promise.durable.completeExceptionally(why)));
    }
}
