/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.StorageCalls.Turn;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** S9: the calls of all subscriptions wait in one queue. */
class StorageCallsTest {

    private static final int AT_A_TIME = 2;
    private static final long SLOW_MILLIS = 10_000;

    private final JobTime time = new JobTime(1);
    private final StorageCalls calls = queue(AT_A_TIME);
    private final List<String> begun = new ArrayList<>();
    private final Map<String, Turn> turns = new HashMap<>();

    private StorageCalls queue(int atATime) {
        return new StorageCalls(atATime, time, time, time::nowMillis, time::nowMillis);
    }

    private Turn ask(String name, long wantedMillis) {
        Turn turn = calls.ask(wantedMillis, own -> begun.add(name));
        turns.put(name, turn);
        return turn;
    }

    private void end(String name) {
        turns.get(name).end();
        time.runUntil(time.nowMillis());
    }

    @Test
    void callsForWhichThereIsRoomBeginAtOnce() {
        ask("a", 900);
        ask("b", 800);
        ask("c", 700);
        assertEquals(List.of("a", "b"), begun);
        assertTrue(turns.get("c").isWaiting());
        assertEquals(AT_A_TIME, calls.underWay());
        assertEquals(1, calls.waiting());
    }

    @Test
    void theMostUrgentOfThoseThatWaitBeginsNextAndOfEquallyUrgentOnesTheOldest() {
        ask("a", 0);
        ask("b", 0);
        ask("merge", 30_000);
        ask("seal 1", 500);
        ask("seal 2", 500);
        ask("due", 100);
        end("a");
        end("b");
        end("due");
        end("seal 1");
        assertEquals(List.of("a", "b", "due", "seal 1", "seal 2", "merge"), begun);
    }

    @Test
    void aTurnThatEndsTwiceMakesRoomOnce() {
        ask("a", 0);
        ask("b", 0);
        ask("c", 0);
        ask("d", 0);
        end("a");
        end("a");
        assertEquals(List.of("a", "b", "c"), begun);
    }

    @Test
    void aCallThatLeavesTheQueueNeverBegins() {
        ask("a", 0);
        ask("b", 0);
        ask("c", 0);
        ask("d", 1);
        assertTrue(turns.get("c").leave());
        assertFalse(turns.get("c").leave());
        assertFalse(turns.get("a").leave(), "it is under way");
        end("a");
        assertEquals(List.of("a", "b", "d"), begun);
    }

    @Test
    void aCallOfSomethingThatWasBegunWaitsForNobodyButCounts() {
        ask("a", 0);
        Turn first = calls.atOnce();
        Turn second = calls.atOnce();
        ask("b", 0);
        assertEquals(List.of("a"), begun);
        assertEquals(AT_A_TIME + 1, calls.underWay());
        first.end();
        time.runUntil(0);
        assertEquals(List.of("a"), begun);
        second.end();
        time.runUntil(0);
        assertEquals(List.of("a", "b"), begun);
    }

    @Test
    void slowCallsMakeRoomForAsManyOthersAndNotForMore() {
        ask("hangs 1", 0);
        time.runUntil(4_000);
        ask("hangs 2", 0);
        ask("c", 0);
        ask("d", 0);
        ask("e", 0);
        time.runUntil(SLOW_MILLIS - 1);
        assertEquals(List.of("hangs 1", "hangs 2"), begun);
        time.runUntil(SLOW_MILLIS);
        assertEquals(List.of("hangs 1", "hangs 2", "c"), begun);
        time.runUntil(SLOW_MILLIS + 4_000);
        assertEquals(List.of("hangs 1", "hangs 2", "c", "d"), begun);
        time.runUntil(10 * SLOW_MILLIS);
        assertEquals(List.of("hangs 1", "hangs 2", "c", "d"), begun, "twice as many at most");
        assertEquals(0, time.armedCount(), "nothing to look at");
        end("hangs 1");
        assertEquals(List.of("hangs 1", "hangs 2", "c", "d"), begun, "its room was given away");
        time.runUntil(11 * SLOW_MILLIS);
        assertEquals(List.of("hangs 1", "hangs 2", "c", "d", "e"), begun, "another slow one makes room instead");
    }

