/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.snapshot.SnapshotHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The entries of a snapshot's ledger: the head, in one entry or, where it is larger than an entry may be, in several; then each
 * of the segments that it lists.
 *
 * <p>Every buffer is allocated once, at its exact size; the parts of a long head are slices of one.
 */
public final class SnapshotEntries {

    private final SnapshotHead.Encoding head;
    private final List<SegmentEntry> segments;
    private final int maxEntryBytes;
    private final int headEntries;

    /**
     * Checks that everything fits.
     *
     * @param maxEntryBytes the largest entry the storage takes
     */
    public SnapshotEntries(SnapshotHead head, int maxEntryBytes) {
        this.head = head.encoding();
        this.segments = head.segments();
        this.maxEntryBytes = maxEntryBytes;
        this.headEntries = headEntries(this.head.bytes(), maxEntryBytes);
        for (SegmentEntry segment : segments) {
            if (segment.bytes() > maxEntryBytes) {
                throw new IllegalArgumentException("an entry holds at most " + maxEntryBytes + " bytes, a segment has "
                        + segment.bytes());
            }
        }
    }

    /** The number of entries that a head takes. */
    public static int headEntries(int headBytes, int maxEntryBytes) {
        return (headBytes - 1) / maxEntryBytes + 1;
    }

    /** Bytes of all entries. */
    public long bytes() {
        return head.bytes() + segments.stream().mapToLong(SegmentEntry::bytes).sum();
    }

    /** The entries of the head. Their writer releases them. */
    public List<ByteBuf> head(ByteBufAllocator allocator) {
        List<ByteBuf> parts = new ArrayList<>(headEntries);
        ByteBuf whole = filled(allocator, head.bytes(), head::writeTo);
        if (headEntries == 1) {
            parts.add(whole);
            return parts;
        }
        boolean cut = false;
        try {
            for (int from = 0; from < head.bytes(); from += maxEntryBytes) {
                parts.add(whole.retainedSlice(from, Math.min(maxEntryBytes, head.bytes() - from)));
            }
            cut = true;
            return parts;
        } finally {
            whole.release();
            if (!cut) {
                parts.forEach(ByteBuf::release);
            }
        }
    }

    /** A buffer of an exact size, to be released by the caller; an exception while it is written leaves nothing allocated. */
    public static ByteBuf filled(ByteBufAllocator allocator, int bytes, Consumer<ByteBuffer> write) {
        ByteBuf buffer = allocator.buffer(bytes, bytes);
        boolean filled = false;
        try {
            write.accept(buffer.internalNioBuffer(0, bytes));
            buffer.writerIndex(bytes);
            filled = true;
            return buffer;
        } finally {
            if (!filled) {
                buffer.release();
            }
        }
    }
}
