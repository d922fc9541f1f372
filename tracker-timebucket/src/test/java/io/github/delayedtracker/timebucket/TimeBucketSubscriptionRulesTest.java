/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.subscription.SubscriptionRulesContractTest;
import io.github.delayedtracker.subscription.SubscriptionState;
import io.github.delayedtracker.subscription.TimeRules;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TimeBucketSubscriptionRulesTest extends SubscriptionRulesContractTest {

    @Override
    protected DelayIndex newIndex() {
        return new TimeBucketIndexProvider().newIndex();
    }

    @Override
    protected long precisionMillis() {
        return 512;
    }

    @Test
    void s2_whatIsHandedOutIsNotLostWhereNoThreadBeginsTheWorkOfTheIndex() {
        AtomicBoolean noThreads = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        SubscriptionState state = new SubscriptionState(newIndex(), this::newIndex, new TimeRules(true, 1, 1), work -> {
            if (noThreads.get()) {
                refused.incrementAndGet();
                throw new OutOfMemoryError("unable to create native thread, on purpose");
            }
            work.run();
        });
        Random random = new Random(5);
        int positions = 3 * PartSizes.SEGMENT / 2;
        for (int i = 0; i < positions; i++) {
            assertTrue(state.offer(1, i, 1_000 + random.nextInt(1_000_000), 0));
        }
        noThreads.set(true);
        Set<Long> handedOut = new HashSet<>();
        while (state.count() > 0) {
            state.takeDue(state.nextDueMillis(), 5, Long.MAX_VALUE, 0, (ledgerId, entryId) -> handedOut.add(entryId));
        }
        assertTrue(refused.get() > 0, "some work was to begin");
        assertEquals(positions, handedOut.size());
    }
}
