/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

/**
 * What one subscription has in memory, reported to the broker's budget, and less of it when the budget asks: far segments are
 * unloaded, then the tail is sealed early if it is worth a ledger. Thread safe.
 */
final class MemoryRelief implements MemoryBudget.Member {

    private final GuardedIndex index;
    private final ChoreTasks tasks;
    private final SealChore seals;
    private final MemoryBudget budget;
    private final ChoreClock clock;
    private final long prefetchMillis;
    private final Runnable round;
    private final Runnable plan;
    private final MemoryBudget.Share share;

    /**
     * A share of nothing.
     *
     * @param prefetchMillis how long segments are loaded before their first position is due
     * @param round begins a round, which seals
     * @param plan asks when to load next, and reports
     */
    MemoryRelief(GuardedIndex index, ChoreTasks tasks, SealChore seals, MemoryBudget budget, ChoreClock clock,
            long prefetchMillis, Runnable round, Runnable plan) {
        this.index = index;
        this.tasks = tasks;
        this.seals = seals;
        this.budget = budget;
        this.clock = clock;
        this.prefetchMillis = prefetchMillis;
        this.round = round;
        this.plan = plan;
        this.share = budget.join(this);
    }

    /** It has so many bytes in memory; not under the lock. */
    void report(long bytes) {
        share.report(bytes);
    }

    @Override
    public void makeRoom() {
        if (tasks.isClosed()) {
            return;
        }
        long afterMillis = clock.nowMillis() + budget.farMillis(prefetchMillis);
        boolean more = true;
        while (more && budget.isOver()) {
            more = index.changeAndGet(known -> known.memoryUse().unloadLatest(afterMillis)) >= 0;
            if (more) {
                budget.unloaded();
                share.report(index.read(known -> known.memoryUse().bytes()));
            }
        }
        if (budget.isOver() && seals.sealEarly()) {
            round.run();
        }
        plan.run();
    }

    void close() {
        share.leave();
    }
}
