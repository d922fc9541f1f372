/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphStats;

class PositionSetTest {

    private record At(long ledgerId, long entryId) {
    }

    private static final Comparator<At> ORDER = Comparator.comparingLong(At::ledgerId).thenComparingLong(At::entryId);

    private final PositionSet set = new PositionSet();

    private static List<At> members(PositionSet set) {
        List<At> members = new ArrayList<>();
        set.forEach((l, e) -> members.add(new At(l, e)));
        return members;
    }

    @Test
    void aPositionIsAMemberOnce() {
        assertTrue(set.add(3, 7));
        assertFalse(set.add(3, 7));
        assertEquals(1, set.size());
        assertTrue(set.contains(3, 7));
        assertFalse(set.contains(3, 8));
        assertTrue(set.remove(3, 7));
        assertFalse(set.remove(3, 7));
        assertTrue(set.isEmpty());
        set.validate();
    }

    @Test
    void removeUpToIsInclusiveAndCrossesLedgers() {
        for (long ledger = 1; ledger <= 3; ledger++) {
            for (long entry = 0; entry < 10_000; entry++) {
                set.add(ledger, entry);
            }
        }
        assertEquals(15_001, set.removeUpTo(2, 5_000));
        set.validate();
        assertFalse(set.contains(2, 5_000));
        assertTrue(set.contains(2, 5_001));
        assertEquals(14_999, set.size());
        assertEquals(14_999, set.removeUpTo(Long.MAX_VALUE, Long.MAX_VALUE));
        assertTrue(set.isEmpty());
    }

