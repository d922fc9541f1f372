/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket;

import io.github.delayedtracker.bucket.snapshot.SnapshotHead;
import io.github.delayedtracker.timebucket.SealedSegment;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * The entries of a snapshot's ledger: the head, in one entry or, where it is larger than an entry may be, in several; then the
 * segments in the order of their times.
 *
 * <p>Every buffer is allocated once, at its exact size; the parts of a long head are slices of one.
 */
public final class SnapshotEntries {

    private final SnapshotHead.Encoding head;
    private final List<SealedSegment> segments;
    private final int maxEntryBytes;
    private final int headEntries;

    /**
     * Checks that everything fits.
     *
     * @param maxEntryBytes the largest entry the storage takes
     */
    public SnapshotEntries(SnapshotHead head, List<SealedSegment> segments, int maxEntryBytes) {
        this.head = head.encoding();
        this.segments = List.copyOf(segments);
        this.maxEntryBytes = maxEntryBytes;
        this.headEntries = headEntries(this.head.bytes(), maxEntryBytes);
        for (SealedSegment segment : segments) {
            if (segment.bytes() > maxEntryBytes) {
                throw new IllegalArgumentException("an entry holds at most " + maxEntryBytes + " bytes, a segment has "
                        + segment.bytes());
            }
        }
    }

    /** In how many entries a head of some bytes stands. */
    public static int headEntries(int headBytes, int maxEntryBytes) {
        return (headBytes - 1) / maxEntryBytes + 1;
    }

    /** How many entries the ledger gets. */
    public int count() {
        return headEntries + segments.size();
    }

    /** Bytes of all entries. */
    public long bytes() {
        return head.bytes() + segments.stream().mapToLong(SealedSegment::bytes).sum();
    }

    /** The entries of the head, to be released by whoever writes them. */
    public List<ByteBuf> head(ByteBufAllocator allocator) {
        ByteBuf whole = allocator.buffer(head.bytes(), head.bytes());
        head.writeTo(whole.internalNioBuffer(0, head.bytes()));
        whole.writerIndex(head.bytes());
        if (headEntries == 1) {
            return List.of(whole);
        }
        List<ByteBuf> parts = new ArrayList<>(headEntries);
        for (int from = 0; from < head.bytes(); from += maxEntryBytes) {
            parts.add(whole.retainedSlice(from, Math.min(maxEntryBytes, head.bytes() - from)));
        }
        whole.release();
        return parts;
    }

    /** The entry of one segment, to be released by whoever writes it. */
    public ByteBuf segment(int number, ByteBufAllocator allocator) {
        SealedSegment segment = segments.get(number);
        ByteBuf entry = allocator.buffer(segment.bytes(), segment.bytes());
        segment.writeTo(entry.internalNioBuffer(0, segment.bytes()));
        return entry.writerIndex(segment.bytes());
    }
}
