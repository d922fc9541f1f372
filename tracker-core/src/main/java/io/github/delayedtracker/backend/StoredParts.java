/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.backend;

import java.util.List;

/**
 * The parts of an index that are in storage, and those that its durable record names. While a part is being written, merged or
 * deleted the two may differ.
 *
 * @param parts in the order in which they were stored
 * @param recorded the ledgers that the durable record names as live, as far as it is known here
 */
public record StoredParts(List<StoredPart> parts, List<Long> recorded) {

    /** Where nothing is stored. */
    public static final StoredParts NONE = new StoredParts(List.of(), List.of());

    /**
     * A part in storage.
     *
     * @param ledgerId its ledger; -1 while it has none
     * @param state in the words of the backend
     * @param isLive whether its positions may be read from there
     * @param positions that are only there
     * @param bytes of its segments
     * @param segments how many it has
     * @param asleep how many of them are not in memory
     * @param firstDueMillis when the first of all its segments begins, epoch milliseconds; 0 without segments
     * @param lastDueMillis when the last ends
     */
    public record StoredPart(long ledgerId, String state, boolean isLive, long positions, long bytes, int segments, int asleep,
            long firstDueMillis, long lastDueMillis) {
    }
}
