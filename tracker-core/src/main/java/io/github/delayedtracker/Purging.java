/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.subscription.CandidateBatch;
import io.github.delayedtracker.subscription.Purge;
import io.github.delayedtracker.subscription.PurgeEstimate;
import io.github.delayedtracker.subscription.SubscriptionState;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.bookkeeper.mledger.PositionFactory;

/**
 * Drops positions of one subscription that were acknowledged one by one above mark-delete, when the estimate says that it pays.
 *
 * <p>The cursor is asked on the worker's thread, with no lock held, some positions at a time; other work of the broker's indexes
 * comes in between. A position goes only if the cursor says that it is acknowledged. At most one pass is under way.
 */
final class Purging {

    private static final int SLICE = 1_024;

    private final SubscriptionState state;
    private final CursorView cursor;
    private final Executor worker;
    private final TrackerCounters counters;
    private final FailureLog failures;
    private final Runnable afterwards;
    /** Whether somebody asks the estimate, or a pass is under way: whoever has set it uses the estimate. */
    private final AtomicBoolean busy = new AtomicBoolean();
    private final PurgeEstimate estimate = new PurgeEstimate();

    /**
     * One subscription's.
     *
     * @param afterwards what is to be done after positions were dropped
     */
    Purging(SubscriptionState state, CursorView cursor, Executor worker, TrackerCounters counters, FailureLog failures,
            Runnable afterwards) {
        this.state = state;
        this.cursor = cursor;
        this.worker = worker;
        this.counters = counters;
        this.failures = failures;
        this.afterwards = afterwards;
    }

    /** Begins a pass if that pays: a few compares, to be called where mark-delete has just been looked at. From any thread. */
    void look() {
        if (busy.getAndSet(true)) {
            return;
        }
        boolean pays = false;
        try {
            pays = estimate.pays(state.count(), cursor.backlog());
        } finally {
            if (!pays) {
                busy.set(false);
            }
        }
        if (pays) {
            guarded(() -> worker.execute(this::begin));
        }
    }

    private void begin() {
        guarded(() -> {
            if (cursor.ackHoles() == 0) {
                estimate.passed(state.count(), cursor.backlog());
                busy.set(false);
            } else {
                step(new Pass(state.purge()));
            }
        });
    }

    /** A pass and what it has found so far. */
    private static final class Pass {
        private final Purge purge;
        private long found;

        Pass(Purge purge) {
            this.purge = purge;
        }
    }

    private void step(Pass pass) {
        boolean more;
        try {
            CandidateBatch asked = new CandidateBatch();
            more = pass.purge.next(SLICE, asked);
            CandidateBatch gone = new CandidateBatch();
            for (int i = 0; i < asked.size(); i++) {
                if (cursor.isAcknowledged(PositionFactory.create(asked.ledgerId(i), asked.entryId(i)))) {
                    gone.accept(asked.ledgerId(i), asked.entryId(i));
                }
            }
            pass.found += pass.purge.forget(gone);
        } finally {
            pass.purge.end();
        }
        if (more) {
            worker.execute(() -> guarded(() -> step(pass)));
        } else {
            end(pass.found);
        }
    }

    private void end(long found) {
        counters.purged(found);
        estimate.passed(state.count(), cursor.backlog());
        if (found > 0) {
            afterwards.run();
        }
        busy.set(false);
    }

    private void guarded(Runnable part) {
        boolean failed = true;
        try {
            part.run();
            failed = false;
        } catch (RuntimeException | Error e) {
            failures.report("purge", e, false);
        } finally {
            if (failed) {
                busy.set(false);
            }
        }
    }
}
