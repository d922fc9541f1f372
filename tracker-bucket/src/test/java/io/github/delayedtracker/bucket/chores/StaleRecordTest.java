/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.ServiceRig.Subscription;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A cursor whose version is stale refuses every update until its topic is loaded anew. */
class StaleRecordTest {

    private static final long DAY_MILLIS = 86_400_000;

    private final ServiceRig rig = new ServiceRig();

    private Subscription withAStaleRecord() {
        Subscription one = rig.open();
        one.addFar(ServiceRig.SEAL);
        rig.run(1_000);
        assertEquals(1, one.figure("seals_total"));
        // Somebody else's update, of which the cursor knows nothing.
        rig.setRecord(ServiceRig.CURSOR, one.record());
        one.addFar(ServiceRig.SEAL);
        return one;
    }

    @Test
    void aRecordThatMeetsConflictsAllDayIsWrittenEverMoreSeldom() {
        Subscription one = withAStaleRecord();
        rig.run(DAY_MILLIS);
        long tries = one.figure("record_failures_total");
        // Pauses of 60 s, less a quarter by the rig's jitter, doubled four times at most.
        long atTheLongest = DAY_MILLIS / (ServiceRig.PAUSE_MILLIS * 3 / 4 << Chores.MOST_DOUBLINGS);
        assertTrue(tries >= atTheLongest && tries <= atTheLongest + 10, tries + " tries in a day");
    }

    @Test
    void afterAReloadNothingIsLostAndTheRecordIsWrittenAtOnce() {
        Subscription one = withAStaleRecord();
        rig.run(DAY_MILLIS);
        Subscription again = rig.reload(one, () -> { });
        // The broker reads again what was never recorded.
        for (long entryId = ServiceRig.SEAL; entryId < 2 * ServiceRig.SEAL; entryId++) {
            again.add(ServiceRig.FAR_MILLIS + entryId * 7_919 % 1_000_003, entryId);
        }
        rig.run(1_000);
        assertEquals(0, again.figure("record_failures_total"));
        assertEquals(1, again.figure("seals_total"));
        rig.run(ServiceRig.FAR_MILLIS - rig.time.nowMillis());
        List<Long> all = LongStream.range(0, 2 * ServiceRig.SEAL).boxed().toList();
        assertEquals(all, again.takeDue(Long.MAX_VALUE).stream().sorted().toList());
    }
}
