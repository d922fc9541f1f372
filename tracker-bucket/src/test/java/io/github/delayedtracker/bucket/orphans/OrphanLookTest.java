/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.backend.StoredOrphans;
import io.github.delayedtracker.backend.StoredOrphans.Orphan;
import io.github.delayedtracker.bucket.orphans.ClusterIdentity.ClusterId;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepSettings;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A look tells what a sweep would delete, page by page, and leaves everything as it is. */
class OrphanLookTest {

    private static final long DAY = SweepWorld.DAY;
    private static final SweepSettings SETTINGS = new SweepSettings(1_000, DAY, false, 100, 10, 100, 1_000);

    private static StoredOrphans look(SweepWorld world, long afterLedgerId) throws Exception {
        return world.time.get(new OrphanLook(world.services(SETTINGS), afterLedgerId).run());
    }

    @Test
    void orphansAreToldWithTheirOwnersAndStay() throws Exception {
        SweepWorld world = SweepWorld.aDayAfterOrphansOf("a", "b");
        world.time.get(world.seal("c", 10));
        world.addForeignLedgers(3);
        List<Long> before = world.ledgerIds();
        StoredOrphans found = look(world, -1);
        assertEquals(List.of(new Orphan(before.get(0), SweepWorld.TOPIC, "a", 0), new Orphan(before.get(1), SweepWorld.TOPIC, "b",
                found.orphans().get(1).createdAtMillis())), found.orphans());
        assertEquals(6, found.lookedAt());
        assertEquals(3, found.own());
        assertEquals(1, found.young());
        assertEquals(DAY, found.minAgeMillis());
        assertEquals(OptionalLong.empty(), found.nextAfter());
        assertEquals(before, world.ledgerIds());
        assertEquals(Optional.empty(), world.time.get(world.values.get(SweepPlace.NAME)), "the place of the sweep is untouched");
        assertEquals(2, world.sweep(SETTINGS).deletedLedgers(), "a sweep deletes the same");
    }

    @Test
    void ledgersWithoutTheIdOfThisClusterAreCountedOnly() throws Exception {
        SweepWorld world = SweepWorld.aDayAfterOrphansOf("a", "b", "c");
        world.otherIds.put(world.ledgerIds().get(0), Optional.empty());
        world.otherIds.put(world.ledgerIds().get(1), Optional.of("another"));
        StoredOrphans found = look(world, -1);
        assertEquals(List.of(1L, 1L, 1L), List.of(found.withoutId(), found.ofAnotherId(), found.own()));
        assertEquals("c", found.orphans().get(0).cursor());
    }

    @Test
    void pagesAreBoundedAndGoOnBehindTheLastLedger() throws Exception {
        SweepWorld world = new SweepWorld(1, FaultRates.none());
        world.addForeignLedgers(2_050);
        long orphan = world.orphan("a");
        world.time.runUntil(2 * DAY);
        StoredOrphans first = look(world, -1);
        assertEquals(1_000, first.lookedAt());
        assertTrue(world.time.nowMillis() - 2 * DAY >= 9_000, "100 ledgers a second");
        StoredOrphans second = look(world, first.nextAfter().getAsLong());
        StoredOrphans third = look(world, second.nextAfter().getAsLong());
        assertEquals(List.of(1_000L, 51L), List.of(second.lookedAt(), third.lookedAt()));
        assertEquals(OptionalLong.empty(), third.nextAfter());
        assertEquals(orphan, third.orphans().get(0).ledgerId());
    }

    @Test
    void aPageEndsInTimeThoughNothingAnswers() throws Exception {
        SweepWorld world = new SweepWorld(1, FaultRates.none());
        for (int i = 0; i < 50; i++) {
            world.orphan("a" + i);
        }
        world.time.runUntil(2 * DAY);
        world.recordsHang();
        StoredOrphans first = look(world, -1);
        long tookMillis = world.time.nowMillis() - 2 * DAY;
        assertTrue(tookMillis < 60_000, "it took " + tookMillis + " ms");
        assertEquals(List.of(), first.orphans());
        assertEquals(first.lookedAt(), first.unknown());
        assertEquals(world.ledgerIds().get((int) first.lookedAt() - 1), first.nextAfter().getAsLong());
    }

    @Test
    void anOwnerThatCannotBeReadIsNoOrphan() throws Exception {
        SweepWorld world = SweepWorld.aDayAfterOrphansOf("a");
        world.recordsFail(1_000);
        StoredOrphans found = look(world, -1);
        assertEquals(List.of(), found.orphans());
        assertEquals(1, found.unknown());
        assertTrue(found.firstUnknown().orElseThrow().contains("no metadata store"), found.toString());
    }

    @Test
    void nothingIsJudgedInAClusterWithoutAnId() throws Exception {
        SweepWorld world = SweepWorld.aDayAfterOrphansOf("a");
        world.values.delete(ClusterId.NAME);
        assertThrows(StorageException.class, () -> look(world, -1));
        assertEquals(List.of(), world.lookedAt);
    }
}
