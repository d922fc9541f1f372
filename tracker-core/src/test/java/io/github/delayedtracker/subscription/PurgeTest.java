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

import io.github.delayedtracker.heap.HeapIndexProvider;
import org.junit.jupiter.api.Test;

/** What a purge leaves alone. That it finds what it shall is shown through the tracker. */
class PurgeTest {

    private static final long NOW = 1_700_000_000_000L;
    private static final long FAR = NOW + 86_400_000;

    private final SubscriptionState state = States.empty(new HeapIndexProvider()::newIndex,
            new TimeRules(true, 1_000, 1, AdaptivePrecision.OFF));
    private final CandidateBatch asked = new CandidateBatch();
    private final Purge purge = state.purge();

    private void offer(int positions) {
        for (int i = 0; i < positions; i++) {
            state.offer(1, i, FAR, NOW);
        }
    }

    @Test
    void whatIsGoneIsForgottenAndTheFiguresFollow() {
        offer(10_000);
        long full = state.retainedBytes();
        int forgotten = 0;
        boolean more = true;
        while (more) {
            asked.clear();
            more = purge.next(500, asked);
            forgotten += purge.forget(asked);
            purge.end();
        }
        assertEquals(10_000, forgotten);
        assertEquals(0, state.count());
        assertTrue(state.retainedBytes() < full / 10, state.retainedBytes() + " of " + full + " bytes");
        state.validate();
    }

    @Test
    void whatAReaderWasToldToSkipMeanwhileStays() {
        offer(100);
        purge.next(1_000, asked);
        assertTrue(state.contains(1, 7, NOW));
        assertEquals(99, purge.forget(asked));
        purge.end();
        assertTrue(state.contains(1, 7, NOW));
        assertFalse(state.contains(1, 8, NOW));
    }

    @Test
    void whatWasOfferedAgainMeanwhileStays() {
        offer(100);
        purge.next(1_000, asked);
        assertTrue(state.offer(1, 7, FAR, NOW));
        assertEquals(99, purge.forget(asked));
        assertEquals(1, state.count());
    }

    @Test
    void whatWasAskedForBeforeDoesNotStay() {
        offer(100);
        purge.next(1_000, asked);
        assertTrue(state.contains(1, 7, NOW));
        asked.clear();
        Purge next = state.purge();
        next.next(1_000, asked);
        assertEquals(100, next.forget(asked));
    }

    @Test
    void whatWaitsForTheNormalReadIsForgottenToo() {
        for (int i = 0; i < 100; i++) {
            assertTrue(state.offer(1, i, i < 50 ? NOW + 2_000 : FAR, NOW));
        }
        assertEquals(0, state.takeDue(NOW + 2_000, 100, 1, 0, (ledgerId, entryId) -> { }));
        assertEquals(50, state.overdueCount());
        int forgotten = 0;
        for (boolean more = true; more;) {
            asked.clear();
            more = purge.next(1_000, asked);
            forgotten += purge.forget(asked);
            purge.end();
        }
        assertEquals(100, forgotten);
        assertEquals(0, state.overdueCount());
        assertEquals(0, state.count());
    }

    @Test
    void thatAGonePositionStayedIsKnown() {
        offer(100);
        purge.next(1_000, asked);
        assertTrue(state.contains(1, 1, NOW));
        assertFalse(purge.passedOver());
        purge.forget(asked);
        assertTrue(purge.passedOver());
    }

    @Test
    void aClosedSubscriptionHasNothingToAskAbout() {
        offer(100);
        state.close();
        assertFalse(purge.next(1_000, asked));
        assertEquals(0, asked.size());
        assertEquals(0, purge.forget(asked));
    }
}
