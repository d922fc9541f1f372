/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.snapshot.StockKey;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Snapshots of the stock tracker become buckets; whatever happens in between, each position is tracked once. */
class StockImportTest {

    private final StockWorld world = new StockWorld(1);

    private void assertNothingOfStockIsLeft(StockWorld in, String context) {
        assertEquals(Map.of(), in.stockProperties(), context);
        assertEquals(List.of(), in.stockLedgers(StockWorld.STOCK_OWNER), context);
    }

    @Test
    void everyPositionIsTrackedWithItsTimeAndNothingOfStockIsLeft() throws Exception {
        world.stock(5, 7, 40);
        world.stock(8, 8, 30);
        BucketIndex index = world.load();
        assertTrue(world.recovers());
        world.jobs.time.afterEach(() -> world.stockProperties().values().forEach(ledgerId ->
                assertTrue(world.jobs.faulty.world().ledgerIds().contains(Long.valueOf(ledgerId)),
                        "the ledger of a property is there: " + ledgerId)));
        world.settle();
        assertFalse(world.recovers());
        assertEquals(150, index.size());
        assertEquals(2, world.buckets.samples().get("bucket_imports_total"));
        assertEquals(150, world.buckets.samples().get("bucket_imported_positions_total"));
        assertTrue(index.contains(6, 17));
        assertNothingOfStockIsLeft(world, "after import");
        assertEquals(2, world.jobs.faulty.world().ledgersOf(JobWorld.TOPIC, JobWorld.CURSOR).size());
        assertEquals(StockWorld.wholeSeconds(StockWorld.columns(5, 7, 40), StockWorld.columns(8, 8, 30)), world.handOut());
    }

    @Test
    void acrossTheNextLoadTheyAreOurs() throws Exception {
        world.stock(5, 7, 40);
        world.load();
        world.settle();
        BucketIndex index = world.crash();
        world.settle();
        assertEquals(120, index.size());
        assertEquals(0, world.buckets.samples().get("bucket_imports_total"));
    }

    @Test
    void whatMarkDeleteHasPassedOrIsDueIsLeftOut() throws Exception {
        world.stock(5, 7, 40);
        world.markDelete = new long[] {6, 9};
        world.jobs.time.runUntil(StockWorld.FIRST_DUE_MILLIS + 50_000);
        long due = StockWorld.wholeSeconds(StockWorld.columns(5, 7, 40)).entrySet().stream()
                .filter(each -> each.getKey().ledgerId() == 7 || each.getKey().ledgerId() == 6 && each.getKey().entryId() > 9)
                .filter(each -> each.getValue() <= StockWorld.FIRST_DUE_MILLIS + 50_000).count();
        BucketIndex index = world.load();
        world.jobs.time.run(200);
        assertTrue(due > 0);
        assertEquals(70 - due, index.size());
    }

    @Test
    void aSnapshotInWhichNothingWaitsLeavesNoLedger() throws Exception {
        world.stock(5, 7, 40);
        world.markDelete = new long[] {9, 0};
        BucketIndex index = world.load();
        world.settle();
        assertEquals(0, index.size());
        assertEquals(List.of(), world.jobs.faulty.world().ledgerIds());
        assertEquals(Map.of(), world.stockProperties());
    }

    @Test
    void whatIsAskedForBeforeItIsImportedIsAnsweredFalseAndTakenOut() throws Exception {
        world.stock(5, 7, 40);
        BucketIndex index = world.load();
        assertFalse(index.contains(6, 3));
        assertFalse(index.contains(7, 39));
        index.add(StockWorld.FIRST_DUE_MILLIS + 100_000, 7, 39);
        world.settle();
        assertEquals(119, index.size());
        assertFalse(index.contains(6, 3));
        assertTrue(index.contains(7, 39));
        assertTrue(index.contains(6, 4));
    }

    /** S-01: what a crash in stock's own merge leaves. */
    @Test
    void s01_anEnclosingAndAnEnclosedSnapshotCountOnce() throws Exception {
        world.stock(6, 6, 40);
        world.stock(5, 8, 40);
        BucketIndex index = world.load();
        world.settle();
        assertEquals(160, index.size());
        assertNothingOfStockIsLeft(world, "after import");
        assertEquals(StockWorld.wholeSeconds(StockWorld.columns(5, 8, 40)), world.handOut());
    }

    @Test
    void copiedPropertiesGoAndTheLedgerOfTheOtherPartitionStays() throws Exception {
        long copied = world.stockLedger(StockWorld.OTHER_OWNER, StockWorld.columns(5, 7, 40));
        world.property(5, 7, copied);
        long foreign = world.jobs.faulty.world().addForeignLedger();
        world.property(9, 9, foreign);
        world.stock(8, 8, 40);
        BucketIndex index = world.load();
        world.settle();
        assertEquals(40, index.size());
        assertEquals(Map.of(), world.stockProperties());
        assertTrue(world.jobs.faulty.world().ledgerIds().containsAll(List.of(copied, foreign)));
        world.crash();
        world.settle();
        world.jobs.get(world.buckets.clear());
        assertEquals(List.of(copied, foreign), world.jobs.faulty.world().ledgerIds());
    }

