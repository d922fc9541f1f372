/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import io.github.delayedtracker.index.PositionWalk;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One pass over the index of a subscription that forgets positions that somebody says are gone, a slice at a time: take some with
 * {@link #next}, ask about each without the lock, {@link #forget} the gone ones, {@link #end} the slice whatever happens. A
 * position offered or asked for in between stays: a reader may have been told to skip it. For one thread at a time; the lock is
 * held for a slice's positions at most.
 */
public final class Purge {

    private static final int FORGET_SLICE = 64;

    private final SubscriptionState state;
    private final Promises promises;
    /** The way through the index; null before the first slice. */
    private final AtomicReference<PositionWalk> walk = new AtomicReference<>();
    private boolean passedOver;

    Purge(SubscriptionState state, Promises promises) {
        this.state = state;
        this.promises = promises;
    }

    /**
     * Passes on some more positions of the index.
     *
     * @param positions the number of positions, more or less
     * @return whether there may be more after these
     */
    public boolean next(int positions, CandidateBatch into) {
        return state.lockedWithOverdue((index, overdue) -> {
            promises.begin();
            if (walk.get() == null) {
                walk.set(overdue.isEmpty() ? index.walk() : PositionWalk.through(List.of(index.walk(), overdue.walk())));
            }
            return walk.get().step(positions, into);
        });
    }

    /** Forgets the positions passed on last that are gone; returns how many were still known. */
    public int forget(CandidateBatch gone) {
        int[] forgotten = {0};
        for (int from = 0; from < gone.size(); from += FORGET_SLICE) {
            int begin = from;
            int end = Math.min(gone.size(), from + FORGET_SLICE);
            state.lockedWithOverdue((index, overdue) -> {
                for (int i = begin; i < end; i++) {
                    long ledgerId = gone.ledgerId(i);
                    long entryId = gone.entryId(i);
                    if (promises.has(ledgerId, entryId)) {
                        passedOver = true;
                    } else if (overdue.remove(ledgerId, entryId) || index.forget(ledgerId, entryId)) {
                        forgotten[0]++;
                    }
                }
                return true;
            });
        }
        return forgotten[0];
    }

    /** Whether a position that is gone was left, as it was offered or asked for meanwhile. */
    public boolean passedOver() {
        return passedOver;
    }

    /** Lets go of the positions kept for the slice. */
    public void end() {
        state.locked(index -> {
            promises.end();
            return true;
        });
    }
}
