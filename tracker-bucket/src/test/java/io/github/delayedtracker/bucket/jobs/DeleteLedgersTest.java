/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.simulator.storage.Fault;
import io.github.delayedtracker.simulator.storage.Operation;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Passes over forty ledgers of which some, or all, cannot be deleted. */
class DeleteLedgersTest {

    private static final int LEDGERS = 40;
    private static final int LANES = JobWorld.LIMITS.deletesUnderWay();

    private final JobWorld world = new JobWorld(1);
    private final TreeSet<Long> ledgers = new TreeSet<>();

    @BeforeEach
    void writeLedgers() throws Exception {
        for (int i = 0; i < LEDGERS; i++) {
            ledgers.add(world.write(JobWorld.columns(1, 5, 1_000, 100)).ledgerId());
        }
    }

    private Set<Long> there() {
        return Set.copyOf(world.faulty.world().ledgerIds());
    }

    private Deletions pass() throws Exception {
        return world.get(new DeleteLedgers(world.storage(), JobWorld.OWNER, world.retries).tryOnce(there()));
    }

    /** Ruling 26: what fails costs no more the more ledgers there are. */
    @Test
    void r26_asManyFailuresInARowAsAreUnderWayAtATimeEndThePass() throws Exception {
        world.faulty.onEvery(Operation.OWNER_OF, "*", Fault.failBefore(Kind.UNAVAILABLE));
        assertEquals(ledgers, pass().left().keySet());
        long calls = world.faulty.counts().faults(Operation.OWNER_OF);
        assertTrue(calls >= LANES && calls < 2L * LANES, () -> calls + " calls");
    }

    @Test
    void onePassTriesWhatFailsOnceAndDeletesTheOthers() throws Exception {
        long damaged = ledgers.first();
        world.faulty.onLedger(damaged, Fault.failBefore(Kind.UNAVAILABLE));
        Deletions deletions = pass();
        assertEquals(Set.of(damaged), deletions.left().keySet());
        assertEquals(LEDGERS - 1, deletions.gone().size());
        assertEquals(1, world.faulty.counts().faults(Operation.OWNER_OF));
    }

    @Test
    void theFirstOfThemDoNotKeepTheOthersForEver() throws Exception {
        Set<Long> damaged = ledgers.stream().limit(2L * LANES).collect(Collectors.toSet());
        damaged.forEach(ledgerId -> world.faulty.onLedger(ledgerId, Fault.failBefore(Kind.UNAVAILABLE)));
        for (int passes = 0; passes < 50; passes++) {
            pass();
        }
        assertEquals(damaged, there());
    }

    @Test
    void whoHasNoOtherTimeTriesEachAsOftenAsMayHelp() throws Exception {
        world.faulty.onEvery(Operation.DELETE, "*", Fault.failBefore(Kind.UNAVAILABLE));
        Set<Long> two = Set.of(ledgers.first(), ledgers.last());
        Deletions deletions = world.get(new DeleteLedgers(world.storage(), JobWorld.OWNER, world.retries).deleteAll(two));
        assertEquals(two, deletions.left().keySet());
        assertEquals(2L * JobWorld.LIMITS.mostAttempts(), world.faulty.counts().faults(Operation.DELETE));
    }
}
