/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionWalk;

/** The check, for tests, of the rules between the parts of an index. Linear, with a sort where positions came out of order. */
final class IndexCheck {

    /** A rule that holds of a position or does not. */
    @FunctionalInterface
    interface Test {
        boolean holds(long ledgerId, long entryId);
    }

    private IndexCheck() {
    }

    /**
     * Checks each part, and that every position is in one part and within reach.
     *
     * @throws IllegalStateException naming the rule that does not hold
     */
    static void validate(MemoryParts memory, BucketTable table, LostPositions lost, Test behindAll) {
        PositionSet seen = new PositionSet();
        memory.validate(seen);
        table.validate();
        lost.validate();
        long expected = seen.size() + table.positions() + lost.size();
        for (Bucket bucket : table.buckets()) {
            bucket.sleeping().forEach(seen::add);
        }
        lost.forEach(seen::add);
        if (seen.size() != expected) {
            throw new IllegalStateException("a position is in one part, but of the " + expected + " in tails and sets "
                    + seen.size() + " differ");
        }
        seen.forEach((l, e) -> {
            if (behindAll.holds(l, e) || memory.isNear(l, e)) {
                throw new IllegalStateException("a position is within reach and in one part, but not " + l + ":" + e);
            }
        });
    }

    /** Checks a part without a log, and that its positions are in no other part. */
    static void validateUnlogged(String name, DelayIndex part, PositionSet seen) {
        part.validate();
        PositionSet all = new PositionSet();
        PositionWalk walk = part.walk();
        boolean more = true;
        while (more) {
            more = walk.step(Integer.MAX_VALUE, (ledgerId, entryId) -> {
                if (part.contains(ledgerId, entryId)) {
                    all.add(ledgerId, entryId);
                }
            });
        }
        long before = seen.size();
        all.forEach(seen::add);
        if (all.size() != part.size() || seen.size() != before + all.size()) {
            throw new IllegalStateException(name + ": a position is in one part, but of " + part.size() + " positions "
                    + all.size() + " were found, " + (seen.size() - before) + " of them in no other part");
        }
    }
}
