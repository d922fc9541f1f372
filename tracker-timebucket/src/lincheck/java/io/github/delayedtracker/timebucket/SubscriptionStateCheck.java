/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.subscription.SubscriptionState;
import io.github.delayedtracker.subscription.TimeRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * The state of a subscription under Lincheck, with an index of some backend: whatever threads do to a few positions at once, their
 * answers are those of some order of the calls, one at a time. Calls that ask a volatile range before they take the lock are among
 * them, and the work that the index gives to another thread, which changes no answer.
 */
@Param(name = "entry", gen = IntGen.class, conf = "1:4")
@Param(name = "time", gen = IntGen.class, conf = "1:4")
public abstract class SubscriptionStateCheck {

    private static final long LEDGER = 7;
    private static final int BEYOND = 9;

    private final Queue<Runnable> work = new ConcurrentLinkedQueue<>();
    private final SubscriptionState state;

    SubscriptionStateCheck(Supplier<DelayIndex> newIndex) {
        state = new SubscriptionState(newIndex.get(), newIndex, new TimeRules(true, 1, 1), work::add);
    }

    /** Another thread does the oldest piece of work, if there is any. */
    @Operation
    public void work() {
        Runnable next = work.poll();
        if (next != null) {
            next.run();
        }
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
