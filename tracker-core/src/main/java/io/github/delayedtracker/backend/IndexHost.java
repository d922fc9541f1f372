/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.backend;

import io.github.delayedtracker.index.PositionRange;
import io.github.delayedtracker.index.PositionSink;
import java.util.function.Function;
import java.util.function.Supplier;

/** The subscription as seen by the background work of its stored index. Safe from any thread without locks. */
public interface IndexHost {

    /**
     * Runs a short change of the index under the subscription's lock, then publishes counts and arms the wake-up. The change
     * tells the sink the first and the last of the positions that may be in the index from now on.
     */
    <T> T change(Function<PositionSink, T> change);

    /** Looks at the index under the subscription's lock, for a short time: nothing is published, and no wake-up armed. */
    <T> T read(Supplier<T> look);

    /**
     * Has the dispatcher ask for due positions at once, not a tick later. Only where it has just taken some, so that the call is
     * not repeated for a dispatcher that takes none.
     */
    default void wake() {
    }

    /**
     * Whether the broker offers positions again that are handed out before they are due: not while delayed delivery is switched
     * off.
     */
    default boolean offersAgain() {
        return true;
    }

    /** Sets whether the index is to hear of every position that a read asks about, even outside the known range. */
    void askAlways(boolean always);

    /** Stored positions within a range are in the index again, at the times of when they were stored. Not under the lock. */
    default void recovered(PositionRange range) {
    }

    /** Passes on the mark-delete position, or nothing while it is unknown. */
    void markDelete(PositionSink sink);
}
