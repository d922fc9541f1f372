/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import io.github.delayedtracker.heap.HeapIndexProvider;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * The state of a subscription under Lincheck: whatever threads do to a few positions at once, their answers are those of some
 * order of the calls, one at a time. Calls that ask a volatile range before they take the lock are among them. A program: it ends
 * with a failure that names the calls and their order if there is no such order.
 */
@Param(name = "entry", gen = IntGen.class, conf = "1:4")
@Param(name = "time", gen = IntGen.class, conf = "1:4")
public class SubscriptionStateCheck {

    private static final HeapIndexProvider HEAP = new HeapIndexProvider();
    private static final long LEDGER = 7;
    private static final int BEYOND = 9;

    private final SubscriptionState state =
            new SubscriptionState(HEAP.newIndex(), HEAP::newIndex, new TimeRules(true, 1, 1), Runnable::run);

    /** Runs both strategies: all interleavings of short scenarios up to a number, then threads that run freely. */
    public static void main(String[] arguments) {
        int iterations = Integer.getInteger("lincheck.iterations", 50);
        new ModelCheckingOptions().iterations(iterations).invocationsPerIteration(2_000).threads(2).actorsPerThread(3)
                .actorsBefore(3).actorsAfter(2).check(SubscriptionStateCheck.class);
        new StressOptions().iterations(iterations).invocationsPerIteration(5_000).threads(3).actorsPerThread(3)
                .actorsBefore(3).actorsAfter(2).check(SubscriptionStateCheck.class);
        System.out.println("SubscriptionState: " + iterations + " scenarios with each strategy, every answer has an order");
    }

    /** A message is read that is due at a time; it goes at once where that is past. */
    @Operation
    public boolean offer(@Param(name = "entry") int entry, @Param(name = "time") int due, @Param(name = "time") int now) {
        return state.offer(LEDGER, entry, due, now);
    }

    @Operation
    public boolean contains(@Param(name = "entry") int entry, @Param(name = "time") int now) {
        return state.contains(LEDGER, entry, now);
    }

    /** What is due is taken, with all of it read already. */
    @Operation
    public List<Long> takeDue(@Param(name = "time") int now, @Param(name = "entry") int limit) {
        return taken(now, limit, BEYOND);
    }

    /** What is due is taken, as far as it is read. */
    @Operation
    public List<Long> takeDueBelow(@Param(name = "time") int now, @Param(name = "entry") int readEntry) {
        return taken(now, BEYOND, readEntry);
    }

    private List<Long> taken(int now, int limit, int readEntry) {
        List<Long> entries = new ArrayList<>();
        int count = state.takeDue(now, limit, LEDGER, readEntry, (ledgerId, entryId) -> entries.add(entryId));
        if (count != entries.size()) {
            throw new IllegalStateException("takeDue answered " + count + " and passed " + entries);
        }
        return entries;
    }

    @Operation
    public boolean forget(@Param(name = "entry") int entry) {
        return state.forget(LEDGER, entry);
    }

    @Operation
    public long forgetUpTo(@Param(name = "entry") int entry) {
        return state.forgetUpTo(LEDGER, entry);
    }

    @Operation
    public void letGo() {
        state.letGo(false);
    }

    @Operation
    public boolean allBelow(@Param(name = "entry") int entry) {
        return state.allBelow(LEDGER, entry);
    }
}