    @Test
    void nothingIsArmedWhileNothingWaits() {
        ask("a", 0);
        ask("b", 0);
        assertEquals(0, time.armedCount());
    }

    @Test
    void aTimerThatRefusesLeavesTheRestToTheCallsThatEnd() {
        WakeUpTimer broken = new WakeUpTimer() {
            @Override
            public Armed arm(long delayMillis, Runnable task) {
                throw new RejectedExecutionException("closed");
            }

            @Override
            public int armedCount() {
                return 0;
            }

            @Override
            public void close() {
                // Is closed.
            }
        };
        StorageCalls queue = new StorageCalls(1, broken, time, time::nowMillis, time::nowMillis);
        Turn first = queue.ask(0, own -> begun.add("a"));
        queue.ask(0, own -> begun.add("b"));
        first.end();
        time.runAll();
        assertEquals(List.of("a", "b"), begun);
    }

    @Test
    void threadsThatRefuseLeaveTheCallToTheThreadThatMadeRoom() {
        StorageCalls queue = new StorageCalls(1, time, rest -> {
            throw new RejectedExecutionException("closed");
        }, time::nowMillis, time::nowMillis);
        Turn first = queue.ask(0, own -> begun.add("a"));
        queue.ask(0, own -> begun.add("b"));
        first.end();
        assertEquals(List.of("a", "b"), begun);
    }

    @Test
    void aHundredThousandCallsThatAreOverAtOnceTakeNoStack() {
        StorageCalls queue = new StorageCalls(1, time, Runnable::run, time::nowMillis, time::nowMillis);
        Turn first = queue.ask(0, own -> { });
        int[] over = {0};
        for (int i = 0; i < 100_000; i++) {
            queue.ask(0, own -> {
                over[0]++;
                own.end();
            });
        }
        first.end();
        assertEquals(100_000, over[0]);
        assertEquals(0, queue.underWay());
    }

    @Test
    void theQueueDoesWhatASortedListDoes() {
        for (long seed = 1; seed <= 200; seed++) {
            new Twin(seed).run();
        }
    }

    /** Asks, leaves and ends at random, and knows who has to be under way. */
    private final class Twin {
        private final SplittableRandom random;
        private final StorageCalls queue;
        private final int atATime;
        private final long seed;
        private final List<Integer> under = new ArrayList<>();
        private final List<long[]> sorted = new ArrayList<>();
        private final List<Turn> all = new ArrayList<>();
        private final List<Integer> seen = new ArrayList<>();
        private final List<Integer> expected = new ArrayList<>();

        Twin(long seed) {
            this.seed = seed;
            random = new SplittableRandom(seed);
            atATime = 1 + random.nextInt(4);
            queue = queue(atATime);
        }

        void run() {
            for (int step = 0; step < 300; step++) {
                int what = random.nextInt(5);
                if (what < 3) {
                    int number = all.size();
                    long wanted = random.nextInt(10);
                    sorted.add(new long[] {wanted, number});
                    all.add(queue.ask(wanted, own -> seen.add(number)));
                } else if (what == 3 && !under.isEmpty()) {
                    all.get(under.remove(random.nextInt(under.size()))).end();
                } else if (!sorted.isEmpty()) {
                    int number = (int) sorted.remove(random.nextInt(sorted.size()))[1];
                    assertTrue(all.get(number).leave(), () -> "seed " + seed);
                }
                fill();
                time.runUntil(time.nowMillis());
                assertEquals(expected, seen, () -> "seed " + seed);
                assertEquals(under.size(), queue.underWay(), () -> "seed " + seed);
            }
        }

        private void fill() {
            while (under.size() < atATime && !sorted.isEmpty()) {
                long[] next = sorted.stream().min((one, other) -> one[0] != other[0] ? Long.compare(one[0], other[0])
                        : Long.compare(one[1], other[1])).orElseThrow();
                sorted.remove(next);
                under.add((int) next[1]);
                expected.add((int) next[1]);
            }
        }
    }
}
