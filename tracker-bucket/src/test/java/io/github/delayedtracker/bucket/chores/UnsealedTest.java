/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.OutageWorld.Subscription;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Storage or metadata that are away while the topic flows: finding S6. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnsealedTest {

    private static final int SEAL = 1_000;
    private static final int POSITIONS = 200_000;
    private static final long DAY_MILLIS = 86_400_000;
    private static final long LOG_BYTES = 16;
    /** The tail and two frozen ones; a log has room for twice its positions. */
    private static final long MOST_LOGGED = 2L * 3 * SEAL;
    /** Nothing is loaded by merges that come out of it, and no age seals in between. */
    private static final BucketSettings SETTINGS = SomeSettings.sealing(SEAL);

    /** What is away. */
    private enum Away {
        BOOKIES(Operation.CREATE), APPENDS(Operation.APPEND), METADATA(Operation.PUT), RECORD(Operation.GET_PROPERTIES);

        private final Operation operation;

        Away(Operation operation) {
            this.operation = operation;
        }
    }

    private final SplittableRandom random = new SplittableRandom(1);

    private Subscription filled(OutageWorld world, Away away) {
        world.storage.onEvery(away.operation, "*", Fault.failBefore(Kind.UNAVAILABLE));
        Subscription one = world.open("one");
        world.run(1_000);
        for (int i = 0; i < POSITIONS; i++) {
            one.publish(DAY_MILLIS + random.nextLong(30 * DAY_MILLIS));
            if (i % SEAL == SEAL - 1) {
                world.run(1_000);
            }
        }
        return one;
    }

    /** What the same positions take in memory alone. */
    private static long bytesInMemory(Subscription like) {
        DelayIndex index = new TimeBucketIndexProvider().newIndex();
        for (int entry = 0; entry < like.deliverAtMillis.size(); entry++) {
            index.add(like.deliverAtMillis.get(entry), OutageWorld.LEDGER, entry);
            index.takeWork().ifPresent(Runnable::run);
        }
        return index.retainedBytes();
    }

    @ParameterizedTest
    @EnumSource(Away.class)
    void s6APositionTakesWhatTheIndexInMemoryTakesHoweverLongNothingIsSealed(Away away) {
        OutageWorld world = new OutageWorld(SETTINGS);
        Subscription one = filled(world, away);
        assertEquals(POSITIONS, one.state.count());
        long bytes = one.buckets.index().retainedBytes();
        long allowed = bytesInMemory(one) * 11 / 10 + MOST_LOGGED * LOG_BYTES + 100_000;
        assertTrue(bytes <= allowed, bytes + " bytes for " + POSITIONS + " positions, " + allowed + " are allowed");
    }

    @ParameterizedTest
    @EnumSource(Away.class)
    void s6WhatWaitsIsSealedInPiecesOnceItCanBe(Away away) {
        OutageWorld world = new OutageWorld(SETTINGS);
        Subscription one = filled(world, away);
        world.storage.heal();
        long sealed = one.figure("sealed_positions_total");
        long seals = one.figure("seals_total");
        for (int i = 0; i < 120_000; i++) {
            world.run(1);
            long more = one.figure("sealed_positions_total") - sealed;
            long count = one.figure("seals_total") - seals;
            assertTrue(more <= count * SEAL, more + " positions in " + count + " seals");
            sealed += more;
            seals += count;
        }
        assertTrue(sealed >= POSITIONS - SEAL, sealed + " of " + POSITIONS + " are sealed, " + one.buckets.samples());
        assertEquals(POSITIONS, one.state.count());
        one.state.validate();
        world.run(3 * DAY_MILLIS);
        one.state.validate();
    }

    @Test
    void s6WhatIsDueMeanwhileComesInTimeAndOnce() {
        OutageWorld world = new OutageWorld(SETTINGS);
        world.storage.onEvery(Operation.CREATE, "*", Fault.failBefore(Kind.UNAVAILABLE));
        Subscription one = world.open("one");
        world.run(1_000);
        for (int i = 0; i < 20 * SEAL; i++) {
            one.publish(world.time.nowMillis() + 10_000 + random.nextLong(60_000));
        }
        world.run(40_000);
        world.storage.heal();
        world.run(60_000);
        assertEquals(20 * SEAL, one.delivered.cardinality());
        for (int read = 0; read < one.reads.size(); read++) {
            long lateMillis = one.readAtMillis.get(read) - one.deliverAtMillis.get(one.reads.get(read));
            assertTrue(lateMillis <= 2_000, "entry " + one.reads.get(read) + " is " + lateMillis + " ms late");
        }
    }

    /** The limit is what is written and unloaded for, not a bound: what cannot be written stays, and is counted. */
    @Test
    void s6TheBudgetIsExceededByWhatCannotBeSealedAndKeptAgainOnceItCan() {
        long limitBytes = 200_000;
        OutageWorld world = new OutageWorld(SETTINGS, limitBytes);
        Subscription one = filled(world, Away.BOOKIES);
        one.buckets.sweep();
        world.run(1_000);
        long used = world.services.limits().memory().samples().get("bucket_memory_used_bytes");
        assertTrue(used > limitBytes, "nothing is refused: " + used);
        assertTrue(used <= one.buckets.index().retainedBytes(), used + " bytes are counted");
        assertEquals(POSITIONS, one.state.count());
        world.storage.heal();
        world.run(600_000);
        used = world.services.limits().memory().samples().get("bucket_memory_used_bytes");
        assertTrue(used <= limitBytes, used + " bytes are left of " + limitBytes);
    }
}
