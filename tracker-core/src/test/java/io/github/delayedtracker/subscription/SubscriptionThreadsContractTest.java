/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.DelayIndex;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A subscription used by many threads at once, for every backend. */
public abstract class SubscriptionThreadsContractTest {

    private static final long NOW = 1_700_000_000_000L;
    private static final int POSITIONS = 200_000;
    private static final int STABLE = 5_000;
    private static final long END = Long.MAX_VALUE;

    /** An empty index of the backend under test. */
    protected abstract DelayIndex newIndex();

    private final AtomicLong clock = new AtomicLong(NOW);
    private final AtomicBoolean done = new AtomicBoolean();

    private static void inParallel(List<Callable<Void>> tasks) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            for (Future<Void> task : threads.invokeAll(tasks)) {
                task.get();
            }
        } finally {
            threads.shutdownNow();
            assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
        }
    }

    @Test
    @Timeout(60)
    @DisplayName("#25681/#25346: adding, handing out, asking, pruning and reading figures at once lose and repeat nothing")
    void t25681ManyThreadsAtOnce() throws Exception {
        SubscriptionState state = States.empty(this::newIndex, new TimeRules(true, 1_000, 512));
        for (int entry = 0; entry < STABLE; entry++) {
            state.offer(9, entry, Long.MAX_VALUE, NOW);
        }
        BitSet taken = new BitSet();
        List<Callable<Void>> tasks = new ArrayList<>();
        tasks.add(() -> addAll(state));
        tasks.add(() -> takeUntilDone(state, taken));
        for (int reader = 0; reader < 4; reader++) {
            long seed = reader;
            tasks.add(() -> askForStablePositions(state, new Random(seed)));
        }
        tasks.add(() -> readFigures(state));
        inParallel(tasks);
        state.validate();
        assertEquals(POSITIONS, taken.cardinality());
        assertEquals(STABLE, state.count());
    }

    private Void addAll(SubscriptionState state) {
        for (int entry = 0; entry < POSITIONS; entry++) {
            assertTrue(state.offer(1, entry, clock.get() + 1 + entry % 5_000, clock.get()));
            if (entry % 20 == 0) {
                clock.incrementAndGet();
            }
        }
        clock.addAndGet(100_000);
        done.set(true);
        return null;
    }

    private Void takeUntilDone(SubscriptionState state, BitSet taken) {
        while (taken.cardinality() < POSITIONS) {
            state.takeDue(clock.get(), 100, END, END, (ledgerId, entryId) -> {
                assertEquals(1, ledgerId);
                assertTrue(!taken.get((int) entryId), "handed out twice: " + entryId);
                taken.set((int) entryId);
            });
            state.forgetUpTo(0, 5);
            state.tidy(50);
        }
        return null;
    }

    private Void askForStablePositions(SubscriptionState state, Random random) {
        while (!done.get()) {
            int entry = random.nextInt(STABLE);
            // The clock stands still for the readers, so that nothing due is given up to them.
            assertTrue(state.contains(9, entry, NOW - 1), "lost sight of stable position " + entry);
        }
        return null;
    }

    private Void readFigures(SubscriptionState state) {
        while (!done.get()) {
            assertTrue(state.count() >= STABLE);
            assertTrue(state.retainedBytes() > 0);
            assertTrue(state.nextDueMillis() > 0);
            state.hasDue(clock.get());
            state.countDueBy(new long[] {NOW}, new long[1]);
        }
        return null;
    }

    @Test
    @Timeout(60)
    @DisplayName("work that an index wants done elsewhere is done on another thread while positions come and go")
    void workElsewhereLosesNothing() throws Exception {
        ExecutorService elsewhere = Executors.newSingleThreadExecutor();
        AtomicLong pieces = new AtomicLong();
        SubscriptionState state = new SubscriptionState(newIndex(), this::newIndex, new TimeRules(true, 1_000, 512), work -> {
            pieces.incrementAndGet();
            elsewhere.execute(work);
        });
        BitSet known = new BitSet();
        Random random = new Random(4);
        for (int entry = 0; entry < POSITIONS; entry++) {
            state.offer(1, entry, NOW + 2_000 + random.nextInt(600_000), NOW);
            known.set(entry);
            int forgotten = Math.max(0, entry - random.nextInt(40_000));
            assertEquals(known.get(forgotten), state.forget(1, forgotten), "entry " + forgotten);
            known.clear(forgotten);
            int asked = random.nextInt(entry + 1);
            assertEquals(known.get(asked), state.contains(1, asked, NOW), "entry " + asked);
        }
        state.validate();
        BitSet taken = new BitSet();
        while (state.count() > 0) {
            state.takeDue(END - 1, 1_000, END, END, (ledgerId, entryId) -> taken.set((int) entryId));
        }
        assertEquals(known, taken);
        elsewhere.shutdown();
        assertTrue(elsewhere.awaitTermination(10, TimeUnit.SECONDS));
        // One for each segment, and one each time that more than a quarter of what is left in it has gone.
        assertTrue(pieces.get() <= POSITIONS / 3_000, pieces + " pieces of work");
    }

    @Test
    @Timeout(60)
    @DisplayName("#24578: closing at any moment under the hands of other threads harms none of them")
    void t24578CloseUnderLoad() throws Exception {
        for (int round = 0; round < 50; round++) {
            SubscriptionState state = States.empty(this::newIndex, new TimeRules(true, 1_000, 512));
            int closeAt = 20 * round;
            AtomicLong steps = new AtomicLong();
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                int ledger = thread;
                tasks.add(() -> {
                    for (int entry = 0; entry < 1_000; entry++) {
                        state.offer(ledger, entry, NOW + 2_000 + entry % 7, NOW);
                        state.contains(ledger, entry / 2, NOW);
                        state.takeDue(NOW + 3_000, 3, END, END, (l, e) -> { });
                        state.forgetUpTo(ledger, entry / 4);
                        state.tidy(5);
                        if (steps.incrementAndGet() == closeAt) {
                            state.close();
                        }
                    }
                    return null;
                });
            }
            inParallel(tasks);
            state.close();
            assertEquals(0, state.count());
            assertEquals(0, state.takeDue(END, 100, END, END, (l, e) -> { }));
        }
    }
}
