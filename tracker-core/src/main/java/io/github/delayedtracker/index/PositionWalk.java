/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import java.util.List;

/**
 * A way through the positions of an index, a piece at a time, in no particular order. The index may change between two pieces. A
 * position that stayed where it was from the first piece to the last is passed on at least once; others are passed on once, more
 * often or not at all, even after they are gone. Guarded as the index is.
 */
@FunctionalInterface
public interface PositionWalk {

    /** A way through nothing. */
    PositionWalk NONE = (budget, sink) -> false;

    /**
     * Passes on some more positions. The sink must not change the index.
     *
     * @param budget the number of positions wanted, 1 or more; a part that is packed as one is passed on as one
     * @return whether there may be more
     */
    boolean step(int budget, PositionSink sink);

    /** A way through several others, one after another; each is let go of when it has ended. */
    static PositionWalk through(List<PositionWalk> parts) {
        PositionWalk[] rest = parts.toArray(PositionWalk[]::new);
        int[] next = {0};
        return (budget, sink) -> {
            if (next[0] < rest.length && !rest[next[0]].step(budget, sink)) {
                rest[next[0]] = NONE;
                next[0]++;
            }
            return next[0] < rest.length;
        };
    }
}
