/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static io.github.delayedtracker.bucket.chores.ServiceRig.CURSOR;
import static io.github.delayedtracker.bucket.chores.ServiceRig.FAR_MILLIS;
import static io.github.delayedtracker.bucket.chores.ServiceRig.PAUSE_MILLIS;
import static io.github.delayedtracker.bucket.chores.ServiceRig.SEAL;
import static io.github.delayedtracker.bucket.chores.ServiceRig.TOPIC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.ServiceRig.Subscription;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** S1: heads and segments of the next version, which has changed nothing but its number. */
class NewerSnapshotTest {

    private static final int VERSION_OF_A_HEAD_AT = 4;
    private static final int VERSION_OF_A_SEGMENT_AT = 3;

    private final ServiceRig rig = new ServiceRig();

    private static byte[] head(byte[] bytes, int versions) {
        bytes[VERSION_OF_A_HEAD_AT] += (byte) versions;
        return bytesWith(bytes, Integer.BYTES, ByteOrder.BIG_ENDIAN);
    }

    private static byte[] segment(byte[] bytes, int versions) {
        bytes[VERSION_OF_A_SEGMENT_AT] += (byte) versions;
        return bytesWith(bytes, Long.BYTES, ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] bytesWith(byte[] bytes, int checksumBytes, ByteOrder order) {
        int end = bytes.length - checksumBytes;
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, end);
        ByteBuffer whole = ByteBuffer.wrap(bytes).order(order);
        if (checksumBytes == Integer.BYTES) {
            whole.putInt(end, (int) crc.getValue());
        } else {
            whole.putLong(end, crc.getValue());
        }
        return bytes;
    }

    private Subscription stored() {
        Subscription one = rig.open();
        for (int i = 0; i < 2; i++) {
            one.addFar(SEAL);
            rig.run(1_000);
        }
        assertEquals(2, one.figure("buckets"));
        return one;
    }

    private List<Long> ledgers() {
        return rig.storage.world().ledgersOf(TOPIC, CURSOR);
    }

    @Test
    void s1_aBucketWhoseHeadIsNewerStaysInTheRecordAndIsThereWhenTheNewerVersionIsBack() {
        Subscription before = stored();
        long ledgerId = ledgers().get(0);
        Subscription older = rig.reload(before, () -> rig.storage.world().rewriteEntry(ledgerId, 0, bytes -> head(bytes, 1)));
        older.addFar(6 * SEAL);
        rig.run(10 * PAUSE_MILLIS);
        assertEquals(1, older.figure("newer_buckets"));
        assertEquals(0, older.figure("lost_buckets_total") + older.figure("recovering"));
        assertEquals(7L * SEAL, older.figure("sleeping_positions"));
        assertTrue(ledgers().contains(ledgerId));
        Subscription newer = rig.reload(older, () -> rig.storage.world().rewriteEntry(ledgerId, 0, bytes -> head(bytes, -1)));
        assertEquals(8L * SEAL, newer.figure("sleeping_positions"));
        assertEquals(0, newer.figure("newer_buckets"));
    }

    @Test
    void s1_aBucketWhoseSegmentsAreNewerIsReadAgainWhenTheyAreDueAndItsLedgerStays() {
        Subscription before = stored();
        long ledgerId = ledgers().get(0);
        int entries = rig.storage.world().entriesOf(ledgerId);
        Subscription older = rig.reload(before, () -> {
            for (int entry = 1; entry < entries; entry++) {
                rig.storage.world().rewriteEntry(ledgerId, entry, bytes -> segment(bytes, 1));
            }
        });
        assertEquals(2L * SEAL, older.figure("sleeping_positions"), "the head is known");
        rig.run(FAR_MILLIS - rig.time.nowMillis() + PAUSE_MILLIS);
        older.buckets.sweep();
        rig.run(PAUSE_MILLIS);
        assertEquals(1, older.figure("newer_buckets"));
        assertTrue(ledgers().contains(ledgerId));
    }
}
