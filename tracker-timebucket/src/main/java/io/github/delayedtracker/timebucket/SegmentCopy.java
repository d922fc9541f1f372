/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSink;

/**
 * What a segment contained at a moment, and the due stream from there on. It shares with the segment what does not change, so
 * another thread may read it. Immutable until {@link #dropGoneFrom}.
 */
final class SegmentCopy {

    private static final int OBJECT_BYTES = Footprint.object(Integer.BYTES + 4 * Footprint.REFERENCE);

    private final long[] words;
    private final PositionDirectory directory;
    /** At the head. */
    private final DueCursor cursor;
    /** One bit for each rank. */
    private final long[] contained;
    private int size;

    /** Takes over all but the words and the directory. */
    SegmentCopy(long[] words, PositionDirectory directory, DueCursor cursor, long[] contained, int size) {
        this.words = words;
        this.directory = directory;
        this.cursor = cursor;
        this.contained = contained;
        this.size = size;
    }

    /** The number of positions that were contained, and were not dropped. */
    int size() {
        return size;
    }

    /** Appends the positions to the scratch, in ascending order. Linear in the due stream. */
    void copyTo(Scratch scratch) {
        long[] dueByRank = scratch.ascending;
        dueByRank[cursor.rank()] = cursor.dueMillis();
        DueCursor rest = new DueCursor(cursor);
        while (rest.left() > 0) {
            rest.next(words, directory);
            dueByRank[rest.rank()] = rest.dueMillis();
        }
        for (int word = 0; word < contained.length; word++) {
            for (long bits = contained[word]; bits != 0; bits &= bits - 1) {
                int rank = word << 6 | Long.numberOfTrailingZeros(bits);
                directory.pass(words, rank, (ledgerId, entryId) -> scratch.append(ledgerId, entryId, dueByRank[rank]));
            }
        }
    }

    /** Drops positions that the segment, of which this is a copy, does not contain any more, and passes them on; some at most. */
    int dropGoneFrom(Segment segment, int most, PositionSink sink) {
        int dropped = 0;
        for (int word = 0; word < contained.length && dropped < most; word++) {
            long gone = contained[word] & ~segment.containedBits(word);
            for (; gone != 0 && dropped < most; gone &= gone - 1) {
                contained[word] &= ~Long.lowestOneBit(gone);
                directory.pass(words, word << 6 | Long.numberOfTrailingZeros(gone), sink);
                dropped++;
            }
        }
        size -= dropped;
        return dropped;
    }

    /** The bytes that are not the segment's. */
    long retainedBytes() {
        return OBJECT_BYTES + cursor.ownBytes() + cursor.markBytes() + Footprint.array(contained.length, Long.BYTES);
    }
}
