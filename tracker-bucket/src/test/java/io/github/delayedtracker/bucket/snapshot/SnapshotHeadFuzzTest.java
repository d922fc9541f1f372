/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.snapshot.SnapshotHead.NewerSnapshotException;
import io.github.delayedtracker.fuzz.FuzzTarget;
import io.github.delayedtracker.index.PositionSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** Any bytes are the head of a snapshot that can be written again, or are refused with one of the two exceptions for it. */
class SnapshotHeadFuzzTest extends FuzzTarget {

    /** A ledger that has room for two long segments, so that a head of few bytes can be right about many positions. */
    private static final long LEDGER_BYTES = 2_000;
    private static final int FIXED_BYTES = 9;

    @Override
    protected List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        for (int step : new int[] {1, 2, 3, 50}) {
            PositionSet set = new PositionSet();
            for (int i = 0; i < 120; i++) {
                set.add(7 + i / 50, 100L + (long) i * step);
            }
            List<SegmentEntry> segments =
                    List.of(new SegmentEntry(1_000, 1_999, 70, 400), new SegmentEntry(2_000, 9_999, 50, 88));
            seeds.add(encode(new SnapshotHead("public/default/persistent/t", "sub", 1_700_000_000_000L, segments, set)));
        }
        return seeds;
    }

    private static byte[] encode(SnapshotHead head) {
        SnapshotHead.Encoding encoding = head.encoding();
        ByteBuffer bytes = ByteBuffer.allocate(encoding.bytes());
        encoding.writeTo(bytes);
        return bytes.array();
    }

    @Override
    protected void read(byte[] bytes) throws Exception {
        readAsItIs(bytes);
        if (bytes.length >= FIXED_BYTES + Integer.BYTES) {
            // Most inputs die of the length or the checksum; with the right ones the rest of the decoder has to hold.
            ByteBuffer sealed = ByteBuffer.wrap(bytes.clone());
            sealed.put(0, seeds().get(0), 0, Integer.BYTES + 1).putInt(Integer.BYTES + 1, bytes.length);
            CRC32C crc = new CRC32C();
            crc.update(sealed.array(), 0, bytes.length - Integer.BYTES);
            sealed.putInt(bytes.length - Integer.BYTES, (int) crc.getValue());
            readAsItIs(sealed.array());
        }
    }

    private static void readAsItIs(byte[] bytes) throws Exception {
        SnapshotHead head;
        try {
            head = SnapshotHead.decode(ByteBuffer.wrap(bytes), LEDGER_BYTES);
        } catch (CorruptSnapshotException | NewerSnapshotException e) {
            assertTrue(e.getMessage() != null && !e.getMessage().isBlank());
            return;
        }
        byte[] again = encode(head);
        SnapshotHead second = SnapshotHead.decode(ByteBuffer.wrap(again), LEDGER_BYTES);
        assertEquals(head.segments(), second.segments());
        assertEquals(head.positions().size(), second.positions().size());
        assertArrayEquals(again, encode(second), "what is read can be written");
    }
}
