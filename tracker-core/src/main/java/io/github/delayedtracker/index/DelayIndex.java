/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import java.util.List;
import java.util.Optional;

/**
 * The set of positions that wait for their delivery time, ordered by (time, ledger id, entry id).
 *
 * <p>A backend is one implementation of this interface. It holds each position at most once, whatever times the
 * position is added with; it keeps no clock, no thread, no lock and no logger. Times are epoch milliseconds that the
 * caller has already rounded; an index hands them back exactly as they were given. Ledger ids and entry ids are
 * non-negative and may come in any order.
 *
 * <p>Membership is exact: {@link #contains} and {@link #size} change in the same call that adds, hands out or forgets
 * a position. The memory of a forgotten position may come back later: by bounded work in the calls that follow and by
 * {@link #tidy}.
 *
 * <p>No method does unbounded work except {@link #clear} and {@link #validate}; {@link #forgetUpTo} is linear in the
 * blocks of up to 256 pages and the segments it drops.
 *
 * <p>Not thread safe: the caller serializes all calls, readers included.
 */
public interface DelayIndex {

    /**
     * The answer of {@link #nextDueMillis} for an index without positions. A position whose due time is really this one is never
     * due either, so the two need not be told apart.
     */
    long NEVER = Long.MAX_VALUE;
    /** The answer of {@link #lastDueMillis} for an index without positions: before any due time. */
    long NO_TIME = -1;

    /**
     * Adds a position, unless it is contained already; then the time it was added with first stands.
     *
     * <p>A position that was forgotten and is added again may be handed out at an earlier time it was once added with.
     *
     * @param dueMillis when the position may be handed out, epoch milliseconds, already rounded
     * @return true if the position is new
     */
    boolean add(long dueMillis, long ledgerId, long entryId);

    /**
     * Removes and passes on positions due at {@code untilMillis} or before, in (time, ledger, entry) order.
     *
     * @param untilMillis the latest due time handed out, inclusive
     * @param limit how many positions to hand out at most, 0 or more
     * @return how many positions were passed to the sink; fewer than the limit, even none, while positions are due if
     *     many forgotten ones had to be dropped first
     */
    int takeDue(long untilMillis, int limit, PositionSink sink);

    /** Whether the position is in the index. O(log n) where positions were added in ascending order, more or less. */
    boolean contains(long ledgerId, long entryId);

    /**
     * The same, asked by somebody who makes no read skip the position and offers nothing: unlike {@link #contains} it changes
     * nothing, where an index takes a false answer for a position that a read will bring.
     */
    default boolean holds(long ledgerId, long entryId) {
        return contains(ledgerId, entryId);
    }

    /**
     * The time of the earliest position, or {@link #NEVER}. After positions were forgotten it may name an earlier time
     * at which nothing is due any more, until {@link #tidy} finds no more to do; never a later one.
     */
    long nextDueMillis();

    /**
     * The time of the latest position, or {@link #NO_TIME}. After positions were forgotten it may name a later time at which
     * nothing is due any more, until {@link #tidy} finds no more to do; never an earlier one. A position that was forgotten and
     * added again may count with any of its times. For statistics: linear in a few positions, or in the parts of the index.
     */
    long lastDueMillis();

    /** The number of positions contained. O(1). */
    long size();

    /** The bytes of heap that this index keeps alive, position set included, within 10 % of the truth. O(1). */
    long retainedBytes();

    /** The part of {@link #retainedBytes} that is the set of positions kept for {@link #contains}. For statistics:
     * linear in the parts of the index. */
    long positionSetBytes();

    /**
     * Forgets one position.
     *
     * @return true if it was contained
     */
    boolean forget(long ledgerId, long entryId);

    /**
     * Forgets every position up to and including the given one.
     *
     * @param entryId -1 stands before the first entry of the ledger, as in a mark-delete position at its start
     * @return how many positions were contained and are forgotten
     */
    long forgetUpTo(long ledgerId, long entryId);

    /**
     * A way through the positions contained, to find out which of them are no longer wanted and {@link #forget} them. An index
     * without a way is not searched: positions acknowledged one by one stay until they are due. O(parts of the index).
     */
    default PositionWalk walk() {
        return PositionWalk.NONE;
    }

    /** Forgets everything and gives the memory back. */
    void clear();

    /**
     * Does a bounded piece of deferred work: drops the remains of forgotten positions, packs parts that are no longer written.
     *
     * @param budget how many positions or map entries to visit at most, 1 or more
     * @return true if another call would find more to do
     */
    boolean tidy(int budget);

    /**
     * A piece of work that is better done outside the calls above: it takes longer than they may, and works on data that does not
     * change any more. It is run once, on any thread, with or without the lock; the index picks up the result in a later call. If
     * it is not run the index does it when it has to. Each piece is passed on once. O(1).
     */
    default Optional<Runnable> takeWork() {
        return Optional.empty();
    }

    /**
     * Counts the positions due by each of the given times, for statistics. Coarse: never too low, and too high by at most a
     * sixteenth of the positions or the positions of 1/32 of the indexed time span (65.5 s at least); forgotten positions may
     * still be counted until {@link #tidy} has dropped them. Bounded work.
     *
     * @param untilMillis ascending epoch milliseconds
     * @param counts receives one count for each time, same length
     */
    void countDueBy(long[] untilMillis, long[] counts);

    /**
     * The positions due from one time to another, both inclusive, to be read without the lock: a look into the schedule. Together
     * the runs have each position contained now whose time is in memory; a row of a position that is not contained, or with a
     * time that was replaced, may be among them. Each run is to be closed. O(parts of the index), and a copy of each part that
     * changes, some ten thousand positions.
     */
    List<DueRun> runs(long fromMillis, long untilMillis);

    /**
     * Checks every internal invariant. For tests; linear in the size of the index.
     *
     * @throws IllegalStateException naming the invariant that does not hold
     */
    void validate();
}
