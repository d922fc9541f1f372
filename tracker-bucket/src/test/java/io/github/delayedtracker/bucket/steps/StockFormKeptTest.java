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

import io.github.delayedtracker.bucket.chores.SomeSettings;
import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.steps.JobWorld.Position;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import io.github.delayedtracker.metrics.Samples;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Snapshots kept as the stock tracker keeps them: at any time it finds by its own keys what was sealed. */
class StockFormKeptTest {

    private static final SegmentColumns FIVE = StockWorld.columns(1, 5, 40);

    private final StockWorld world = kept(1);

    private static StockWorld kept(long seed) {
        StockWorld world = new StockWorld(seed);
        world.kept = true;
        world.merges = 0;
        world.settings = SomeSettings.sealing(30).sealedAtLedgers(30);
        return world;
    }

    private static Map<Position, Long> firstLedgers(Map<Position, Long> all, long last) {
        Map<Position, Long> some = new TreeMap<>(all);
        some.keySet().removeIf(position -> position.ledgerId() > last);
        return some;
    }

    private static void begin(StockWorld each) {
        each.load();
        each.settle();
        each.offer(FIVE);
    }

    @Test
    void whatIsInClosedLedgersIsSealedUnderStockKeysAndNothingElseIsWritten() throws Exception {
        begin(world);
        world.settle();
        assertEquals(Set.of("1_1", "2_2", "3_3", "4_4"), names(world));
        assertEquals(firstLedgers(StockWorld.wholeSeconds(FIVE), 4), world.asStockSees());
        assertEquals(Map.of(), world.jobs.faulty.world().propertiesOf(JobWorld.TOPIC, JobWorld.CURSOR));
        assertEquals(200, world.index().size());
        assertEquals(160, world.index().sleepingPositions());
        Samples figures = world.buckets.samples();
        assertEquals(5, figures.get("bucket_total"));
        assertEquals(40, figures.get("loaded"));
        assertEquals(4, figures.get("bucket_op_count_succeed_create"));
        assertTrue(figures.get("bucket_snapshot_size_bytes") > 160 * 10);
    }

    private static Set<String> names(StockWorld in) {
        Set<String> names = new HashSet<>();
        in.stockProperties().keySet().forEach(name -> names.add(name.substring(name.indexOf('_') + 1)));
        return names;
    }

    @Test
    void ledgersWithFewPositionsShareABucket() throws Exception {
        world.load();
        world.settle();
        world.offer(StockWorld.columns(1, 9, 12));
        world.settle();
        assertEquals(Set.of("1_3", "4_6"), names(world));
        assertEquals(72, world.asStockSees().size());
    }

    @Test
    void theNextOwnerHasThemWithoutReadingAndHandsThemOutInTime() throws Exception {
        begin(world);
        world.settle();
        BucketIndex index = world.crash();
        world.settle();
        assertEquals(160, index.size());
        assertTrue(index.contains(4, 39));
        world.offer(FIVE);
        assertEquals(200, index.size());
        assertEquals(StockWorld.wholeSeconds(FIVE), world.handOut());
        world.settle();
        world.buckets.sweep();
        world.settle();
        assertEquals(Map.of(), world.stockProperties());
        assertEquals(List.of(), world.jobs.faulty.world().ledgerIds());
    }

    @Test
    void whatStockHasSealedIsKeptAsItIs() throws Exception {
        long stock = world.stock(1, 2, 40);
        begin(world);
        world.settle();
        assertEquals(200, world.index().size());
        assertEquals(Set.of("1_2", "3_3", "4_4"), names(world));
        assertTrue(world.jobs.faulty.world().ledgerIds().contains(stock));
        assertEquals(firstLedgers(StockWorld.wholeSeconds(FIVE), 4), world.asStockSees());
        assertEquals(StockWorld.wholeSeconds(FIVE), world.handOut());
    }

    @Test
    void aPositionThatComesLateForASealedLedgerStaysInMemory() throws Exception {
        world.load();
        world.settle();
        world.offer(StockWorld.columns(3, 4, 40));
        world.settle();
        SegmentColumns late = StockWorld.columns(1, 2, 40);
        world.offer(late);
        world.offer(StockWorld.columns(5, 6, 40));
        world.settle();
        assertEquals(Set.of("3_3", "4_4", "5_5"), names(world));
        world.offer(StockWorld.columns(7, 7, 1));
        world.settle();
        assertEquals(Set.of("3_3", "4_4", "5_5", "6_6"), names(world));
        assertEquals(160, world.asStockSees().size());
        assertEquals(241, world.index().size());
        world.index().validate();
        assertEquals(StockWorld.wholeSeconds(StockWorld.columns(1, 6, 40), StockWorld.columns(7, 7, 1)), world.handOut());
    }

