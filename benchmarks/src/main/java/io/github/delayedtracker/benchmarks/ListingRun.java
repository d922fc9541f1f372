/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.DelayIndexProvider;
import io.github.delayedtracker.index.PositionTimes;
import io.github.delayedtracker.subscription.ScheduleWalk;
import io.github.delayedtracker.subscription.SubscriptionState;
import io.github.delayedtracker.subscription.TimeRules;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Pages of 1,000 messages listed from a schedule of many, with delays uniform over a time: the first page, and one that begins in
 * the middle of the time; passes over all; and counts by due time. Prints how long a page took, and how long the one hold of the
 * lock in which the look begins.
 *
 * <pre>
 * java -Xmx4g -cp benchmarks/target/benchmarks.jar io.github.delayedtracker.benchmarks.ListingRun 10000000 600000
 * </pre>
 */
public final class ListingRun {

    private static final int ENTRIES_OF_A_LEDGER = 50_000;
    private static final long START_MILLIS = 1_700_000_000_000L;
    private static final int PAGE = 1_000;
    private static final int ROUNDS = 41;
    private static final int PASSES = 5;
    private static final int COUNTS = 60;

    private ListingRun() {
    }

    /** Runs both indexes; the arguments are the number of messages and the longest delay, milliseconds. */
    public static void main(String[] arguments) throws InterruptedException {
        int messages = Integer.parseInt(arguments[0]);
        long delayMillis = Long.parseLong(arguments[1]);
        run("timebucket", new TimeBucketIndexProvider(), 512, messages, delayMillis);
        run("heap", new HeapIndexProvider(), 1, messages, delayMillis);
    }

    private static void run(String name, DelayIndexProvider provider, long precisionMillis, int messages, long delayMillis)
            throws InterruptedException {
        ExecutorService worker = Executors.newSingleThreadExecutor();
        SubscriptionState state = new SubscriptionState(provider.newIndex(), provider::newIndex,
                new TimeRules(false, 1_000, precisionMillis), worker);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < messages; i++) {
            boolean unused = state.offer(i / ENTRIES_OF_A_LEDGER, i % ENTRIES_OF_A_LEDGER,
                    START_MILLIS + 2_000 + random.nextLong(delayMillis), START_MILLIS);
        }
        worker.shutdown();
        worker.awaitTermination(1, TimeUnit.MINUTES);
        pages(name + ", the first page", state, 0);
        pages(name + ", from the middle", state, START_MILLIS + delayMillis / 2);
        wholePasses(name, state);
        counts(name, state, delayMillis);
    }

    /** The histogram: how many are due by each of some times, all within one hold of the lock. */
    private static void counts(String name, SubscriptionState state, long delayMillis) {
        long[] untilMillis = new long[COUNTS];
        for (int i = 0; i < COUNTS; i++) {
            untilMillis[i] = i == COUNTS - 1 ? Long.MAX_VALUE : START_MILLIS + (i + 1) * delayMillis / COUNTS;
        }
        double[] millis = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long[] counts = new long[COUNTS];
            long begun = System.nanoTime();
            state.countDueBy(untilMillis, counts);
            millis[round] = (System.nanoTime() - begun) / 1e6;
            if (counts[COUNTS - 1] != state.count()) {
                throw new IllegalStateException("all are due at last: " + counts[COUNTS - 1]);
            }
        }
        Arrays.sort(millis);
        System.out.printf(Locale.ROOT, "%,d messages, %s, counts by %d times: %.3f ms (worst %.3f)%n", state.count(), name,
                COUNTS, millis[ROUNDS / 2], millis[ROUNDS - 1]);
    }

    /** Passes over all, in no order, as for sums by ledger. */
    private static void wholePasses(String name, SubscriptionState state) {
        double[] passMillis = new double[PASSES];
        for (int round = 0; round < PASSES; round++) {
            long begun = System.nanoTime();
            ScheduleWalk walk = new ScheduleWalk(state, PositionTimes.NONE, (ledgerId, entryId) -> false, 0, Long.MAX_VALUE,
                    START_MILLIS);
            boolean isOpen = walk.begin(() -> true).orElse(false);
            long[] rows = {0};
            try {
                var next = walk.passAll(Optional.empty(), () -> true, (ledgerId, entryId, dueMillis) -> rows[0]++);
                if (!isOpen || rows[0] != state.count() || next.isPresent()) {
                    throw new IllegalStateException("a pass has all " + state.count() + " rows, not " + rows[0]);
                }
            } catch (ScheduleWalk.EndedException e) {
                throw new IllegalStateException("nobody has ended it", e);
            } finally {
                walk.close();
            }
            passMillis[round] = (System.nanoTime() - begun) / 1e6;
        }
        Arrays.sort(passMillis);
        System.out.printf(Locale.ROOT, "%,d messages, %s, all of them: %,.0f ms (worst %,.0f)%n", state.count(), name,
                passMillis[PASSES / 2], passMillis[PASSES - 1]);
    }

    private static void pages(String name, SubscriptionState state, long fromMillis) {
        double[] pageMillis = new double[ROUNDS];
        double[] holdMillis = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long begun = System.nanoTime();
            ScheduleWalk walk = new ScheduleWalk(state, PositionTimes.NONE, (ledgerId, entryId) -> false,
                    fromMillis, Long.MAX_VALUE, START_MILLIS);
            boolean isOpen = walk.begin(() -> true).orElse(false);
            holdMillis[round] = (System.nanoTime() - begun) / 1e6;
            int[] rows = {0};
            var next = walk.pass(Optional.empty(), PAGE, row -> rows[0]++);
            walk.close();
            pageMillis[round] = (System.nanoTime() - begun) / 1e6;
            if (!isOpen || rows[0] != PAGE || next.isEmpty()) {
                throw new IllegalStateException("a page has " + PAGE + " rows and a next one, not " + rows[0]);
            }
        }
        Arrays.sort(pageMillis);
        Arrays.sort(holdMillis);
        System.out.printf(Locale.ROOT, "%,d messages, %s: %.1f ms (worst %.1f), %.2f ms (worst %.2f) of them under the lock%n",
                state.count(), name, pageMillis[ROUNDS / 2], pageMillis[ROUNDS - 1], holdMillis[ROUNDS / 2],
                holdMillis[ROUNDS - 1]);
    }
}