    /** #22735: one missing or damaged snapshot does not cost the others. */
    @Test
    void i22735_missingAndDamagedSnapshotsAreForgottenOneByOne() throws Exception {
        long lost = world.stock(5, 5, 40);
        long damaged = world.stock(6, 6, 40);
        long cut = world.stockLedger(StockWorld.STOCK_OWNER, StockWorld.columns(7, 7, 40));
        world.property(7, 7, cut);
        world.property(9, 9, "no number");
        world.stock(8, 8, 40);
        world.jobs.faulty.world().loseLedger(lost);
        world.jobs.faulty.world().corruptEntry(damaged, 1);
        world.jobs.faulty.world().loseEntry(cut, 0);
        BucketIndex index = world.load();
        world.settle();
        assertFalse(world.recovers());
        assertEquals(40, index.size());
        assertNothingOfStockIsLeft(world, "after import");
        assertEquals(3, world.buckets.samples().get("bucket_lost_buckets_total"));
        assertFalse(index.contains(6, 1));
        assertTrue(index.contains(8, 1));
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"OWNER_OF", "OPEN", "READ", "CREATE", "APPEND", "GET_PROPERTIES"})
    void storageThatIsNotReadyIsTriedAgainAndNothingIsGivenUp(Operation operation) throws Exception {
        world.stock(5, 7, 40);
        world.jobs.faulty.onEvery(operation, "*", Fault.failBefore(Kind.UNAVAILABLE));
        BucketIndex index = world.load();
        world.settle();
        assertTrue(world.recovers());
        assertFalse(index.contains(7, 39));
        assertEquals(1, world.stockProperties().size());
        world.jobs.faulty.heal();
        world.settle();
        assertFalse(world.recovers());
        assertEquals(119, index.size());
        assertNothingOfStockIsLeft(world, operation.toString());
    }

    /** Nothing is deleted on the word of a failed update, whether it took effect or not. */
    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"PUT", "REMOVE"})
    void anUpdateOfUnknownOutcomeKeepsTheStockLedgerUntilItIsKnown(Operation operation) throws Exception {
        for (Fault fault : List.of(Fault.failBefore(Kind.UNAVAILABLE), Fault.failAfter(Kind.UNAVAILABLE))) {
            StockWorld each = new StockWorld(2);
            long ledgerId = each.stock(5, 7, 40);
            each.jobs.faulty.onEvery(operation, "*", fault);
            each.load();
            each.settle();
            assertTrue(each.jobs.faulty.world().ledgerIds().contains(ledgerId), fault.toString());
            each.jobs.faulty.heal();
            each.crash();
            each.settle();
            assertEquals(120, each.index().size(), fault.toString());
            assertNothingOfStockIsLeft(each, fault.toString());
        }
    }

    @Test
    void aCrashAfterAnyEventRecoversToEachPositionOnce() throws Exception {
        Set<String> seen = new HashSet<>();
        boolean ended = false;
        for (int crashAt = 0; !ended; crashAt++) {
            StockWorld each = new StockWorld(crashAt);
            each.stock(5, 7, 40);
            each.stock(8, 9, 20);
            each.load();
            each.jobs.time.run(crashAt);
            ended = each.stockLedgers(StockWorld.STOCK_OWNER).isEmpty() && !each.recovers();
            String context = "crash after " + crashAt + " events";
            seen.add(each.stockProperties().size() + " properties, " + each.stockLedgers(StockWorld.STOCK_OWNER).size()
                    + " stock ledgers");
            BucketIndex index = each.crash();
            each.settle();
            assertEquals(160, index.size(), context);
            assertNothingOfStockIsLeft(each, context);
            assertEquals(StockWorld.wholeSeconds(StockWorld.columns(5, 7, 40), StockWorld.columns(8, 9, 20)), each.handOut(),
                    context);
        }
        assertTrue(seen.containsAll(Set.of("2 properties, 2 stock ledgers", "1 properties, 2 stock ledgers",
                "0 properties, 1 stock ledgers", "0 properties, 0 stock ledgers")), seen.toString());
    }

    @Test
    void deletingTheSubscriptionAtAnyPointOfTheImportLeavesNothing() throws Exception {
        boolean ended = false;
        for (int at = 0; !ended; at += 3) {
            StockWorld each = new StockWorld(at);
            each.stock(5, 7, 40);
            each.stock(8, 9, 20);
            long copied = each.stockLedger(StockWorld.OTHER_OWNER, StockWorld.columns(10, 10, 5));
            each.property(10, 10, copied);
            each.load();
            each.jobs.time.run(at);
            ended = each.stockProperties().isEmpty();
            each.jobs.get(each.buckets.clear());
            assertEquals(Map.of(), each.jobs.faulty.world().allPropertiesOf(JobWorld.TOPIC, JobWorld.CURSOR), "after " + at);
            each.buckets.close();
            each.settle();
            assertEquals(List.of(copied), each.jobs.faulty.world().ledgerIds(), "after " + at);
            each.jobs.assertNothingHeld("after " + at);
        }
    }

    @Test
    void withoutATrackerTheFactoryDeletesThemToo() throws Exception {
        world.load();
        world.buckets.close();
        world.settle();
        world.stock(5, 7, 40);
        long copied = world.stockLedger(StockWorld.OTHER_OWNER, StockWorld.columns(10, 10, 5));
        world.property(10, 10, copied);
        world.removeAll();
        assertEquals(List.of(copied), world.jobs.faulty.world().ledgerIds());
        assertEquals(Map.of(), world.stockProperties());
        assertEquals(new StockKey(10, 10).name(), "10_10");
    }
}
