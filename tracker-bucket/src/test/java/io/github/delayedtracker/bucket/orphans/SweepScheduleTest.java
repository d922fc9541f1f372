/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepServices;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepSettings;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When sweeps are made, and by whom. */
class SweepScheduleTest {

    private static final long DAY = SweepWorld.DAY;
    private static final long HOUR = DAY / 24;

    private final SweepWorld world = new SweepWorld(1, FaultRates.none());
    private final AtomicBoolean leads = new AtomicBoolean(true);

    private SweepSchedule sweeper(long intervalMillis) {
        return new SweepSchedule(world.services(new SweepSettings(intervalMillis, DAY, false, 100, 10, 100, 1_000)), leads::get);
    }

    private SweepSchedule sweeperThatHasDeletedFiveOf20() throws Exception {
        SweepSchedule sweeper = sweeper(HOUR);
        for (int i = 0; i < 20; i++) {
            world.orphan("a" + i);
        }
        world.time.runUntil(DAY);
        sweeper.begin();
        while (world.ledgerIds().size() > 15) {
            world.time.run(1);
        }
        return sweeper;
    }

    @Test
    @DisplayName("S2: a sweep that gets no thread ends, and the next one begins")
    void aSweepThatGetsNoThreadIsFollowedByAnother() throws Exception {
        SweepServices given = world.services(new SweepSettings(HOUR, DAY, false, 1, 10, 100, 1_000));
        AtomicInteger left = new AtomicInteger(5);
        Executor threads = task -> {
            if (left.getAndDecrement() == 0) {
                throw new InternalError("no thread, for the test");
            }
            world.time.execute(task);
        };
        SweepSchedule sweeper = new SweepSchedule(new SweepServices(given.storage(), given.labels(), given.shared(),
                given.records(), threads, given.timer(), given.wallMillis(), given.jitter(), given.retries(),
                given.settings()), leads::get);
        for (int i = 0; i < 20; i++) {
            world.orphan("a" + i);
        }
        world.time.runUntil(DAY);
        sweeper.begin();
        world.time.runUntil(2 * DAY);
        assertTrue(left.get() < 0, "a thread was refused");
        assertEquals(List.of(), world.ledgerIds());
    }

    @Test
    void itSweepsOnceAnInterval() throws Exception {
        SweepSchedule sweeper = sweeper(HOUR);
        sweeper.begin();
        sweeper.begin();
        world.orphan("a");
        world.time.runUntil(DAY - HOUR / 2);
        assertEquals(23, sweeper.samples().get("bucket_sweeps_total"));
        assertEquals(0, sweeper.samples().get("bucket_sweep_orphans"));
        assertEquals(1, sweeper.samples().get("bucket_sweep_ledgers"));
        world.time.runUntil(DAY + 2 * HOUR);
        assertEquals(List.of(), world.ledgerIds());
        assertEquals(1, sweeper.samples().get("bucket_sweep_deleted_total"));
    }

    @Test
    void nothingIsArmedUntilThereMayBeSomethingToFind() {
        SweepSchedule idle = sweeper(HOUR);
        assertEquals(0, world.time.armedCount());
        idle.begin();
        assertEquals(1, world.time.armedCount());
        SweepSchedule off = sweeper(0);
        off.begin();
        assertEquals(1, world.time.armedCount());
    }

    @Test
    void onlyTheLeaderSweepsAndALeaderToBeSweepsLater() throws Exception {
        leads.set(false);
        SweepSchedule sweeper = sweeper(HOUR);
        sweeper.begin();
        world.orphan("a");
        world.time.runUntil(2 * DAY);
        assertEquals(0, sweeper.samples().get("bucket_sweeps_total"));
        assertEquals(1, world.ledgerIds().size());
        leads.set(true);
        world.time.runUntil(2 * DAY + 2 * HOUR);
        assertEquals(0, world.ledgerIds().size());
    }

    @Test
    void whoLosesTheLeadInASweepDeletesNoMore() throws Exception {
        SweepSchedule sweeper = sweeperThatHasDeletedFiveOf20();
        leads.set(false);
        world.time.runUntil(2 * DAY);
        assertEquals(15, world.ledgerIds().size());
        assertEquals(5, sweeper.samples().get("bucket_sweep_deleted_total"));
    }

    @Test
    void closedItEndsAndBeginsNoOther() throws Exception {
        SweepSchedule sweeper = sweeperThatHasDeletedFiveOf20();
        sweeper.close();
        world.time.runAll();
        assertEquals(15, world.ledgerIds().size());
        assertEquals(0, world.time.armedCount());
    }

    @Test
    @DisplayName("S11: statistics tell how far the sweep of the cluster is, and a broker started later goes on there")
    void thePlaceIsInTheFiguresAndOutlivesTheBroker() throws Exception {
        world.addForeignLedgers(250);
        SweepSchedule first = sweeper(HOUR);
        first.begin();
        while (first.samples().get("bucket_sweep_after_ledger") < 0) {
            world.time.run(1);
        }
        first.close();
        assertEquals(world.ledgerIds().get(99), first.samples().get("bucket_sweep_after_ledger"));
        assertEquals(0, first.samples().get("bucket_sweep_rounds_total"));
        SweepSchedule second = sweeper(HOUR);
        second.begin();
        world.lookedAt.clear();
        world.time.runUntil(3 * HOUR);
        assertEquals(world.ledgerIds().get(100), world.lookedAt.get(0));
        assertEquals(-1, second.samples().get("bucket_sweep_after_ledger"));
        assertEquals(1, second.samples().get("bucket_sweep_rounds_total"));
    }
}
