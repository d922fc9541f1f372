/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A sealed segment as bytes: to be stored, and read back from bytes that may have been damaged. The bytes are those the
 * time-bucket index keeps in memory, or a shorter form in which no position can be looked up (docs/format.md). Immutable.
 */
public final class SealedSegment {

    /** A sink of the positions of a segment in the order of their times. */
    @FunctionalInterface
    public interface DueSink {

        /** Takes one position and its due time. */
        void accept(long dueMillis, long ledgerId, long entryId);
    }

    private final long[] words;

    private SealedSegment(long[] words) {
        this.words = words;
    }

    /** The segment of the positions in the scratch, which ascend, in the shorter of the forms that storage may have. */
    static SealedSegment of(Scratch scratch) {
        return new SealedSegment(SegmentEncoder.encodeShortest(scratch));
    }

    /**
     * Reads a segment that fills a buffer from its position to its limit. Costs one copy and a check of every position.
     *
     * @throws CorruptSegmentException naming the rule the bytes break; nothing is allocated beyond their length then
     */
    public static SealedSegment read(ByteBuffer from) throws CorruptSegmentException {
        return new SealedSegment(SegmentFormat.decode(from));
    }

    /** The number of bytes that {@link #writeTo} writes. */
    public int bytes() {
        return words.length * Long.BYTES;
    }

    /** Writes the segment at the buffer's position, in one pass. */
    public void writeTo(ByteBuffer to) {
        ByteBuffer littleEndian = to.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        littleEndian.asLongBuffer().put(words);
        to.position(to.position() + bytes());
    }

    /** The number of positions in it. */
    public int positions() {
        return SegmentFormat.of(words).positions();
    }

    /** The earliest due time in it. */
    public long firstDueMillis() {
        return SegmentFormat.of(words).firstDueMillis();
    }

    /** The latest due time in it. */
    public long lastDueMillis() {
        return SegmentFormat.of(words).lastDueMillis();
    }

    /** Passes on all positions in (time, ledger, entry) order. Linear. */
    public void forEach(DueSink sink) {
        SegmentFormat header = SegmentFormat.of(words);
        PositionDirectory directory = new PositionDirectory(header);
        DueCursor cursor = new DueCursor(header, words);
        while (cursor.left() > 0) {
            cursor.next(words, directory);
            long offset = cursor.offset(words, directory);
            int ledger = directory.ledger(words, offset);
            sink.accept(cursor.dueMillis(), directory.ledgerId(words, ledger, offset), directory.entryId(words, ledger, offset));
        }
    }
}
