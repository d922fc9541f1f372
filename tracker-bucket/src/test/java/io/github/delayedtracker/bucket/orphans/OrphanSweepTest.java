/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.orphans.ClusterIdentity.ClusterId;
import io.github.delayedtracker.bucket.orphans.SharedValues.SharedText;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepSettings;
import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.record.RecordTexts;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a sweep deletes and what it leaves, whatever the storage does. */
class OrphanSweepTest {

    private static final long DAY = SweepWorld.DAY;
    private static final SweepSettings SETTINGS = new SweepSettings(1_000, DAY, false, 100, 10, 100, 1_000);
    private static final SweepSettings DRY = new SweepSettings(1_000, DAY, true, 100, 10, 100, 1_000);
    /** Saves its place after each ten ledgers, and skips four at a time. */
    private static final SweepSettings SMALL = new SweepSettings(1_000, DAY, false, 10, 1_000, 10, 4);
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
        Set<Long> orphans = new HashSet<>(world.ledgerIds());
        orphans.removeAll(world.named(cursors));
        orphans.remove(foreign);
        Set<Long> kept = new HashSet<>(world.ledgerIds());
        kept.removeAll(orphans);
        world.recordsFail(random.nextInt(300));
        CompletableFuture<CatalogueRecord> young = world.seal("c", 250);
        for (int sweep = 0; sweep < 2; sweep++) {
            world.sweep(SETTINGS);
            assertTrue(world.ledgerIds().containsAll(kept), "a named or foreign ledger is gone, seed " + seed);
        }
        world.faulty.heal();
        world.faulty.setRates(FaultRates.none());
        world.recordsFail(0);
        world.time.runAll();
        if (young.isDone() && !young.isCompletedExceptionally()) {
            kept.addAll(young.get().live());
            assertTrue(world.ledgerIds().containsAll(young.get().live()), "a young ledger is gone, seed " + seed);
        }
        SweepReport report = world.sweep(SETTINGS);
        assertEquals(0, report.failures(), "seed " + seed + ": " + report);
        for (long orphan : orphans) {
            assertFalse(world.ledgerIds().contains(orphan), "orphan " + orphan + " is left, seed " + seed);
        }
        assertTrue(world.ledgerIds().containsAll(kept), "seed " + seed);
        assertEquals(0, world.sweep(SETTINGS).orphans(), "seed " + seed);
        return orphans.size();
    }

    @Test
    void aDryRunFindsAndLeaves() throws Exception {
        SweepWorld world = SweepWorld.aDayAfterOrphansOf("a");
        long orphan = world.ledgerIds().get(0);
        assertEquals(1, world.sweep(DRY).orphans());
        assertEquals(List.of(orphan), world.ledgerIds());
        assertEquals(1, world.sweep(SETTINGS).deletedLedgers());
        assertEquals(List.of(), world.ledgerIds());
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
        SweepWorld world = SweepWorld.aDayAfterOrphansOf("a");
        long orphan = world.ledgerIds().get(0);
        world.recordsFail(1_000);
        assertEquals(1, world.sweep(SETTINGS).failures());
        world.recordsFail(0);
        world.time.get(world.life.catalogue(SweepWorld.TOPIC, "a").put(CatalogueKeeper.PROPERTY, "of another version"));
        assertEquals(1, world.sweep(SETTINGS).failures());
        assertEquals(List.of(orphan), world.ledgerIds());
    }

    @Test
    void whatMayBelongToARecordOfANewerVersionIsKeptAndIsNoFailure() throws Exception {
        SweepWorld world = SweepWorld.aDayAfterOrphansOf("a", "a", "b");
        List<Long> ofA = world.ledgerIds().subList(0, 2);
        String newer = RecordTexts.nextVersionOf(new CatalogueRecord(1, List.of(), List.of()).encode());
        world.time.get(world.life.catalogue(SweepWorld.TOPIC, "a").put(CatalogueKeeper.PROPERTY, newer));
        SweepReport report = world.sweep(SETTINGS);
        assertEquals(List.of(0L, 2L, 1L), List.of(report.failures(), report.newer(), report.deletedLedgers()));
        assertEquals(ofA, world.ledgerIds());
        assertTrue(report.isWorthALine() && report.toString().contains("2 kept for a newer version"), report::toString);
    }

    @Test
    void aLedgerThatIsNamedBetweenTheTwoQuestionsStays() throws Exception {
        SweepWorld world = SweepWorld.aDayAfterOrphansOf("a");
        long orphan = world.ledgerIds().get(0);
        CompletableFuture<SweepReport> sweep = world.newSweep(SETTINGS, () -> true).run();
        world.time.runUntil(DAY + 90);
        assertFalse(sweep.isDone(), "it waits before it asks again");
        world.time.get(world.life.catalogue(SweepWorld.TOPIC, "a").put(CatalogueKeeper.PROPERTY,
                new CatalogueRecord(1, List.of(orphan), List.of()).encode()));
        world.time.get(sweep);
        assertEquals(List.of(orphan), world.ledgerIds());
        assertEquals(1, world.askedTwice);
    }

    @Test
    void ledgersAreLookedAtAndDeletedAtTheRateGiven() throws Exception {
        SweepWorld world = new SweepWorld(1, FaultRates.none());
        for (int i = 0; i < 30; i++) {
            world.orphan("a" + i);
        }
        world.addForeignLedgers(470);
        world.time.runUntil(2 * DAY);
        SweepReport report = world.sweep(SETTINGS);
        assertEquals(30, report.deletedLedgers());
        long tookMillis = world.time.nowMillis() - 2 * DAY;
        assertTrue(tookMillis >= 30 * 100 + 5 * 1_000, "500 ledgers and 30 deletes took " + tookMillis + " ms");
    }

    @Test
    void aStorageThatHangsEndsTheSweepAndKeepsEverything() throws Exception {
        SweepWorld world = SweepWorld.aDayAfterOrphansOf("a");
        long orphan = world.ledgerIds().get(0);
        world.faulty.onEvery(Operation.OWNER_OF, "*", Fault.hangBefore());
        assertEquals(1, world.sweep(SETTINGS).failures());
        world.faulty.heal();
        world.faulty.onEvery(Operation.LIST, "*", Fault.failBefore(Kind.UNAVAILABLE));
        assertEquals(1, world.sweep(SETTINGS).failures());
        assertEquals(List.of(orphan), world.ledgerIds());
    }

    /** Ends after so many ledgers were looked at, as the sweep of a broker that is stopped does. */
    private static void sweepAndStopAfter(SweepWorld world, int ledgers) throws Exception {
        world.lookedAt.clear();
        OrphanSweep sweep = world.newSweep(SMALL, () -> true);
        CompletableFuture<SweepReport> over = sweep.run();
        while (world.lookedAt.size() < ledgers && !over.isDone()) {
            world.time.run(1);
        }
        sweep.abandon();
        world.time.runAll();
    }

    @Test
    @DisplayName("S11: the next sweep goes on where one that was stopped had come to, the round after at the first ledger")
    void aSweepGoesOnWhereTheLastStopped() throws Exception {
        SweepWorld world = new SweepWorld(1, FaultRates.none());
        world.addForeignLedgers(100);
        List<Long> all = world.ledgerIds();
        sweepAndStopAfter(world, 35);
        assertEquals(all.subList(0, 35), world.lookedAt);
        sweepAndStopAfter(world, 35);
        assertEquals(all.subList(30, 65), world.lookedAt, "what was not saved is looked at again");
        world.lookedAt.clear();
        assertTrue(world.sweep(SMALL).endsRound());
        assertEquals(all.subList(60, 100), world.lookedAt);
        world.lookedAt.clear();
        assertTrue(world.sweep(SMALL).endsRound());
        assertEquals(all, world.lookedAt);
    }

    @Test
    @DisplayName("S11: though no sweep lives long enough to look at all ledgers, all orphans are deleted")
    void shortLivesSweepEverything() throws Exception {
        SweepWorld world = new SweepWorld(1, FaultRates.none());
        for (int i = 0; i < 50; i++) {
            world.faulty.world().addForeignLedger();
            world.orphan("a" + i);
        }
        world.time.runUntil(DAY + 1);
        for (int life = 0; life < 10; life++) {
            sweepAndStopAfter(world, 25);
        }
        assertEquals(50, world.ledgerIds().size(), "foreign ones are left");
    }

    @Test
    @DisplayName("S11: what a cluster of the same name wrote, or nobody can tell which, is left and counted")
    void ledgersOfAnotherIdOrOfNoneAreLeft() throws Exception {
        SweepWorld world = SweepWorld.aDayAfterOrphansOf("a", "a", "a");
        List<Long> ofOthers = world.ledgerIds().subList(0, 2);
        world.otherIds.put(ofOthers.get(0), Optional.of("another"));
        world.otherIds.put(ofOthers.get(1), Optional.empty());
        SweepReport report = world.sweep(SETTINGS);
        assertEquals(ofOthers, world.ledgerIds());
        assertEquals(List.of(1L, 1L, 1L, 1L), List.of(report.ledgers(), report.ofAnotherId(), report.withoutId(),
                report.deletedLedgers()));
    }

    @Test
    void withoutAnIdOrAPlaceThatCanBeReadNothingIsLookedAt() throws Exception {
        SweepWorld world = SweepWorld.aDayAfterOrphansOf("a");
        String newer = SharedText.sealed("2 of a later version ");
        world.values.set(SweepPlace.NAME, newer);
        assertEquals(1, world.sweep(SETTINGS).failures());
        assertEquals(Optional.of(newer), world.values.text(SweepPlace.NAME), "what a newer version wrote stays");
        world.values.delete(SweepPlace.NAME);
        for (String id : new String[] {newer, "damaged"}) {
            world.values.set(ClusterId.NAME, id);
            assertEquals(1, world.sweep(SETTINGS).failures());
        }
        world.values.delete(ClusterId.NAME);
        assertEquals(1, world.sweep(SETTINGS).failures());
        world.values.set(ClusterId.NAME, new ClusterId(SweepWorld.ID).encode());
        world.values.faults(1_000);
        assertEquals(1, world.sweep(SETTINGS).failures());
        world.values.faults(0);
        world.values.hang(true);
        assertEquals(1, world.sweep(SETTINGS).failures());
        world.values.hang(false);
        assertEquals(List.of(), world.lookedAt);
        assertEquals(1, world.sweep(SETTINGS).deletedLedgers());
    }

    @Test
    void aDamagedPlaceIsNone() throws Exception {
        SweepWorld world = SweepWorld.aDayAfterOrphansOf("a");
        world.values.set(SweepPlace.NAME, "damaged");
        assertEquals(1, world.sweep(SETTINGS).deletedLedgers());
        assertTrue(SweepPlace.decode(world.values.text(SweepPlace.NAME).orElseThrow()).isBetweenRounds());
    }

    @Test
    @DisplayName("S11: of two that sweep at once one goes on, and no ledger is passed over")
    void ofTwoSweepsOneGoesOn() throws Exception {
        for (long seed = 0; seed < SEEDS; seed++) {
            SweepWorld world = new SweepWorld(seed, FaultRates.none());
            world.values.faults((int) seed);
            for (int i = 0; i < 100; i++) {
                world.orphan("a" + i);
            }
            world.time.runUntil(DAY + 1);
            CompletableFuture<SweepReport> one = world.newSweep(SMALL, () -> true).run();
            world.time.run(new SplittableRandom(seed).nextInt(200));
            CompletableFuture<SweepReport> other = world.newSweep(SMALL, () -> true).run();
            int rounds = (world.time.get(one).endsRound() ? 1 : 0) + (world.time.get(other).endsRound() ? 1 : 0);
            assertTrue(rounds <= 1, rounds + " rounds were ended, seed " + seed);
            world.values.faults(0);
            for (int sweep = rounds; sweep < 1; sweep++) {
                assertTrue(world.sweep(SMALL).endsRound(), "seed " + seed);
            }
            assertEquals(List.of(), world.ledgerIds(), "seed " + seed);
        }
    }

    @Test
    void aPutWhoseAnswerWasLostDoesNotEndTheSweep() throws Exception {
        int ended = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SweepWorld world = new SweepWorld(seed, FaultRates.none());
            world.addForeignLedgers(100);
            CompletableFuture<SweepReport> sweep = world.newSweep(SMALL, () -> true).run();
            while (world.lookedAt.isEmpty()) {
                world.time.run(1);
            }
            world.values.faults(300);
            ended += world.time.get(sweep).endsRound() ? 1 : 0;
        }
        assertEquals(SEEDS, ended);
    }

    @Test
    void aLedgerThatCannotBeJudgedIsLeftAndTheSweepGoesOn() throws Exception {
        SweepWorld world = SweepWorld.aDayAfterOrphansOf("a", "b");
        long odd = world.ledgerIds().get(0);
        Map<String, String> without = new HashMap<>();
        without.put("#pulsar.internal.delayed.bucket_1_9", null);
        world.oddProperties.put("a", without);
        SweepReport report = world.sweep(SETTINGS);
        assertTrue(report.endsRound() && report.failures() > 0, () -> report.toString());
        assertEquals(List.of(odd), world.ledgerIds());
    }

    @Test
    void aPlaceBehindTheLastLedgerEndsTheRound() throws Exception {
        SweepWorld world = SweepWorld.aDayAfterOrphansOf("a");
        world.values.set(SweepPlace.NAME, new SweepPlace(Long.MAX_VALUE, 5, "x").encode());
        assertTrue(world.sweep(SMALL).endsRound());
        assertEquals(List.of(), world.lookedAt);
        assertEquals(1, world.sweep(SMALL).deletedLedgers());
    }
}
