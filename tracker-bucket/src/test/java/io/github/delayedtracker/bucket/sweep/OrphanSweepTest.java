/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.catalogue.CatalogueRecord;
import io.github.delayedtracker.bucket.jobs.CatalogueKeeper;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.simulator.storage.Fault;
import io.github.delayedtracker.simulator.storage.FaultRates;
import io.github.delayedtracker.simulator.storage.Operation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a sweep deletes and what it leaves, whatever the storage does. */
class OrphanSweepTest {

    private static final long DAY = SweepWorld.DAY;
    private static final SweepSettings SETTINGS = new SweepSettings(1_000, DAY, false, 100, 10);
    private static final SweepSettings DRY = new SweepSettings(1_000, DAY, true, 100, 10);
    private static final int SEEDS = 150;

    @Test
    @DisplayName("#26238: what a crash between writing and recording leaves is found and deleted; what is named stays")
    void orphansOfCrashesAreDeletedAndNothingElse() throws Exception {
        int orphansOfAll = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            orphansOfAll += crashesThenSweeps(seed);
        }
        assertTrue(orphansOfAll > SEEDS / 3, "crashes left only " + orphansOfAll + " orphans in " + SEEDS + " runs");
    }

    /** Some brokers crash while they seal; a day later a sweeper comes, while another broker seals. */
    private static int crashesThenSweeps(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        SweepWorld world = new SweepWorld(seed, FaultRates.passing(random.nextInt(60), 5, 300));
        String[] cursors = {"a", "b"};
        for (int broker = 0; broker < 4; broker++) {
            for (String cursor : cursors) {
                world.seal(cursor, 1 + random.nextInt(300)).isDone();
            }
            world.time.run(random.nextInt(120));
            world.crash();
        }
        final long foreign = world.faulty.world().addForeignLedger();
        world.time.runUntil(world.time.nowMillis() + DAY + 1);
        Set<Long> orphans = new HashSet<>(world.faulty.world().ledgerIds());
        orphans.removeAll(world.named(cursors));
        orphans.remove(foreign);
        Set<Long> kept = new HashSet<>(world.faulty.world().ledgerIds());
        kept.removeAll(orphans);
        world.recordsFail(random.nextInt(300));
        CompletableFuture<CatalogueRecord> young = world.seal("c", 250);
        for (int sweep = 0; sweep < 2; sweep++) {
            world.sweep(SETTINGS);
            assertTrue(world.faulty.world().ledgerIds().containsAll(kept), "a named or foreign ledger is gone, seed " + seed);
        }
        world.faulty.heal();
        world.faulty.setRates(FaultRates.none());
        world.recordsFail(0);
        world.time.runAll();
        if (young.isDone() && !young.isCompletedExceptionally()) {
            kept.addAll(young.get().live());
            assertTrue(world.faulty.world().ledgerIds().containsAll(young.get().live()), "a young ledger is gone, seed " + seed);
        }
        SweepReport report = world.sweep(SETTINGS);
        assertEquals(0, report.failures(), "seed " + seed + ": " + report);
        for (long orphan : orphans) {
            assertFalse(world.faulty.world().ledgerIds().contains(orphan), "orphan " + orphan + " is left, seed " + seed);
        }
        assertTrue(world.faulty.world().ledgerIds().containsAll(kept), "seed " + seed);
        assertEquals(0, world.sweep(SETTINGS).orphans(), "seed " + seed);
        return orphans.size();
    }

    @Test
    void aDryRunFindsAndLeaves() throws Exception {
        SweepWorld world = new SweepWorld(1, FaultRates.none());
        long orphan = world.orphan("a");
        world.time.runUntil(DAY + 1);
        assertEquals(1, world.sweep(DRY).orphans());
        assertEquals(List.of(orphan), world.faulty.world().ledgerIds());
        assertEquals(1, world.sweep(SETTINGS).deletedLedgers());
        assertEquals(List.of(), world.faulty.world().ledgerIds());
    }

    @Test
    void aDeletedSubscriptionNamesNothingAnyMore() throws Exception {
        SweepWorld world = new SweepWorld(1, FaultRates.none());
        world.time.get(world.seal("a", 10));
        world.time.runUntil(DAY + 1_000);
        assertEquals(0, world.sweep(SETTINGS).orphans());
        world.faulty.world().deleteCursor(SweepWorld.TOPIC, "a");
        assertEquals(1, world.sweep(SETTINGS).deletedLedgers());
    }

    @Test
    void aRecordThatCannotBeReadOrUnderstoodKeepsEverything() throws Exception {
        SweepWorld world = new SweepWorld(1, FaultRates.none());
        long orphan = world.orphan("a");
        world.time.runUntil(DAY + 1);
        world.recordsFail(1_000);
        assertEquals(1, world.sweep(SETTINGS).failures());
        world.recordsFail(0);
        world.time.get(world.life.catalogue(SweepWorld.TOPIC, "a").put(CatalogueKeeper.PROPERTY, "of another version"));
        assertEquals(1, world.sweep(SETTINGS).failures());
        assertEquals(List.of(orphan), world.faulty.world().ledgerIds());
    }

    @Test
    void aLedgerThatIsNamedBetweenTheTwoQuestionsStays() throws Exception {
        SweepWorld world = new SweepWorld(1, FaultRates.none());
        long orphan = world.orphan("a");
        world.time.runUntil(DAY + 1);
        CompletableFuture<SweepReport> sweep = new OrphanSweep(world.services(SETTINGS), () -> true).run();
        world.time.runUntil(DAY + 90);
        assertFalse(sweep.isDone(), "it waits before it asks again");
        world.time.get(world.life.catalogue(SweepWorld.TOPIC, "a").put(CatalogueKeeper.PROPERTY,
                new CatalogueRecord(1, List.of(orphan), List.of()).encode()));
        world.time.get(sweep);
        assertEquals(List.of(orphan), world.faulty.world().ledgerIds());
        assertEquals(1, world.askedTwice);
    }

    @Test
    void ledgersAreLookedAtAndDeletedAtTheRateGiven() throws Exception {
        SweepWorld world = new SweepWorld(1, FaultRates.none());
        for (int i = 0; i < 30; i++) {
            world.orphan("a" + i);
        }
        for (int i = 0; i < 470; i++) {
            world.faulty.world().addForeignLedger();
        }
        world.time.runUntil(2 * DAY);
        SweepReport report = world.sweep(SETTINGS);
        assertEquals(30, report.deletedLedgers());
        long tookMillis = world.time.nowMillis() - 2 * DAY;
        assertTrue(tookMillis >= 30 * 100 + 5 * 1_000, "500 ledgers and 30 deletes took " + tookMillis + " ms");
    }

    @Test
    void aStorageThatHangsEndsTheSweepAndKeepsEverything() throws Exception {
        SweepWorld world = new SweepWorld(1, FaultRates.none());
        long orphan = world.orphan("a");
        world.time.runUntil(DAY + 1);
        world.faulty.onEvery(Operation.OWNER_OF, "*", Fault.hangBefore());
        assertEquals(1, world.sweep(SETTINGS).failures());
        world.faulty.heal();
        world.faulty.onEvery(Operation.LIST, "*", Fault.failBefore(Kind.UNAVAILABLE));
        assertEquals(1, world.sweep(SETTINGS).failures());
        assertEquals(List.of(orphan), world.faulty.world().ledgerIds());
    }
}
