/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.steps.JobWorld.Position;
import io.github.delayedtracker.bucket.steps.ReadSnapshot.OpenSnapshot;
import io.github.delayedtracker.bucket.storage.DeleteLedgers.Deletions;
import io.github.delayedtracker.bucket.storage.Futures;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Kill -9 after every single event of a protocol: what the next owner of the topic finds is what the design page says. */
class ProtocolCrashTest {

    private static final int COUNT = 350;
    private static final SnapshotSteps.Keep ALL = (source, columns) -> {
        BitSet all = new BitSet();
        all.set(0, columns.count());
        return CompletableFuture.completedFuture(all);
    };

    private JobWorld world;
    private CatalogueKeeper keeper;

    private static SegmentColumns columns(int number) {
        long[] dueMillis = new long[COUNT];
        long[] ledgerIds = new long[COUNT];
        long[] entryIds = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            ledgerIds[i] = number;
            entryIds[i] = i;
            dueMillis[i] = 1_000_000 + (i * 7919L + number) % 300_000;
        }
        return new SegmentColumns(COUNT, dueMillis, ledgerIds, entryIds);
    }

    /** Write, then record. */
    private CompletableFuture<CatalogueRecord> seal(int number) {
        return world.writes().write(columns(number))
                .thenCompose(written -> keeper.update(record -> record.sealed(written.ledgerId())));
    }

    /** Merge all live ones, record the outcome, delete what it dooms, leave that out of the record. */
    private CompletableFuture<CatalogueRecord> mergeAll(List<SegmentSource> sources) {
        List<Long> ids = sources.stream().map(SegmentSource::ledgerId).toList();
        return world.merges().merge(sources, ALL, bytes -> Futures.DONE)
                .thenCompose(merged -> keeper.update(record -> record.merged(ids, merged.orElseThrow().ledgerId())))
                .thenCompose(record -> keeper.deleteDoomed())
                .thenCompose(deletions -> keeper.update(record -> record));
    }

    private List<SegmentSource> sealed(int count) throws Exception {
        keeper = world.loadedKeeper();
        List<SegmentSource> sources = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long ledgerId = world.get(seal(i)).live().get(i);
            OpenSnapshot open = world.get(world.reads().open(ledgerId));
            open.close();
            sources.add(open.segments());
        }
        return sources;
    }

    private CatalogueRecord nextOwner() throws Exception {
        world.time.close();
        world.newLife();
        keeper = world.keeper();
        return world.get(keeper.load());
    }

    private Map<Position, Long> contentOf(List<Long> ledgerIds) throws Exception {
        Map<Position, Long> content = new TreeMap<>();
        for (long ledgerId : ledgerIds) {
            content.putAll(world.contentOf(ledgerId));
        }
        return content;
    }

    private static Map<Position, Long> contentOfFirst(int seals) {
        List<SegmentColumns> all = new ArrayList<>();
        for (int i = 0; i < seals; i++) {
            all.add(columns(i));
        }
        return JobWorld.map(all);
    }

    @Test
    void aCrashInASealLeavesTheOldRecordOrTheNewOneAndEveryNamedLedgerWhole() throws Exception {
        Set<Integer> liveSeen = new HashSet<>();
        int unnamedSeen = 0;
        boolean ended = false;
        for (int crashAt = 0; !ended; crashAt++) {
            world = new JobWorld(crashAt);
            sealed(1);
            CompletableFuture<CatalogueRecord> answer = seal(1);
            world.time.run(crashAt);
            ended = answer.isDone();
            world.life.crash();
            CatalogueRecord record = nextOwner();
            String context = "crash after " + crashAt + " events";
            assertTrue(!ended || record.live().size() == 2, context);
            assertEquals(contentOfFirst(record.live().size()), contentOf(record.live()), context);
            liveSeen.add(record.live().size());
            List<Long> unnamed = new ArrayList<>(world.faulty.world().ledgersOf(JobWorld.TOPIC, JobWorld.CURSOR));
            unnamed.removeAll(record.live());
            assertTrue(unnamed.size() <= 1, context);
            unnamedSeen += unnamed.size();
            world.assertNothingHeld(context);
        }
        assertEquals(Set.of(1, 2), liveSeen);
        assertTrue(unnamedSeen > 0);
    }

    /**
     * S-01, S-17: what a crash in the middle of a merge's clean-up left made recovery throw the merged snapshot away, or stayed
     * for ever. #26239: sources were deleted without a replacement.
     */
    @Test
    void s01_aCrashInAMergeNeverLosesAPositionAndDoomedOnesAreDeletedByTheNextOwner() throws Exception {
        Set<String> seen = new HashSet<>();
        boolean ended = false;
        for (int crashAt = 0; !ended; crashAt += 2) {
            world = new JobWorld(crashAt);
            List<SegmentSource> sources = sealed(4);
            CompletableFuture<CatalogueRecord> answer = mergeAll(sources);
            world.time.run(crashAt);
            ended = answer.isDone();
            world.life.crash();
            CatalogueRecord record = nextOwner();
            String context = "crash after " + crashAt + " events";
            assertEquals(contentOfFirst(4), contentOf(record.live()), context);
            seen.add(record.live().size() + " live, " + record.doomed().size() + " doomed, "
                    + record.doomed().stream().filter(world.faulty.world().ledgerIds()::contains).count() + " of them there");
            Deletions deletions = world.get(keeper.deleteDoomed());
            assertEquals(Set.copyOf(record.doomed()), deletions.gone(), context);
            assertEquals(List.of(), world.get(keeper.update(each -> each)).doomed(), context);
            assertEquals(contentOfFirst(4), contentOf(record.live()), context);
            world.assertNothingHeld(context);
        }
        assertTrue(seen.containsAll(Set.of("4 live, 0 doomed, 0 of them there", "1 live, 4 doomed, 4 of them there",
                "1 live, 4 doomed, 0 of them there", "1 live, 0 doomed, 0 of them there")), seen.toString());
    }

    /** #26401, S-02: a subscription is deleted at any point of a merge. */
    @Test
    void i26401_deletingTheSubscriptionInTheMiddleOfAMergeLeavesNothing() throws Exception {
        boolean ended = false;
        for (int at = 0; !ended; at += 2) {
            world = new JobWorld(at);
            List<SegmentSource> sources = sealed(4);
            CompletableFuture<CatalogueRecord> answer = mergeAll(sources);
            world.time.run(at);
            ended = answer.isDone();
            world.retries.abandon();
            world.time.runUntil(world.time.nowMillis());
            world.time.runAll();
            assertTrue(world.get(keeper.removeAll(60_000)).isComplete(), "after " + at);
            assertEquals(List.of(), world.faulty.world().ledgerIds(), "after " + at);
            assertEquals(0, world.faulty.world().propertiesOf(JobWorld.TOPIC, JobWorld.CURSOR).size(), "after " + at);
            world.assertNothingHeld("after " + at);
        }
    }
}
