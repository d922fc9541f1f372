/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Who is asked to make room, and when. */
class MemoryBudgetTest {

    private final JobTime time = new JobTime(1);
    private final List<String> asked = new ArrayList<>();
    private final MemoryBudget budget = new MemoryBudget(1_000, time, time, time::nowMillis, 60_000);

    private MemoryBudget.Share share(String name) {
        return budget.join(() -> asked.add(name));
    }

    private void run(long millis) {
        time.runUntil(time.nowMillis() + millis);
    }

    @Test
    void whatIsReportedWhileAShareLeavesDoesNotCount() {
        AtomicReference<Runnable> onCancel = new AtomicReference<>(() -> { });
        WakeUpTimer between = new WakeUpTimer() {
            @Override
            public Armed arm(long delayMillis, Runnable task) {
                return () -> onCancel.get().run();
            }

            @Override
            public int armedCount() {
                return 0;
            }

            @Override
            public void close() {
                // nothing is armed
            }
        };
        MemoryBudget two = new MemoryBudget(100, between, Runnable::run, time::nowMillis, 60_000);
        MemoryBudget.Share leaving = two.join(() -> { });
        leaving.report(200);
        // As another thread that was planning in that moment.
        onCancel.set(() -> leaving.report(70));
        leaving.leave();
        assertEquals(0, two.samples().get("bucket_memory_used_bytes"));
    }

    @Test
    void nobodyIsAskedAndNothingArmedWithinTheLimit() {
        share("a").report(600);
        share("b").report(400);
        run(10_000);
        assertEquals(List.of(), asked);
        assertEquals(0, time.armedCount());
        assertEquals(1_000, budget.samples().get("bucket_memory_used_bytes"));
        assertEquals(60_000, budget.loadAheadMillis(60_000));
    }

    @Test
    void theLargestAreAskedAsManyAsHaveWhatIsTooMuch() {
        share("small").report(200);
        share("large").report(500);
        share("middle").report(400);
        run(0);
        assertEquals(List.of("large"), asked);
    }

    @Test
    void theNextAreAskedASecondLaterAndEachAgainAfterFiveOrMore() {
        share("small").report(10);
        share("large").report(1_500);
        share("middle").report(600);
        share("empty").report(0);
        run(500);
        assertEquals(List.of("large"), asked);
        run(1_000);
        assertEquals(List.of("large", "middle", "small"), asked);
        run(5_000);
        assertEquals(3, asked.size());
        run(1_000);
        assertEquals(List.of("large", "middle", "small", "large"), asked);
    }

    @Test
    void whereNothingIsGainedItIsLookedEverMoreSeldom() {
        MemoryBudget.Share share = share("a");
        share.report(2_000);
        long before = time.eventsRun();
        run(86_400_000);
        long events = time.eventsRun() - before;
        // A look is two events, and the longest wait half the minute for which memory counts as short.
        assertTrue(events >= 2 * 86_400 / 30 && events < 2 * 86_400 / 30 + 20, events + " events in a day");
        assertEquals(5_000, budget.loadAheadMillis(60_000), "memory is short all the while");
        assertEquals(1, time.armedCount());
    }

    @Test
    void whatGrowsByASixteenthIsLookedAtAtOnce() {
        MemoryBudget.Share share = share("a");
        share.report(2_000);
        run(600_000);
        MemoryBudget.Share other = share("b");
        asked.clear();
        other.report(50);
        share.report(1_990);
        assertEquals(List.of(), asked);
        other.report(100);
        run(0);
        assertEquals(List.of("a"), asked);
        assertEquals(1, time.armedCount());
    }

    @Test
    void onceSomethingIsGainedItIsLookedAsOftenAsAtFirst() {
        MemoryBudget.Share share = share("a");
        share.report(2_000);
        run(600_000);
        share.report(1_500);
        asked.clear();
        while (asked.isEmpty()) {
            run(1_000);
        }
        run(8_000);
        assertEquals(List.of("a", "a"), asked, "looked after 1, 3 and 7 seconds, asked again by the last");
    }

    @Test
    void whoMakesRoomEndsTheLookingAtOnce() {
        MemoryBudget.Share[] share = new MemoryBudget.Share[1];
        share[0] = budget.join(() -> {
            asked.add("a");
            share[0].report(100);
        });
        share[0].report(1_200);
        run(0);
        assertEquals(List.of("a"), asked);
        assertEquals(0, time.armedCount());
    }

    @Test
    void whoLeavesTakesHisBytesAlong() {
        MemoryBudget.Share share = share("a");
        share.report(2_000);
        run(100);
        assertEquals(1, time.armedCount());
        share.leave();
        assertEquals(0, time.armedCount());
        share.report(2_000);
        assertEquals(0, budget.samples().get("bucket_memory_used_bytes"));
        run(10_000);
        assertEquals(List.of("a"), asked);
    }

    @Test
    void segmentsAreLoadedLaterWhileMemoryIsShortAndAMinuteLonger() {
        MemoryBudget.Share share = share("a");
        share.report(2_000);
        run(10);
        assertEquals(5_000, budget.loadAheadMillis(60_000));
        assertEquals(10_000, budget.farMillis(60_000));
        assertEquals(1_000, budget.loadAheadMillis(3_000), "a quarter, and a second at least");
        assertEquals(500, budget.loadAheadMillis(500), "never longer than configured");
        share.report(100);
        run(59_000);
        assertEquals(5_000, budget.loadAheadMillis(60_000));
        run(2_000);
        assertEquals(60_000, budget.loadAheadMillis(60_000));
    }

    @Test
    void withoutALimitBytesAreCountedAndNobodyIsAsked() {
        MemoryBudget unlimited = new MemoryBudget(0, time, time, time::nowMillis, 60_000);
        unlimited.join(() -> asked.add("a")).report(1L << 40);
        run(10_000);
        assertTrue(asked.isEmpty() && !unlimited.isOver());
        assertEquals(1L << 40, unlimited.samples().get("bucket_memory_used_bytes"));
    }
}
