/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.snapshot.SnapshotHead;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.timebucket.CutRule;
import io.github.delayedtracker.timebucket.SealedSegment;
import io.github.delayedtracker.timebucket.TimeCut;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SnapshotEntriesTest {

    private static final int COUNT = 20_000;
    private static final int ENTRY_BYTES = 1 << 20;

    private final PositionSet set = new PositionSet();
    private final List<SealedSegment> segments = new ArrayList<>();
    private final ByteBufAllocator allocator = new UnpooledByteBufAllocator(false);

    private SnapshotEntries entries(int maxEntryBytes) {
        Random random = new Random(1);
        long[] ledgerIds = new long[COUNT];
        long[] entryIds = new long[COUNT];
        long[] dueMillis = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            ledgerIds[i] = i / 100;
            entryIds[i] = (i == 0 || i % 100 == 0 ? 0 : entryIds[i - 1]) + 1 + random.nextInt(40);
            dueMillis[i] = 1_000_000L + random.nextInt(600_000);
            set.add(ledgerIds[i], entryIds[i]);
        }
        segments.addAll(TimeCut.cut(COUNT, ledgerIds, entryIds, dueMillis, CutRule.usual(5_000, 300_000)));
        List<SegmentEntry> table = segments.stream().map(each -> new SegmentEntry(each.firstDueMillis(), each.lastDueMillis(),
                each.positions(), each.bytes())).toList();
        return new SnapshotEntries(new SnapshotHead("t", "c", 1, table, set), maxEntryBytes);
    }

    private ByteBuf bytesOf(SealedSegment segment) {
        return SnapshotEntries.filled(allocator, segment.bytes(), segment::writeTo);
    }

    @Test
    void eachBufferHasExactlyTheSizeOfWhatIsInIt() {
        SnapshotEntries entries = entries(ENTRY_BYTES);
        long bytes = 0;
        List<ByteBuf> buffers = new ArrayList<>(entries.head(allocator));
        for (int i = 0; i < segments.size(); i++) {
            buffers.add(bytesOf(segments.get(i)));
        }
        assertEquals(1 + segments.size(), buffers.size());
        for (ByteBuf buffer : buffers) {
            assertEquals(buffer.readableBytes(), buffer.capacity());
            assertEquals(buffer.capacity(), buffer.maxCapacity());
            bytes += buffer.readableBytes();
            assertTrue(buffer.release());
        }
        assertEquals(entries.bytes(), bytes);
    }

    @Test
    void whatWasWrittenIsReadAgain() throws Exception {
        SnapshotEntries entries = entries(ENTRY_BYTES);
        ByteBuf head = entries.head(allocator).get(0);
        SnapshotHead read = SnapshotHead.decode(head.nioBuffer(), entries.bytes());
        assertEquals(COUNT, read.positions().size());
        for (int i = 0; i < segments.size(); i++) {
            ByteBuf segment = bytesOf(segments.get(i));
            SealedSegment sealed = SealedSegment.read(segment.nioBuffer());
            assertEquals(read.segments().get(i).positions(), sealed.positions());
            assertEquals(read.segments().get(i).bytes(), segment.readableBytes());
            sealed.forEach((due, ledgerId, entryId) -> assertTrue(read.positions().remove(ledgerId, entryId)));
            segment.release();
        }
        assertTrue(read.positions().isEmpty());
        head.release();
    }

    /** S-24: the head of a large sparse bucket is larger than an entry may be. */
    @Test
    void s24_aHeadLargerThanAnEntryIsSpreadOverSeveral() throws Exception {
        SnapshotEntries whole = entries(ENTRY_BYTES);
        ByteBuf headInOne = whole.head(allocator).get(0);
        int largestSegment = segments.stream().mapToInt(SealedSegment::bytes).max().orElseThrow();
        assertTrue(headInOne.readableBytes() > largestSegment, "the head is the largest entry here");
        SnapshotHead head = SnapshotHead.decode(headInOne.nioBuffer(), whole.bytes());
        SnapshotEntries spread = new SnapshotEntries(head, largestSegment);
        List<ByteBuf> parts = spread.head(allocator);
        assertEquals(SnapshotEntries.headEntries(headInOne.readableBytes(), largestSegment), parts.size());
        assertEquals(headInOne.readableBytes(), SnapshotHead.lengthOf(parts.get(0).nioBuffer()));
        assertEquals(headInOne, Unpooled.wrappedBuffer(parts.toArray(new ByteBuf[0])));
        parts.forEach(ByteBuf::release);
        assertEquals(0, parts.get(0).refCnt());
        headInOne.release();
    }

    @Test
    void aSegmentLargerThanAnEntryIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> entries(1_000));
    }
}