    @Test
    void x6_aJumpOverManyLedgersLooksAtBlocksAndNotAtPages() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long jumpNanos = Long.MAX_VALUE;
        long passNanos = Long.MAX_VALUE;
        long[] passed = {0};
        for (int round = 0; round < 20; round++) {
            for (long ledger = 1; ledger <= 50_000; ledger++) {
                set.add(ledger, 7);
            }
            long begin = threads.getCurrentThreadCpuTime();
            set.forEach((ledgerId, entryId) -> passed[0]++);
            long middle = threads.getCurrentThreadCpuTime();
            assertEquals(49_000, set.removeUpTo(49_000, 7));
            jumpNanos = Math.min(jumpNanos, threads.getCurrentThreadCpuTime() - middle);
            passNanos = Math.min(passNanos, middle - begin);
            set.clear();
        }
        assertTrue(jumpNanos * 6 < passNanos, jumpNanos + " ns for a jump, " + passNanos + " ns for a pass");
    }

    @Test
    void takeBelowIsExclusiveAscendingAndLimited() {
        set.add(2, 1);
        set.add(1, 5);
        set.add(2, 0);
        set.add(2, 2);
        List<At> taken = new ArrayList<>();
        assertEquals(2, set.takeBelow(2, 2, 2, (l, e) -> taken.add(new At(l, e))));
        assertEquals(1, set.takeBelow(2, 2, 9, (l, e) -> taken.add(new At(l, e))));
        assertEquals(List.of(new At(1, 5), new At(2, 0), new At(2, 1)), taken);
        assertFalse(set.firstIsBelow(2, 2));
        assertTrue(set.firstIsBelow(2, 3));
    }

    @Test
    void idsUpToTheLargestLongAreKept() {
        long[] ids = {0, 1, 4_095, 4_096, 1L << 32, (1L << 40) + 5, Long.MAX_VALUE - 1, Long.MAX_VALUE};
        for (long ledger : ids) {
            for (long entry : ids) {
                assertTrue(set.add(ledger, entry));
            }
        }
        set.validate();
        assertEquals(ids.length * ids.length, members(set).size());
        assertTrue(set.contains(Long.MAX_VALUE, Long.MAX_VALUE));
    }

    @Test
    void aLedgerInWhichEveryEntryIsDelayedCostsNextToNothing() {
        for (int i = 0; i < 10_000_000; i++) {
            set.add(i / 50_000, i % 50_000);
        }
        assertTrue(set.retainedBytes() < 10_000_000 * 0.03, set.retainedBytes() + " bytes");
        assertEquals(GraphStats.parseInstance(set).totalSize(), set.retainedBytes(), set.retainedBytes() * 0.01);
    }

    @Test
    @DisplayName("#26117: after 99 % is removed the bytes are gone, even where the set was dense")
    void memoryComesBack() {
        Random random = new Random(1);
        for (int i = 0; i < 1_000_000; i++) {
            set.add(i / 1_000, i % 1_000 * 3L);
        }
        long full = set.retainedBytes();
        for (int i = 0; i < 1_000_000; i++) {
            if (random.nextInt(100) > 0) {
                set.remove(i / 1_000, i % 1_000 * 3L);
            }
        }
        set.validate();
        assertTrue(set.retainedBytes() < full / 6, set.retainedBytes() + " bytes of " + full);
        for (At at : members(set)) {
            set.remove(at.ledgerId, at.entryId);
        }
        assertTrue(set.retainedBytes() < 100, set.retainedBytes() + " bytes for nothing");
    }

    @Test
    void retainedBytesAreTheTruthForEveryShape() {
        long[] spreads = {1, 3, 100, 5_000, 1L << 30};
        for (long spread : spreads) {
            for (int count : new int[] {0, 1, 2, 10, 1_000, 50_000}) {
                PositionSet shaped = new PositionSet();
                for (int i = 0; i < count; i++) {
                    shaped.add(i * spread / 50_000, i * spread % 50_000);
                }
                assertEquals(GraphStats.parseInstance(shaped).totalSize(), shaped.retainedBytes(),
                        64.0, count + " positions, spread " + spread);
            }
        }
    }

    @Test
    void itAgreesWithASortedSetUnderRandomOperations() {
        for (int shape = 0; shape < 4; shape++) {
            long seed = Long.getLong("delayed.test.seed", new Random().nextLong());
            long ledgers = new long[] {1, 20, 3_000, 4}[shape];
            long entries = new long[] {20_000, 9_000, 3, 1L << 45}[shape];
            try {
                compareWithTwin(new Random(seed), ledgers, entries);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("shape " + shape + ", -Ddelayed.test.seed=" + seed, e);
            }
        }
    }

    private static void compareWithTwin(Random random, long ledgers, long entries) {
        PositionSet set = new PositionSet();
        TreeSet<At> twin = new TreeSet<>(ORDER);
        long next = 0;
        for (int step = 0; step < 150_000; step++) {
            int what = random.nextInt(1_000);
            At at = what % 2 == 0 ? new At(next / entries % ledgers, next++ % entries)
                    : new At(random.nextLong(ledgers), random.nextLong(entries));
            if (what < 600) {
                assertEquals(twin.add(at), set.add(at.ledgerId, at.entryId));
            } else if (what < 900) {
                At gone = twin.isEmpty() || what < 650 ? at : random.nextBoolean() ? twin.first() : twin.ceiling(at);
                if (gone != null) {
                    assertEquals(twin.remove(gone), set.remove(gone.ledgerId, gone.entryId));
                }
            } else if (what < 997) {
                assertEquals(twin.contains(at), set.contains(at.ledgerId, at.entryId));
            } else if (what < 998) {
                var head = twin.headSet(at, true);
                assertEquals(head.size(), set.removeUpTo(at.ledgerId, at.entryId));
                head.clear();
            } else {
                List<At> taken = new ArrayList<>();
                set.takeBelow(at.ledgerId, at.entryId, 5, (l, e) -> taken.add(new At(l, e)));
                List<At> expected = twin.headSet(at, false).stream().limit(5).toList();
                assertEquals(expected, taken);
                taken.forEach(twin::remove);
            }
            assertEquals(twin.size(), set.size());
            if (step % 5_000 == 0) {
                set.validate();
                assertEquals(List.copyOf(twin), members(set));
            }
        }
        set.validate();
        assertEquals(List.copyOf(twin), members(set));
    }
}
