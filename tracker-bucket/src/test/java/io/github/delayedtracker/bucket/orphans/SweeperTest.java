/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When sweeps are made, and by whom. */
class SweeperTest {

    private static final long DAY = SweepWorld.DAY;
    private static final long HOUR = DAY / 24;

    private final SweepWorld world = new SweepWorld(1, FaultRates.none());
    private final AtomicBoolean leads = new AtomicBoolean(true);

    private Sweeper sweeper(long intervalMillis) {
        return new Sweeper(world.services(new SweepSettings(intervalMillis, DAY, false, 100, 10, 100, 1_000)), leads::get);
    }

    @Test
    void itSweepsOnceAnInterval() throws Exception {
        Sweeper sweeper = sweeper(HOUR);
        sweeper.begin();
        sweeper.begin();
        world.orphan("a");
        world.time.runUntil(DAY - HOUR / 2);
        assertEquals(23, sweeper.figures().get("bucket_sweeps_total"));
        assertEquals(0, sweeper.figures().get("bucket_sweep_orphans"));
        assertEquals(1, sweeper.figures().get("bucket_sweep_ledgers"));
        world.time.runUntil(DAY + 2 * HOUR);
        assertEquals(List.of(), world.faulty.world().ledgerIds());
        assertEquals(1, sweeper.figures().get("bucket_sweep_deleted_total"));
    }

    @Test
    void nothingIsArmedUntilThereMayBeSomethingToFind() {
        Sweeper idle = sweeper(HOUR);
        assertEquals(0, world.time.armedCount());
        idle.begin();
        assertEquals(1, world.time.armedCount());
        Sweeper off = sweeper(0);
        off.begin();
        assertEquals(1, world.time.armedCount());
    }

    @Test
    void onlyTheLeaderSweepsAndALeaderToBeSweepsLater() throws Exception {
        leads.set(false);
        Sweeper sweeper = sweeper(HOUR);
        sweeper.begin();
        world.orphan("a");
        world.time.runUntil(2 * DAY);
        assertEquals(0, sweeper.figures().get("bucket_sweeps_total"));
        assertEquals(1, world.faulty.world().ledgerIds().size());
        leads.set(true);
        world.time.runUntil(2 * DAY + 2 * HOUR);
        assertEquals(0, world.faulty.world().ledgerIds().size());
    }

    @Test
    void whoLosesTheLeadInASweepDeletesNoMore() throws Exception {
        Sweeper sweeper = sweeper(HOUR);
        for (int i = 0; i < 20; i++) {
            world.orphan("a" + i);
        }
        world.time.runUntil(DAY);
        sweeper.begin();
        while (world.faulty.world().ledgerIds().size() > 15) {
            world.time.run(1);
        }
        leads.set(false);
        world.time.runUntil(2 * DAY);
        assertEquals(15, world.faulty.world().ledgerIds().size());
        assertEquals(5, sweeper.figures().get("bucket_sweep_deleted_total"));
    }

    @Test
    void closedItEndsAndBeginsNoOther() throws Exception {
        Sweeper sweeper = sweeper(HOUR);
        for (int i = 0; i < 20; i++) {
            world.orphan("a" + i);
        }
        world.time.runUntil(DAY);
        sweeper.begin();
        while (world.faulty.world().ledgerIds().size() > 15) {
            world.time.run(1);
        }
        sweeper.close();
        world.time.runAll();
        assertEquals(15, world.faulty.world().ledgerIds().size());
        assertEquals(0, world.time.armedCount());
    }

    @Test
    @DisplayName("S11: statistics tell how far the sweep of the cluster is, and a broker started later goes on there")
    void thePlaceIsInTheFiguresAndOutlivesTheBroker() throws Exception {
        for (int i = 0; i < 250; i++) {
            world.faulty.world().addForeignLedger();
        }
        Sweeper first = sweeper(HOUR);
        first.begin();
        while (first.figures().get("bucket_sweep_after_ledger") < 0) {
            world.time.run(1);
        }
        first.close();
        assertEquals(world.faulty.world().ledgerIds().get(99), first.figures().get("bucket_sweep_after_ledger"));
        assertEquals(0, first.figures().get("bucket_sweep_rounds_total"));
        Sweeper second = sweeper(HOUR);
        second.begin();
        world.lookedAt.clear();
        world.time.runUntil(3 * HOUR);
        assertEquals(world.faulty.world().ledgerIds().get(100), world.lookedAt.get(0));
        assertEquals(-1, second.figures().get("bucket_sweep_after_ledger"));
        assertEquals(1, second.figures().get("bucket_sweep_rounds_total"));
    }
}
