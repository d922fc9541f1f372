/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S6: a clear of the backlog stops seals until messages come again, and no longer. */
class SealedAfterClearTest {

    private static final long SOON_MILLIS = 600_000;
    private static final int TAKEN = 3 * ServiceRig.SEAL / 2;

    private final ServiceRig rig = new ServiceRig();
    private final ServiceRig.Subscription one = rig.open();

    @Test
    @DisplayName("S6: a tail that was full once and that a clear has left in part is sealed when it grows")
    void aTailThatAClearLeavesInPartIsSealedWhenItGrows() {
        rig.storage.onEvery(Operation.CREATE, "*", Fault.failBefore(Kind.UNAVAILABLE));
        long dueMillis = rig.time.nowMillis() + SOON_MILLIS;
        for (int i = 0; i < 2 * ServiceRig.SEAL; i++) {
            one.add(dueMillis + i, one.nextEntry++);
            rig.run(i % ServiceRig.SEAL == 0 ? 1_000 : 0);
        }
        rig.run(dueMillis + TAKEN - rig.time.nowMillis());
        assertTrue(one.takeDue(rig.time.nowMillis()).size() >= TAKEN, "the tail was full, and is not any more");
        long cleared = one.nextEntry - 1;
        one.addFar(2);
        one.buckets.index().forgetUpTo(ServiceRig.LEDGER, cleared);
        var clear = one.buckets.clear();
        for (int i = 0; i < 6 * ServiceRig.SEAL; i++) {
            one.addFar(1);
            rig.run(100);
        }
        assertTrue(clear.isDone());
        assertEquals(0, one.figure("seals_total"), "the storage is away");
        rig.storage.heal();
        for (int i = 0; i < 5; i++) {
            one.addFar(ServiceRig.SEAL);
            rig.run(ServiceRig.PAUSE_MILLIS);
        }
        assertTrue(one.figure("seals_total") >= 10, () -> "seals " + one.figure("seals_total"));
    }

    @Test
    @DisplayName("S6: a clear whose deadline cannot be armed is not waited for, and is followed by seals")
    void aClearWithoutADeadlineIsFollowedBySeals() {
        one.addFar(ServiceRig.SEAL / 2);
        rig.run(1_000);
        rig.time.failNextArming();
        assertTrue(one.buckets.clear().isDone());
        rig.run(ServiceRig.PAUSE_MILLIS);
        for (int i = 0; i < 5; i++) {
            one.addFar(ServiceRig.SEAL);
            rig.run(ServiceRig.PAUSE_MILLIS);
        }
        assertTrue(one.figure("seals_total") >= 5, () -> "seals " + one.figure("seals_total"));
    }
}
