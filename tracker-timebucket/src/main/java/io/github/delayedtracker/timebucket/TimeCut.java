/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import java.util.ArrayList;
import java.util.List;

/**
 * The cut of positions by time into sealed segments, so that each can be loaded when its time comes. Linear; allocates two
 * numbers a position beside the segments.
 */
public final class TimeCut {

    private TimeCut() {
    }

    /**
     * Cuts the first {@code count} positions of some columns.
     *
     * @param ledgerIds with {@code entryIds} strictly ascending
     * @param dueMillis the due time of each position
     * @param rule the rule where each segment ends
     * @return the segments in the order of their times
     */
    public static List<SealedSegment> cut(int count, long[] ledgerIds, long[] entryIds, long[] dueMillis, CutRule rule) {
        int[] ends = new int[count];
        int[] bySegment = new int[count];
        int segments = assign(count, ledgerIds, entryIds, dueMillis, rule, bySegment, ends);
        List<SealedSegment> sealed = new ArrayList<>(segments);
        for (int segment = 0; segment < segments; segment++) {
            int from = segment == 0 ? 0 : ends[segment - 1];
            Scratch scratch = Scratch.borrow(ends[segment] - from);
            for (int i = from; i < ends[segment]; i++) {
                int at = bySegment[i];
                scratch.append(ledgerIds[at], entryIds[at], dueMillis[at]);
            }
            sealed.add(SealedSegment.of(scratch));
            Scratch.giveBack(scratch);
        }
        return sealed;
    }

    /** Puts the indexes of the positions into the order of (segment, position); answers the number of segments. */
    private static int assign(int count, long[] ledgerIds, long[] entryIds, long[] dueMillis, CutRule rule, int[] bySegment,
            int[] ends) {
        Scratch all = Scratch.borrow(count);
        for (int i = 0; i < count; i++) {
            all.append(ledgerIds[i], entryIds[i], dueMillis[i]);
        }
        if (count > 0) {
            all.sortByTime();
        }
        int[] segmentOf = new int[count];
        int segments = 0;
        int begin = 0;
        for (int i = 0; i < count; i++) {
            int at = all.order[i];
            if (i == 0 || rule.endsBefore(i - begin, dueMillis[at] - dueMillis[all.order[begin]])) {
                begin = i;
                segments++;
            }
            segmentOf[at] = segments - 1;
            ends[segments - 1] = i + 1;
        }
        Scratch.giveBack(all);
        int[] next = new int[segments];
        for (int segment = 1; segment < segments; segment++) {
            next[segment] = ends[segment - 1];
        }
        for (int i = 0; i < count; i++) {
            bySegment[next[segmentOf[i]]++] = i;
        }
        return segments;
    }
}
