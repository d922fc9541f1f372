/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.index.PositionSink;

/**
 * The common interface of our trackers and the stock trackers, so that one driver measures both. The clock of a tracker stands
 * until {@link #setNowMillis} moves it. Not thread safe.
 */
public interface Tracker extends AutoCloseable {

    /** Moves the clock of this tracker, epoch milliseconds. */
    void setNowMillis(long nowMillis);

    /** Changes the tick as a policy would at run time. */
    void setTickMillis(long tickMillis);

    /** Offers a message; false if it is to be delivered at once. */
    boolean add(long ledgerId, long entryId, long deliverAtMillis);

    /** Whether a hand-out now might yield something. */
    boolean hasDue();

    /**
     * Hands out due positions into a new sorted set, as the broker's interface demands.
     *
     * @return how many positions the set holds
     */
    int handOut(int limit);

    /** Hands out as {@link #handOut(int)} does and passes the set on in its order. */
    int handOut(int limit, PositionSink sink);

    /** Tells of an acknowledgement of one position; a tracker that takes no such hint ignores it. */
    void acked(long ledgerId, long entryId);

    /** The number of positions that the tracker says it holds. */
    long count();

    /** The bytes that the tracker says it holds. */
    long reportedBytes();

    /** The part of {@link #reportedBytes} that is the set of positions for dedup and skip-read, 0 if there is none. */
    long positionSetBytes();

    /** Tells of a mark-delete: every position up to this one. A tracker that takes no such hint ignores it. */
    void ackedUpTo(long ledgerId, long entryId);

    /** Whether a position is held; always false for a tracker that cannot tell. */
    boolean contains(long ledgerId, long entryId);

    /** Does the work of idle times until none is left: an open tail is sealed, remains are dropped. */
    void settle();

    /** The object whose graph is the index, or null when the index lies outside the heap. */
    Object indexRoot();

    @Override
    void close();
}
