/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PositionBoundsTest {

    private record At(long ledgerId, long entryId) implements Comparable<At> {
        @Override
        public int compareTo(At other) {
            int byLedger = Long.compare(ledgerId, other.ledgerId);
            return byLedger != 0 ? byLedger : Long.compare(entryId, other.entryId);
        }
    }

    @Test
    void nothingIsContainedAtFirst() {
        PositionBounds bounds = new PositionBounds();
        assertFalse(bounds.mayContain(0, 0));
        assertFalse(bounds.mayReachUpTo(Long.MAX_VALUE - 1, Long.MAX_VALUE));
    }

    @Test
    void positionsBehindTheLastOneAreNotContained() {
        PositionBounds bounds = new PositionBounds();
        bounds.include(3, 10);
        assertTrue(bounds.mayContain(3, 10));
        assertFalse(bounds.mayContain(3, 11));
        assertFalse(bounds.mayContain(4, 0));
        assertFalse(bounds.mayContain(3, 9));
    }

    @Test
    void whatIsForgottenUpToAPositionIsNotAskedAbout() {
        PositionBounds bounds = new PositionBounds();
        bounds.include(3, 10);
        bounds.include(5, 1);
        assertTrue(bounds.mayReachUpTo(3, 10));
        bounds.raiseFirstAbove(3, 10);
        assertFalse(bounds.mayContain(3, 10));
        assertFalse(bounds.mayReachUpTo(3, 10));
        assertTrue(bounds.mayContain(3, 11));
        bounds.raiseFirstAbove(4, 7);
        assertFalse(bounds.mayContain(4, 7));
        assertTrue(bounds.mayContain(4, 8));
        assertTrue(bounds.mayContain(5, 1));
    }

    @Test
    void whatIsForgottenBelowTheFirstLeavesItTheFirst() {
        PositionBounds bounds = new PositionBounds();
        bounds.include(3, 10);
        bounds.raiseFirstAbove(2, 50);
        bounds.raiseFirstAbove(3, 8);
        assertFalse(bounds.mayContain(3, 9));
        assertTrue(bounds.mayContain(3, 10));
    }

    @Test
    void theLastOfAllEntriesMayStayAskedAbout() {
        PositionBounds bounds = new PositionBounds();
        bounds.include(3, 10);
        bounds.include(4, 1);
        bounds.raiseFirstAbove(3, Long.MAX_VALUE);
        assertFalse(bounds.mayContain(3, 10));
        assertTrue(bounds.mayContain(4, 1));
    }

    @Test
    void nothingIsContainedOnceItIsCleared() {
        PositionBounds bounds = new PositionBounds();
        bounds.include(3, 10);
        bounds.clear();
        assertFalse(bounds.mayContain(3, 10));
        assertFalse(bounds.mayReachUpTo(9, 9));
        assertTrue(bounds.isBeyond(0, 0));
    }

    @Test
    void aContainedPositionIsNeverAnsweredWithNoAndWhatIsBeyondAllIsToldExactly() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        PositionBounds bounds = new PositionBounds();
        TreeSet<At> twin = new TreeSet<>();
        for (int i = 0; i < 100_000; i++) {
            At at = new At(random.nextInt(5), random.nextInt(50));
            if (random.nextInt(10) > 0) {
                bounds.include(at.ledgerId, at.entryId);
                twin.add(at);
            } else {
                boolean any = !twin.isEmpty() && twin.first().compareTo(at) <= 0;
                assertTrue(!any || bounds.mayReachUpTo(at.ledgerId, at.entryId), "seed " + seed);
                twin.headSet(at, true).clear();
                bounds.raiseFirstAbove(at.ledgerId, at.entryId);
                if (twin.isEmpty()) {
                    bounds.clear();
                }
            }
            At asked = new At(random.nextInt(5), random.nextInt(50));
            assertEquals(twin.isEmpty() || twin.last().compareTo(asked) < 0, bounds.isBeyond(asked.ledgerId, asked.entryId),
                    "seed " + seed + ": " + asked);
            for (At contained : twin) {
                assertTrue(bounds.mayContain(contained.ledgerId, contained.entryId), "seed " + seed + " lost " + contained);
            }
        }
    }
}
