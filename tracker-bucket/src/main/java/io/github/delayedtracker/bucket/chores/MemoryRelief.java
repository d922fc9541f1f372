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

    private final Site site;
    private final SealChore seals;
    private final Runnable round;
    private final Runnable plan;
    private final MemoryBudget.Share share;

    /**
     * A share of nothing.
     *
     * @param round begins what seals
     * @param plan asks when to load next, and reports
     */
    MemoryRelief(Site site, SealChore seals, Runnable round, Runnable plan) {
        this.site = site;
        this.seals = seals;
        this.round = round;
        this.plan = plan;
        this.share = site.services.budget().join(this);
    }

    /** It has so many bytes in memory; not under the lock. */
    void report(long bytes) {
        share.report(bytes);
    }

    @Override
    public void makeRoom() {
        if (site.isClosed()) {
            return;
        }
        MemoryBudget budget = site.services.budget();
        long afterMillis = site.nowMillis() + budget.farMillis(site.settings().prefetchMillis());
        boolean more = true;
        while (more && budget.isOver()) {
            more = site.locked(() -> site.index.memoryUse().unloadLatest(afterMillis)) >= 0;
            if (more) {
                budget.unloaded();
                share.report(site.locked(() -> site.index.memoryUse().bytes()));
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
