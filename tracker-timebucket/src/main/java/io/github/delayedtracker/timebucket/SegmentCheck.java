/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import java.util.Arrays;

/** A check of a segment from elsewhere: it is read once from end to end, so that nothing in it can lead astray later. Linear. */
final class SegmentCheck {

    /** Words that the reading of one position may run ahead. */
    private static final int MARGIN = 16;

    private SegmentCheck() {
    }

    /** Checks a segment whose header and sizes are known to be right. */
    static void check(long[] words) throws CorruptSegmentException {
        SegmentFormat header = SegmentFormat.of(words);
        PositionDirectory directory = new PositionDirectory(header);
        SegmentFormat.check(directory.isValid(words), "positions ascend", header.positions());
        long end = header.endBit();
        long[] padded = Arrays.copyOf(words, words.length + MARGIN);
        int[] ranks = new int[header.positions()];
        LineExceptions.read(header, padded).check(header);
        DueCursor cursor = new DueCursor(header, padded);
        long beforeMillis = header.firstDueMillis();
        int rank = -1;
        boolean first = true;
        while (cursor.left() > 0) {
            cursor.next(padded, directory);
            SegmentFormat.check(cursor.bit() <= end, "the due stream ends before the checksum", cursor.bit());
            SegmentFormat.check(cursor.rank() >= 0 && cursor.rank() < header.ranks(), "a rank is below the number of ranks",
                    cursor.rank());
            ranks[header.positions() - cursor.left() - 1] = cursor.rank();
            SegmentFormat.check(!first || cursor.dueMillis() == beforeMillis, "the first due time is that of the header",
                    cursor.dueMillis());
            first = false;
            boolean ascends = cursor.dueMillis() > beforeMillis || cursor.dueMillis() == beforeMillis && cursor.rank() > rank;
            SegmentFormat.check(ascends, "due times and ranks ascend", cursor.dueMillis());
            beforeMillis = cursor.dueMillis();
            rank = cursor.rank();
        }
        Arrays.sort(ranks);
        for (int i = 1; i < ranks.length; i++) {
            SegmentFormat.check(ranks[i] != ranks[i - 1], "each rank comes once", ranks[i]);
        }
        SegmentFormat.check(beforeMillis == header.lastDueMillis(), "the last due time is " + header.lastDueMillis(),
                beforeMillis);
        SegmentFormat.check(cursor.bit() > end - Long.SIZE, "no word is left over", end - cursor.bit());
    }
}
