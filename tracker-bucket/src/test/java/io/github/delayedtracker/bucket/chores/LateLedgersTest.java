/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static io.github.delayedtracker.bucket.chores.ServiceRig.CURSOR;
import static io.github.delayedtracker.bucket.chores.ServiceRig.LEDGER;
import static io.github.delayedtracker.bucket.chores.ServiceRig.PAUSE_MILLIS;
import static io.github.delayedtracker.bucket.chores.ServiceRig.SEAL;
import static io.github.delayedtracker.bucket.chores.ServiceRig.SETTINGS;
import static io.github.delayedtracker.bucket.chores.ServiceRig.TOPIC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.ServiceRig.Subscription;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** S8: recorded ledgers that storage does not give, for minutes or for ever, while others of the same record are there. */
class LateLedgersTest {

    private static final int SEALS = 7;

    private final ServiceRig rig = new ServiceRig();

    private static Fault away() {
        return Fault.failBefore(Kind.UNAVAILABLE);
    }

    /** A subscription with some buckets, of which some, from the oldest on, cannot be read when it is loaded again. */
    private Subscription reloadedWithout(int late, Supplier<Fault> fault) {
        Subscription before = rig.open();
        for (int i = 0; i < SEALS; i++) {
            before.addFar(SEAL);
            rig.run(1_000);
        }
        assertEquals(4, before.figure("buckets"), "four were merged into one");
        rig.run(SETTINGS.holdMillis());
        assertEquals(4, rig.storage.world().ledgersOf(TOPIC, CURSOR).size());
        List<Long> ledgers = rig.storage.world().ledgersOf(TOPIC, CURSOR).stream().sorted().limit(late).toList();
        return rig.reload(before, () -> ledgers.forEach(ledgerId -> rig.storage.onLedger(ledgerId, fault.get())));
    }

    /** A deletion is given up after half a minute; a seal that waits for one waits no longer. */
    @Test
    void ledgersWhoseDeletionNeverAnswersHoldUpNoSeal() {
        Subscription one = reloadedWithout(0, LateLedgersTest::away);
        rig.storage.onEvery(Operation.DELETE, "*", Fault.hangBefore());
        for (int i = 0; i < 60; i++) {
            one.addFar(SEAL);
            rig.run(40_000);
            assertEquals(i + 1, one.figure("seals_total"), "after seal " + i);
        }
        assertTrue(one.figure("merges_total") >= 15, () -> one.buckets.samples().toString());
        long tried = rig.storage.counts().faults(Operation.DELETE);
        assertTrue(tried > 0 && tried <= 80, () -> tried + " tries in forty minutes");
        rig.storage.heal();
        rig.run(20 * PAUSE_MILLIS + SETTINGS.holdMillis());
        assertEquals(one.figure("buckets"), rig.storage.world().ledgersOf(TOPIC, CURSOR).size(), "all is deleted in the end");
    }

    /** The rest after a pass is not by the clock that can be set. */
    @Test
    void aClockThatIsSetBackKeepsNoLedgerThatIsToBeDeleted() {
        Subscription one = reloadedWithout(0, LateLedgersTest::away);
        rig.storage.onEvery(Operation.DELETE, "*", Fault.failBefore(Kind.UNAVAILABLE));
        addSeals(one, 8);
        rig.run(SETTINGS.holdMillis() + PAUSE_MILLIS);
        assertTrue(rig.storage.counts().faults(Operation.DELETE) > 0, "it was tried");
        rig.storage.heal();
        rig.wallOffsetMillis -= 6 * 3_600_000;
        for (int i = 0; i < 20; i++) {
            one.buckets.sweep();
            rig.run(PAUSE_MILLIS);
        }
        assertEquals(one.figure("buckets"), rig.storage.world().ledgersOf(TOPIC, CURSOR).size());
    }

    private void addSeals(Subscription one, int seals) {
        for (int i = 0; i < seals; i++) {
            one.addFar(SEAL);
            rig.run(10_000);
        }
    }

    @Test
    void s8_oneLateLedgerKeepsNoOtherFromBeingMerged() {
        Subscription one = reloadedWithout(1, LateLedgersTest::away);
        addSeals(one, 60);
        rig.run(PAUSE_MILLIS);
        assertEquals(1, one.figure("late_buckets"));
        assertEquals(1, one.figure("recovering"));
        assertTrue(one.figure("merges_total") >= 15, () -> one.buckets.samples().toString());
        assertTrue(one.figure("buckets") <= 10, () -> one.buckets.samples().toString());
    }

    @Test
    void s8_ledgersThatNeverAnswerKeepNoOtherFromBeingRecoveredOrMerged() {
        Subscription one = reloadedWithout(3, Fault::hangBefore);
        rig.run(PAUSE_MILLIS);
        assertEquals(1, one.figure("buckets"), "the one of four lanes that is left has brought it back");
        addSeals(one, 60);
        assertTrue(one.figure("merges_total") >= 15, () -> one.buckets.samples().toString());
    }

    @Test
    void s8_whatIsAwayForSecondsIsBackWithinSeconds() {
        Subscription one = reloadedWithout(1, LateLedgersTest::away);
        rig.run(10_000);
        assertEquals(1, one.figure("late_buckets"));
        rig.storage.heal();
        rig.run(15_000);
        assertEquals(0, one.figure("recovering") + one.figure("late_buckets"));
    }

    @Test
    void s8_whatIsLateIsTriedSeldomAndComesBackWhenItIsThereAgain() {
        Subscription one = reloadedWithout(1, LateLedgersTest::away);
        rig.run(60 * PAUSE_MILLIS);
        long opened = rig.storage.counts().of(Operation.OWNER_OF, Fault.Kind.FAIL_BEFORE);
        assertTrue(opened <= 3 * 26, () -> opened + " tries in an hour");
        assertEquals(1, one.figure("late_buckets"));
        rig.storage.heal();
        rig.run(5 * PAUSE_MILLIS);
        assertEquals(0, one.figure("recovering") + one.figure("late_buckets"));
        assertEquals((long) SEALS * SEAL, one.figure("sleeping_positions"));
    }

    @Test
    void s8_whatIsLateWhileTheTopicIsReadIsGivenUpSoThatNothingGrowsForEver() {
        Subscription one = reloadedWithout(1, LateLedgersTest::away);
        long ledgers = rig.storage.world().ledgersOf(TOPIC, CURSOR).size();
        assertFalse(one.buckets.index().contains(LEDGER, 5));
        one.add(ServiceRig.FAR_MILLIS, 5);
        rig.run(20 * PAUSE_MILLIS);
        assertEquals(0, one.figure("recovering") + one.figure("late_buckets"));
        assertEquals(1, one.figure("lost_buckets_total"));
        assertTrue(one.buckets.index().contains(LEDGER, 5), "as the read has brought it");
        rig.storage.heal();
        rig.run(SETTINGS.holdMillis() + 5 * PAUSE_MILLIS);
        assertEquals(ledgers - 1, rig.storage.world().ledgersOf(TOPIC, CURSOR).size(), "it is deleted");
    }

    @Test
    void s8_clearingEndsWaitingForWhatIsLate() {
        Subscription one = reloadedWithout(2, LateLedgersTest::away);
        rig.run(2 * PAUSE_MILLIS);
        one.buckets.index().clear();
        CompletableFuture<Void> cleared = one.buckets.clear();
        rig.run(10 * PAUSE_MILLIS);
        assertTrue(cleared.isDone());
        assertEquals(0, one.figure("recovering") + one.figure("late_buckets"));
        assertEquals(0, one.figure("lost_buckets_total"));
    }
}