    @Test
    void metadataThatDoNotFitIntoAnEntryLeaveThePositionsInMemory() throws Exception {
        world.jobs.faulty.withMaxEntryBytes(200);
        begin(world);
        world.settle();
        assertEquals(Set.of(), names(world));
        assertEquals(200, world.index().size());
        assertEquals(0, world.index().seals().frozenTails());
        world.index().validate();
        assertEquals(StockWorld.wholeSeconds(FIVE), world.handOut());
        world.buckets.close();
        world.settle();
        assertEquals(List.of(), world.jobs.faulty.world().ledgerIds());
    }

    @Test
    void bucketsOfThePluginsOwnFormStayUntilTheyAreUsedUp() throws Exception {
        world.kept = false;
        world.settings = SomeSettings.sealing(30);
        begin(world);
        world.settle();
        assertEquals(Map.of(), world.stockProperties());
        assertTrue(world.index().sleepingPositions() > 100);
        world.kept = true;
        world.settings = world.settings.sealedAtLedgers(30);
        world.crash();
        world.settle();
        long recovered = world.index().size();
        assertTrue(recovered > 100, "recovered " + recovered);
        world.offer(FIVE);
        world.offer(StockWorld.columns(6, 8, 40));
        world.settle();
        assertTrue(names(world).containsAll(Set.of("6_6", "7_7")) || names(world).contains("5_6"), names(world).toString());
        assertEquals(StockWorld.wholeSeconds(StockWorld.columns(1, 8, 40)), world.handOut());
    }

    @Test
    void backInThePluginsOwnFormTheyAreImported() throws Exception {
        begin(world);
        world.settle();
        world.kept = false;
        BucketIndex index = world.crash();
        world.settle();
        assertEquals(160, index.size());
        assertEquals(Map.of(), world.stockProperties());
        assertEquals(List.of(), world.stockLedgers(StockWorld.STOCK_OWNER));
        world.offer(FIVE);
        assertEquals(StockWorld.wholeSeconds(FIVE), world.handOut());
    }

    @Test
    void aCopiedPropertyGoesAndTheLedgerOfTheOtherPartitionStays() throws Exception {
        long copied = world.stockLedger(StockWorld.OTHER_OWNER, StockWorld.columns(1, 1, 40));
        world.property(1, 1, copied);
        begin(world);
        world.settle();
        assertEquals(200, world.index().size());
        assertFalse(world.stockProperties().containsValue(Long.toString(copied)));
        assertTrue(world.jobs.faulty.world().ledgerIds().contains(copied));
        world.jobs.get(world.buckets.clear());
        assertEquals(List.of(copied), world.jobs.faulty.world().ledgerIds());
        assertEquals(Map.of(), world.jobs.faulty.world().allPropertiesOf(JobWorld.TOPIC, JobWorld.CURSOR));
    }

