/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;

/** The place in a due stream with times on a {@link DueLine}: where on the line, and past how many of its exceptions. */
final class LineCursor {

    static final int OBJECT_BYTES = Footprint.object(2 * Long.BYTES + 2 * Integer.BYTES + 1 + Footprint.REFERENCE);

    private final LineExceptions exceptions;
    private int passed;
    /** The next position on the line where {@code isAhead}, else the last one. */
    private int rank = -1;
    private long offset;
    private long dueMillis;
    private boolean isAhead;

    /** A place before the first position of a segment. */
    LineCursor(SegmentFormat header, LineExceptions exceptions) {
        this.exceptions = exceptions;
        dueMillis = header.firstDueMillis();
    }

    LineCursor(LineCursor other) {
        exceptions = other.exceptions;
        passed = other.passed;
        rank = other.rank;
        offset = other.offset;
        dueMillis = other.dueMillis;
        isAhead = other.isAhead;
    }

    /** Moves the stream to its next position; there must be one left. */
    void next(DueCursor stream, long[] words, PositionDirectory directory) {
        int exceptionsLeft = exceptions.count() - passed;
        if (!isAhead && stream.left() >= exceptionsLeft) {
            isAhead = true;
            readAhead(stream, words, directory);
        }
        if (exceptionsLeft > 0 && (!isAhead || exceptions.isBefore(passed, dueMillis, rank))) {
            stream.moveTo(exceptions.rank(passed), exceptions.dueMillis(passed));
            passed++;
        } else {
            stream.moveTo(rank, dueMillis);
            isAhead = false;
        }
    }

    private void readAhead(DueCursor stream, long[] words, PositionDirectory directory) {
        do {
            rank++;
        } while (exceptions.has(rank));
        long before = offset;
        offset = directory.offset(words, rank);
        dueMillis += stream.millisAfter(words, offset - before);
    }

    /** The bytes of what copies share. */
    long sharedBytes() {
        return exceptions.retainedBytes();
    }
}
