/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

/**
 * When it pays to look through an index for positions that were acknowledged one by one.
 *
 * <p>Every position that is still wanted is one of the cursor's backlog, so what an index holds beyond that number is
 * acknowledged for sure: <em>positions - backlog</em> is the least number of dead ones. A pass costs a question for each
 * position, so it pays once the dead are a quarter of them, and a few at least.
 *
 * <p>What is left of that number after a pass cannot be found (a backlog that was miscounted, positions that moved
 * meanwhile): it is <em>tolerated</em> from then on, and the next pass waits for as many dead again beyond it. The number
 * grows by one at an acknowledgement or an add, and by nothing else, so that passes ask about four positions for each of
 * these at most, whatever they find.
 *
 * <p>Not thread safe. O(1).
 */
public final class PurgeEstimate {

    /** Fewer dead are not worth a pass. */
    public static final int LEAST_DEAD = 16;
    /** The dead are to be one in so many. */
    static final int SHARE = 4;

    private long tolerated;

    /**
     * Whether a pass pays now.
     *
     * @param positions how many positions are in the index, each once
     * @param backlog how many entries of the topic are not acknowledged, delayed or not, read or not
     */
    public boolean pays(long positions, long backlog) {
        long dead = Math.max(0, positions - backlog);
        tolerated = Math.min(tolerated, dead);
        return dead - tolerated >= Math.max(LEAST_DEAD, (positions + SHARE - 1) / SHARE);
    }

    /** A pass has ended, and this is how things stand now. */
    public void passed(long positions, long backlog) {
        tolerated = Math.max(0, positions - backlog);
    }
}
