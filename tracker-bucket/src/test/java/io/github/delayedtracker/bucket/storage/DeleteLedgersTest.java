/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.steps.JobWorld;
import io.github.delayedtracker.bucket.storage.DeleteLedgers.Deletions;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Passes over forty ledgers of which some, or all, cannot be deleted. */
class DeleteLedgersTest {

    private static final int LEDGERS = 40;
    private static final int LANES = JobLimits.DEFAULT.deletesUnderWay();

    private final JobWorld world = new JobWorld(1);
    private final DeleteLedgers passes = new DeleteLedgers(world.storage(), JobWorld.OWNER, world.retries);
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
        return world.get(passes.tryOnce(there(), () -> true));
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
    void whatFailedLastTimeKeepsNoOtherBeyondTheNextPasses() throws Exception {
        Set<Long> damaged = ledgers.stream().limit(5L * LANES).collect(Collectors.toSet());
        damaged.forEach(ledgerId -> world.faulty.onLedger(ledgerId, Fault.failBefore(Kind.UNAVAILABLE)));
        int most = damaged.size() / LANES + 1;
        for (int passes = 0; passes < most; passes++) {
            pass();
        }
        assertEquals(damaged, there());
    }

    /** A round of the subscription waits for a pass, and with it the next seal. */
    @Test
    void noneIsBegunOnceThePassHasTakenAsLongAsOneCallMay() throws Exception {
        world.faulty.onEvery(Operation.DELETE, "*", Fault.delay(5_000));
        long begunMillis = world.time.nowMillis();
        Deletions deletions = pass();
        long tookMillis = world.time.nowMillis() - begunMillis;
        assertTrue(tookMillis <= JobLimits.DEFAULT.timeoutMillis() + 6_000, () -> tookMillis + " ms");
        assertTrue(deletions.gone().size() >= 5 * LANES, () -> deletions.gone().size() + " gone");
        assertEquals(there(), deletions.left().keySet());
    }

    @Test
    void noneIsBegunOnceNobodyWantsThemGone() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        world.get(passes.tryOnce(there(), () -> asked.incrementAndGet() <= 10));
        assertEquals(LEDGERS - 10, there().size());
    }

    @Test
    void whoHasNoOtherTimeTriesEachAsOftenAsMayHelp() throws Exception {
        world.faulty.onEvery(Operation.DELETE, "*", Fault.failBefore(Kind.UNAVAILABLE));
        Set<Long> two = Set.of(ledgers.first(), ledgers.last());
        Deletions deletions = world.get(new DeleteLedgers(world.storage(), JobWorld.OWNER, world.retries).deleteAll(two));
        assertEquals(two, deletions.left().keySet());
        assertEquals(2L * JobLimits.DEFAULT.mostAttempts(), world.faulty.counts().faults(Operation.DELETE));
    }
}
