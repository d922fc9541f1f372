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
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Random seals, merges, drops, deletions and reloads of a topic under drawn faults. Nothing that the record names is ever missing
 * or different, nothing leaks, and once the storage heals the steps succeed and nothing is left that is neither named nor known
 * but what a create left behind.
 */
class StepsUnderFaultsTest {

    private JobWorld world;
    private CatalogueKeeper keeper;
    /** What each ledger holds that was written well. */
    private final Map<Long, Map<Position, Long>> contents = new TreeMap<>();
    private int sealedSoFar;
    private boolean crashed;

    @Test
    void whatTheRecordNamesIsThereAndNothingLeaks() throws Exception {
        long faults = 0;
        long merges = 0;
        for (long seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            FaultRates rates = FaultRates.passing(random.nextInt(30), 20, 40_000).with(Fault.Kind.HANG_BEFORE, random.nextInt(8))
                    .with(Fault.Kind.HANG_AFTER, random.nextInt(8));
            world = new JobWorld(seed, rates);
            contents.clear();
            sealedSoFar = 0;
            crashed = false;
            reload();
            for (int i = 0; i < 12; i++) {
                merges += step(random, "seed " + seed) ? 1 : 0;
                checkNamed("seed " + seed);
            }
            heal("seed " + seed);
            faults += world.faulty.counts().faults();
        }
        assertTrue(faults > 3_000 && merges > 200, faults + " faults, " + merges + " merges");
    }

    private boolean step(Random random, String context) throws Exception {
        switch (random.nextInt(6)) {
            case 0, 1 -> seal();
            case 2 -> {
                return merge(context);
            }
            case 3 -> update(record -> record.live().isEmpty() ? record : record.dropped(record.live().subList(0, 1)));
            case 4 -> {
                world.get(keeper.deleteDoomed());
                world.get(keeper.deleteLeftovers());
            }
            default -> {
                if (random.nextInt(3) == 0) {
                    crashed = true;
                    world.life.crash();
                    world.time.close();
                    world.newLife();
                    reload();
                }
            }
        }
        return false;
    }

    private void reload() throws Exception {
        for (boolean loaded = false; !loaded;) {
            keeper = world.keeper();
            loaded = outcome(keeper.load()).isPresent();
        }
    }

    private <T> Optional<T> outcome(CompletableFuture<T> answer) throws Exception {
        try {
            return Optional.of(world.get(answer));
        } catch (StorageException e) {
            assertTrue(e.isRetryable(), e.getMessage());
            return Optional.empty();
        }
    }

    private void update(UnaryOperator<CatalogueRecord> change) throws Exception {
        outcome(keeper.update(change));
    }

    private void seal() throws Exception {
        long[] dueMillis = new long[150];
        long[] ledgerIds = new long[150];
        long[] entryIds = new long[150];
        for (int i = 0; i < 150; i++) {
            ledgerIds[i] = sealedSoFar;
            entryIds[i] = i;
            dueMillis[i] = 1_000 + i * 7919L % 5_000;
        }
        sealedSoFar++;
        SegmentColumns columns = new SegmentColumns(150, dueMillis, ledgerIds, entryIds);
        Optional<WrittenSnapshot> written = outcome(world.writes().write(columns));
        if (written.isPresent()) {
            contents.put(written.get().ledgerId(), JobWorld.map(List.of(columns)));
            update(record -> record.sealed(written.get().ledgerId()));
        }
    }

    private boolean merge(String context) throws Exception {
        List<Long> live = keeper.written().orElseThrow().live();
        if (keeper.isUnsettled() || live.size() < 2) {
            return false;
        }
        List<SegmentSource> sources = new ArrayList<>();
        Map<Position, Long> sum = new TreeMap<>();
        for (long ledgerId : live) {
            Optional<OpenSnapshot> open = outcome(world.reads().open(ledgerId));
            open.ifPresent(snapshot -> sources.add(snapshot.segments()));
            open.ifPresent(OpenSnapshot::close);
            sum.putAll(contents.get(ledgerId));
        }
        if (sources.size() < live.size()) {
            return false;
        }
        Optional<Optional<WrittenSnapshot>> merged = outcome(world.merges().merge(sources, (source, columns) -> {
            BitSet all = new BitSet();
            all.set(0, columns.count());
            return CompletableFuture.completedFuture(all);
        }, bytes -> Futures.DONE));
        if (merged.isEmpty()) {
            return false;
        }
        long ledgerId = merged.get().orElseThrow().ledgerId();
        assertEquals(sum.size(), merged.get().orElseThrow().positions().size(), context);
        contents.put(ledgerId, sum);
        update(record -> record.merged(live, ledgerId));
        return true;
    }

    /** Every ledger that the durable record names as live exists, whatever the last update answered. */
    private void checkNamed(String context) throws Exception {
        CatalogueRecord durable = CatalogueRecord.in(world.faulty.world().propertiesOf(JobWorld.TOPIC, JobWorld.CURSOR));
        List<Long> there = world.faulty.world().ledgerIds();
        assertTrue(there.containsAll(durable.live()), context + ": " + durable + " names what is gone of " + there);
    }

    private void heal(String context) throws Exception {
        world.faulty.heal();
        world.assertNothingHeld(context);
        List<Long> unknown = new ArrayList<>(world.faulty.world().ledgerIds());
        unknown.removeAll(world.leftovers.all());
        unknown.removeAll(keeper.written().orElseThrow().live());
        unknown.removeAll(keeper.written().orElseThrow().doomed());
        long createFaults = Arrays.stream(Fault.Kind.values()).filter(kind -> kind != Fault.Kind.NONE)
                .mapToLong(kind -> world.faulty.counts().of(Operation.CREATE, kind)).sum();
        assertTrue(crashed || unknown.size() <= createFaults, context + ": nobody knows " + unknown);
        world.life.crash();
        world.time.close();
        world.newLife();
        reload();
        for (long ledgerId : keeper.written().orElseThrow().live()) {
            assertEquals(contents.get(ledgerId), world.contentOf(ledgerId), context);
        }
        seal();
        assertEquals(List.of(), world.leftovers.all(), context);
        assertTrue(world.get(keeper.removeAll(60_000)).isComplete(), context);
        assertEquals(0, world.faulty.world().propertiesOf(JobWorld.TOPIC, JobWorld.CURSOR).size(), context);
        world.assertNothingHeld(context);
    }
}
