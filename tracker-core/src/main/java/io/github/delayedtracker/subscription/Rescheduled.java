/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.PositionRange;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionTimes;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The due times that commands have given to messages of a subscription in place of their own.
 *
 * <p>One step under the state's lock decides: a position that is known there is indexed anew with its other time, which counts
 * from then on wherever the message is offered. A time lives until its position is gone, not until the message is handed out.
 * Thread safe.
 *
 * <p>Implementation note: all times are one immutable value, and a change copies parts of it. So the times given last stand
 * beside the others until they are {@value #MOST_RECENT}.
 */
public final class Rescheduled {

    /** Positions decided in one hold of the lock. */
    private static final int SLICE = 64;
    private static final int MOST_RECENT = 2_048;

    private final SubscriptionState state;
    /** Written under the state's lock. */
    private volatile Given given = new Given(PositionTimes.NONE, PositionTimes.NONE);

    /** Of one subscription; no message has another time. */
    public Rescheduled(SubscriptionState state) {
        this.state = state;
    }

    /** The times given, and the last of them, which count. */
    private record Given(PositionTimes before, PositionTimes recent) {

        OptionalLong at(long ledgerId, long entryId) {
            OptionalLong last = recent.at(ledgerId, entryId);
            return last.isPresent() ? last : before.at(ledgerId, entryId);
        }

        PositionTimes all() {
            return before.plus(recent);
        }

        boolean isEmpty() {
            return before.isEmpty() && recent.isEmpty();
        }
    }

    /** All times. Linear while some are being given. */
    public PositionTimes times() {
        return given.all();
    }

    /** Whether no message has another time. */
    public boolean isEmpty() {
        return given.isEmpty();
    }

    /** The time by which a message is due: its own, unless it was given another. */
    public long dueMillis(long ledgerId, long entryId, long ownMillis) {
        Given now = given;
        return now.isEmpty() ? ownMillis : now.at(ledgerId, entryId).orElse(ownMillis);
    }

    /** The time that a message was given; empty if it has its own. */
    public OptionalLong given(long ledgerId, long entryId) {
        return given.at(ledgerId, entryId);
    }

    /** Gives messages other times; answers those that were known in the schedule, and so have them now. */
    public PositionTimes give(PositionTimes asked, long nowMillis) {
        PositionTimes.Builder all = new PositionTimes.Builder();
        try {
            asked.inSlices(SLICE, slice -> {
                boolean unused = state.lockedWithOverdue((index, overdue) -> {
                    indexAnew(slice, index, overdue, nowMillis, known -> {
                        given = new Given(given.before(), given.recent().plus(known));
                        known.forEach(all::add);
                    });
                    return true;
                });
                if (given.recent().size() >= MOST_RECENT) {
                    join();
                }
            });
        } finally {
            join();
        }
        return all.build();
    }

    /** Indexes the positions that are known under other times. Should that fail they are due, to be read again. */
    private void indexAnew(PositionTimes some, DelayIndex index, PositionSet overdue, long nowMillis,
            Consumer<PositionTimes> between) {
        boolean isFirst = overdue.isEmpty();
        try {
            PositionTimes known = takeOut(some, index, overdue);
            between.accept(known);
            known.forEach((ledgerId, entryId, atMillis) -> {
                index.add(state.rules().round(atMillis, nowMillis), ledgerId, entryId);
                overdue.remove(ledgerId, entryId);
            });
        } catch (RuntimeException | Error e) {
            state.publishOverdueSince(isFirst, nowMillis);
            throw e;
        }
    }

    /**
     * Has the positions that are known wait as overdue, out of the index. If what follows fails, as for want of memory, they are
     * handed out and read again.
     */
    private static PositionTimes takeOut(PositionTimes some, DelayIndex index, PositionSet overdue) {
        PositionTimes.Builder known = new PositionTimes.Builder();
        some.forEach((ledgerId, entryId, atMillis) -> {
            boolean isOverdue = overdue.contains(ledgerId, entryId);
            boolean isIndexed = !isOverdue && index.holds(ledgerId, entryId);
            if (isOverdue || isIndexed) {
                known.add(ledgerId, entryId, atMillis);
            }
            if (isIndexed) {
                overdue.add(ledgerId, entryId);
                try {
                    index.forget(ledgerId, entryId);
                } catch (RuntimeException | Error e) {
                    // In one place only, or it would be handed out twice.
                    boolean unused = index.holds(ledgerId, entryId) && overdue.remove(ledgerId, entryId);
                    throw e;
                }
            }
        });
        return known.build();
    }

    /** Joins the times given last with the others, which is done outside the lock. */
    private void join() {
        Given seen = given;
        if (!seen.recent().isEmpty()) {
            Given joined = new Given(seen.all(), PositionTimes.NONE);
            boolean unused = state.lockedWithOverdue((index, overdue) -> {
                given = given.equals(seen) ? joined : given;
                return true;
            });
        }
    }

    /** Takes over times that were given before the topic was loaded. A time given since then counts. */
    public void restore(PositionTimes before, long nowMillis) {
        boolean unused = state.lockedWithOverdue((index, overdue) -> {
            given = new Given(before.plus(given.all()), PositionTimes.NONE);
            return true;
        });
        indexAnew(before, nowMillis);
    }

    /** Indexes anew what has another time and is known within a range: it may have been recovered with its own. */
    public void again(PositionRange range, long nowMillis) {
        indexAnew(times().within(range), nowMillis);
    }

    private void indexAnew(PositionTimes some, long nowMillis) {
        some.inSlices(SLICE, slice -> {
            boolean unused = state.lockedWithOverdue((index, overdue) -> {
                PositionTimes.Builder counting = new PositionTimes.Builder();
                slice.forEach((ledgerId, entryId, atMillis) -> given.at(ledgerId, entryId)
                        .ifPresent(countsMillis -> counting.add(ledgerId, entryId, countsMillis)));
                indexAnew(counting.build(), index, overdue, nowMillis, known -> { });
                return true;
            });
        });
    }

    /** Forgets the times of messages that are gone. Linear; one hold of the lock is a change of what was given meanwhile. */
    public void forget(PositionTimes.Test gone) {
        Given seen = given;
        PositionTimes all = seen.all();
        PositionTimes left = all.without(gone);
        if (left.size() < all.size()) {
            boolean unused = state.lockedWithOverdue((index, overdue) -> {
                // What was given meanwhile is looked at the next time.
                given = given.equals(seen) ? new Given(left, PositionTimes.NONE) : given;
                return true;
            });
        }
    }
}
