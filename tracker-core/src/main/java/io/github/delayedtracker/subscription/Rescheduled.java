/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import io.github.delayedtracker.index.PositionTimes;
import java.util.OptionalLong;

/**
 * The due times that commands have given to messages of a subscription in place of their own.
 *
 * <p>One step under the state's lock decides: a position that is known there is indexed anew with its other time, which counts
 * from then on wherever the message is offered. A time lives until its position is gone, not until the message is handed out.
 * Thread safe.
 */
public final class Rescheduled {

    /** Positions decided in one hold of the lock. */
    private static final int SLICE = 64;

    private final SubscriptionState state;
    /** Written under the state's lock. */
    private volatile PositionTimes times = PositionTimes.NONE;

    /** Of one subscription; no message has another time. */
    public Rescheduled(SubscriptionState state) {
        this.state = state;
    }

    /** All times. */
    public PositionTimes times() {
        return times;
    }

    /** The time by which a message is due: its own, unless it was given another. */
    public long dueMillis(long ledgerId, long entryId, long ownMillis) {
        PositionTimes now = times;
        return now.isEmpty() ? ownMillis : now.at(ledgerId, entryId).orElse(ownMillis);
    }

    /** The time that a message was given; empty if it has its own. */
    public OptionalLong given(long ledgerId, long entryId) {
        return times.at(ledgerId, entryId);
    }

    /** Gives messages other times; answers those that were known in the schedule, and so have them now. */
    public PositionTimes give(PositionTimes asked, long nowMillis) {
        PositionTimes[] given = {PositionTimes.NONE};
        asked.inSlices(SLICE, slice -> state.lockedWithOverdue((index, overdue) -> {
            PositionTimes.Builder known = new PositionTimes.Builder();
            slice.forEach((ledgerId, entryId, atMillis) -> {
                if (overdue.map(set -> set.remove(ledgerId, entryId)).orElse(false) || index.forget(ledgerId, entryId)) {
                    index.add(state.rules().round(atMillis, nowMillis), ledgerId, entryId);
                    known.add(ledgerId, entryId, atMillis);
                }
            });
            PositionTimes some = known.build();
            times = times.plus(some);
            given[0] = given[0].plus(some);
            return true;
        }));
        return given[0];
    }

    /** Takes over times that were given before the topic was loaded. A time given since then counts. */
    public void restore(PositionTimes before, long nowMillis) {
        boolean unused = state.lockedWithOverdue((index, overdue) -> {
            times = before.plus(times);
            return true;
        });
        again(nowMillis);
    }

    /** Indexes anew whatever has another time and is known: its own may have been recovered. */
    public void again(long nowMillis) {
        give(times, nowMillis);
    }

    /** Forgets the times of messages that are gone. Linear; one hold of the lock is a change of what was given meanwhile. */
    public void forget(PositionTimes.Test gone) {
        PositionTimes seen = times;
        PositionTimes left = seen.without(gone);
        if (left.size() < seen.size()) {
            boolean unused = state.lockedWithOverdue((index, overdue) -> {
                // What was given meanwhile is looked at the next time.
                times = times == seen ? left : times;
                return true;
            });
        }
    }

    /** Forgets all. */
    public void forgetAll() {
        forget((ledgerId, entryId) -> true);
    }
}