    @Test
    void missingAndDamagedSnapshotsAreForgottenOneByOne() throws Exception {
        begin(world);
        world.settle();
        List<Long> ledgers = world.stockLedgers(StockWorld.STOCK_OWNER);
        world.jobs.faulty.world().loseLedger(ledgers.get(0));
        world.jobs.faulty.world().corruptEntry(ledgers.get(1), 0);
        BucketIndex index = world.crash();
        world.settle();
        assertEquals(80, index.size());
        assertEquals(Set.of("3_3", "4_4"), names(world));
        assertEquals(2, world.stockLedgers(StockWorld.STOCK_OWNER).size());
        world.offer(FIVE);
        assertEquals(200, index.size());
        assertEquals(StockWorld.wholeSeconds(FIVE), world.handOut());
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"CREATE", "APPEND", "CLOSE_WRITER", "PUT", "REMOVE"})
    void whatFailsAWhileIsMadeUpFor(Operation operation) throws Exception {
        for (Fault fault : List.of(Fault.failBefore(Kind.UNAVAILABLE), Fault.failAfter(Kind.UNAVAILABLE), Fault.hangBefore())) {
            StockWorld each = kept(3);
            each.load();
            each.settle();
            each.jobs.faulty.onEvery(operation, "*", fault);
            each.offer(FIVE);
            each.settle();
            assertEquals(200, each.index().size());
            each.jobs.faulty.heal();
            each.crash();
            each.settle();
            each.offer(FIVE);
            each.settle();
            assertEquals(200, each.index().size(), operation + " " + fault);
            each.asStockSees();
            assertEquals(StockWorld.wholeSeconds(FIVE), each.handOut(), operation + " " + fault);
        }
    }

    @Test
    void aCrashAfterAnyEventLeavesWhatStockCanReadAndEachPositionOnce() throws Exception {
        Set<Integer> seen = new HashSet<>();
        boolean ended = false;
        for (int crashAt = 0; !ended; crashAt++) {
            StockWorld each = kept(crashAt);
            each.load();
            each.settle();
            each.offerAtOnce(FIVE);
            each.jobs.time.run(crashAt);
            ended = each.stockProperties().size() == 4;
            each.jobs.life.crash();
            each.jobs.time.close();
            each.jobs.newLife();
            String context = "crash after " + crashAt + " events";
            Map<Position, Long> stock = each.asStockSees();
            assertEquals(firstLedgers(StockWorld.wholeSeconds(FIVE), stock.size() / 40), stock, context);
            seen.add(each.stockProperties().size());
            BucketIndex index = each.load();
            each.settle();
            assertEquals(stock.size(), index.size(), context);
            each.offer(FIVE);
            each.settle();
            assertEquals(200, index.size(), context);
            assertEquals(firstLedgers(StockWorld.wholeSeconds(FIVE), 4), each.asStockSees(), context);
        }
        assertEquals(Set.of(0, 1, 2, 3, 4), seen);
    }

    @Test
    void neighboursAreMergedIntoOneSnapshotThatStockReads() throws Exception {
        world.merges = 1;
        world.load();
        world.settle();
        SegmentColumns nine = StockWorld.columns(1, 9, 40);
        world.offer(nine);
        world.settle();
        assertEquals(2, world.buckets.samples().get("bucket_merges_total"));
        assertEquals(Set.of("1_4", "5_8"), names(world));
        assertEquals(firstLedgers(StockWorld.wholeSeconds(nine), 8), world.asStockSees());
        assertEquals(2, world.stockLedgers(StockWorld.STOCK_OWNER).size());
        assertEquals(Map.of(), world.jobs.faulty.world().propertiesOf(JobWorld.TOPIC, JobWorld.CURSOR));
        world.crash();
        world.settle();
        assertEquals(320, world.index().size());
        world.offer(nine);
        assertEquals(StockWorld.wholeSeconds(nine), world.handOut());
    }

    @Test
    void aMergeWhoseMetadataWouldNotFitIntoAnEntryIsGivenUp() throws Exception {
        world.merges = 1;
        world.jobs.faulty.withMaxEntryBytes(700);
        world.load();
        world.settle();
        world.offer(FIVE);
        world.settle();
        assertEquals(Set.of("1_1", "2_2", "3_3", "4_4"), names(world));
        assertEquals(200, world.index().size());
        assertEquals(StockWorld.wholeSeconds(FIVE), world.handOut());
    }

    @Test
    void aCrashInAMergeLeavesWhatStockCanReadAndEachPositionOnce() throws Exception {
        Set<Set<String>> seen = new HashSet<>();
        boolean ended = false;
        for (int crashAt = 0; !ended; crashAt += 2) {
            StockWorld each = kept(crashAt);
            each.merges = 1;
            each.load();
            each.settle();
            each.offer(StockWorld.columns(1, 4, 40));
            each.offerAtOnce(StockWorld.columns(5, 5, 1));
            each.jobs.time.run(crashAt);
            ended = names(each).equals(Set.of("1_4")) && each.stockLedgers(StockWorld.STOCK_OWNER).size() == 1;
            each.jobs.life.crash();
            each.jobs.time.close();
            each.jobs.newLife();
            String context = "crash after " + crashAt + " events";
            Map<Position, Long> stock = each.asStockSees();
            assertTrue(stock.size() >= 80 && stock.size() % 40 == 0, context);
            seen.add(names(each));
            each.load();
            each.settle();
            assertEquals(stock.size(), each.index().size(), context);
            each.offer(StockWorld.columns(1, 4, 40));
            each.settle();
            assertTrue(each.asStockSees().keySet().containsAll(stock.keySet()), context);
            each.buckets.sweep();
            each.settle();
            assertEquals(StockWorld.wholeSeconds(StockWorld.columns(1, 4, 40)), each.handOut(), context);
        }
        assertTrue(seen.containsAll(Set.of(Set.of("1_1", "2_2", "3_3"), Set.of("1_1", "2_2", "3_3", "4_4"),
                Set.of("1_1", "2_2", "3_3", "4_4", "1_4"), Set.of("1_4"))), seen.toString());
    }

    @Test
    void aCrashWhileBucketsAreDeletedNeverLeavesAPropertyOfADeletedLedger() throws Exception {
        boolean ended = false;
        for (int crashAt = 0; !ended; crashAt++) {
            StockWorld each = kept(crashAt);
            begin(each);
            each.settle();
            each.index().forgetUpTo(3, 39);
            each.buckets.sweep();
            each.jobs.time.run(crashAt);
            ended = each.stockLedgers(StockWorld.STOCK_OWNER).size() == 1;
            each.jobs.life.crash();
            each.jobs.time.close();
            each.jobs.newLife();
            each.asStockSees();
            each.markDelete = new long[] {3, 39};
            each.load();
            each.settle();
            each.buckets.sweep();
            each.settle();
            assertEquals(Set.of("4_4"), names(each), "crash after " + crashAt + " events");
            assertEquals(1, each.stockLedgers(StockWorld.STOCK_OWNER).size(), "crash after " + crashAt + " events");
        }
    }
}
