/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;
import java.util.Optional;

/**
 * Chooses the segments that are to be written anew as one: a new one with neighbours that are as small, so that each position
 * is written anew O(log n) times at most; one that takes a quarter more than it would anew, or of which an eighth is gone while
 * nothing changes, with small neighbours.
 */
final class RewritePlan {

    /** The budget of tidying without a change after which the list is idle, as a multiple of its size or of a full segment. */
    private static final int IDLE_FACTOR = 2;
    private static final long IDLE_SEGMENTS = 2;
    private static final long ALL_PACKED = Long.MIN_VALUE;
    /** The bits that are saved at least. */
    private static final int MIN_SAVED_BITS = 1 << 10;
    /** The bits that a segment may take, as a multiple of those it would take anew. */
    private static final double MOST_TIMES = 1.25;
    /**
     * The share of its positions with which a segment is left as it is, so that for each message that leaves 2.6 positions are
     * written anew at most, but for merges of small segments.
     */
    private static final double MOST_LEFT = 0.72;
    /** The bits of an id at least where some are gone in between. */
    private static final double LEAST_ID_BITS = 2;
    private static final double LOG_OF_2 = Math.log(2);

    static final int OBJECT_BYTES = Footprint.object(2 * Long.BYTES + 2 * Integer.BYTES + 1 + Footprint.REFERENCE);

    private final SegmentOrder segments;
    private final int capacity;
    /** The index of the segment that was looked at last. */
    private int tidied;
    private long sizeBefore;
    /** The budget allowed for tidying since the size last changed, or {@link #ALL_PACKED}. */
    private long spent;
    /** Whether some segment may be new. */
    boolean hasNew;

    RewritePlan(SegmentOrder segments, int capacity) {
        this.segments = segments;
        this.capacity = capacity;
    }

    /** A new segment and its neighbours, if there is one with neighbours as small. Linear in the segments while there are. */
    Optional<SegmentRange> aroundNew() {
        for (int at = 0; hasNew && at < segments.count(); at++) {
            if (segments.get(at).isNew) {
                segments.get(at).isNew = false;
                Optional<SegmentRange> range = around(at);
                if (range.isPresent()) {
                    return range;
                }
            }
        }
        hasNew = false;
        return Optional.empty();
    }

    private Optional<SegmentRange> around(int at) {
        Segment segment = segments.get(at);
        SegmentRange range = new SegmentRange(at, segment);
        while (range.from() > 0 && isAsSmall(segments.get(range.from() - 1), range)) {
            range.includeBefore(segments.get(range.from() - 1));
        }
        while (range.to() + 1 < segments.count() && isAsSmall(segments.get(range.to() + 1), range)) {
            range.includeAfter(segments.get(range.to() + 1));
        }
        return range.from() < range.to() ? Optional.of(range) : Optional.empty();
    }

    /** One of which most is gone, of those that are counted as such; visits some at most. */
    Optional<SegmentRange> thin(int budget) {
        for (int visited = 0; visited <= budget; visited++) {
            tidied = tidied + 1 < segments.count() ? tidied + 1 : 0;
            if (segments.get(tidied).counted) {
                return Optional.of(withSmallNeighbours(tidied));
            }
        }
        return Optional.empty();
    }

    /** One of which an eighth is gone, after as many calls without a change in between that the list is idle. */
    Optional<SegmentRange> loose(int budget, long size) {
        if (size != sizeBefore) {
            spent = 0;
            sizeBefore = size;
        }
        if (spent == ALL_PACKED) {
            return Optional.empty();
        }
        spent += Math.min(budget, size);
        if (spent < Math.min(IDLE_FACTOR * size, IDLE_SEGMENTS * capacity)) {
            return Optional.empty();
        }
        for (int visited = 0; visited <= segments.count(); visited++) {
            tidied = tidied + 1 < segments.count() ? tidied + 1 : 0;
            if (segments.count() > 0 && isLoose(segments.get(tidied))) {
                return Optional.of(withSmallNeighbours(tidied));
            }
        }
        spent = ALL_PACKED;
        return Optional.empty();
    }

    /**
     * Whether a segment is worth to be written anew: if most of what lies ahead in its due stream is gone, or seven eighths of
     * it all, but not from the front; or if enough is gone, and ids, marks and the times of what has left take a quarter more
     * than ids and marks would anew.
     */
    static boolean isThin(Segment segment) {
        int size = segment.size();
        int ahead = segment.ahead();
        if (ahead - size > 32 + ahead / 2) {
            return true;
        }
        int positions = segment.positions();
        long markBits = segment.markBytes() << 3;
        if (size > MOST_LEFT * positions) {
            return false;
        }
        if (markBits > 0 && size <= positions >>> 3) {
            return true;
        }
        long directoryBits = segment.directoryBits();
        double bits = directoryBits + markBits + segment.aheadBits() * (1 - (double) size / ahead) - MIN_SAVED_BITS;
        double idBits = Math.max(LEAST_ID_BITS, (double) directoryBits / positions);
        double most = MOST_TIMES * size * (idBits + (segment.hasGone() ? 2 : 1));
        // The wider gaps between ids cost a logarithm, which is seldom asked for.
        return bits > most && bits > most + MOST_TIMES * size * Math.log((double) positions / size) / LOG_OF_2;
    }

    /** Whether an eighth of what lies ahead in the due stream of a segment is gone. */
    private static boolean isLoose(Segment segment) {
        return segment.ahead() - segment.size() > 32 + segment.size() / 8;
    }

    private SegmentRange withSmallNeighbours(int at) {
        SegmentRange range = new SegmentRange(at, segments.get(at));
        while (range.from() > 0 && fitsBeside(segments.get(range.from() - 1), range)) {
            range.includeBefore(segments.get(range.from() - 1));
        }
        while (range.to() + 1 < segments.count() && fitsBeside(segments.get(range.to() + 1), range)) {
            range.includeAfter(segments.get(range.to() + 1));
        }
        return range;
    }

    private boolean isAsSmall(Segment other, SegmentRange range) {
        return other.size() < 2 * range.size() && range.size() + other.size() <= capacity && range.reads(other) <= mostRead();
    }

    private boolean fitsBeside(Segment segment, SegmentRange range) {
        return segment.size() <= capacity / 4 && range.size() + segment.size() <= capacity / 2
                && range.reads(segment) <= mostRead();
    }

    /** The largest number of positions that are decoded for one segment, most of which may be gone. */
    private int mostRead() {
        return 4 * capacity;
    }
}
