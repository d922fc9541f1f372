/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/** A range of segments, neighbours in the order of positions, that are to become one segment. */
final class SegmentRange {

    private int from;
    private int to;
    private int size;
    private int read;
    private int largest;

    /** A range of one segment, by its index. */
    SegmentRange(int at, Segment segment) {
        from = at;
        to = at;
        include(segment);
    }

    void includeBefore(Segment segment) {
        from--;
        include(segment);
    }

    void includeAfter(Segment segment) {
        to++;
        include(segment);
    }

    int from() {
        return from;
    }

    /** The index of the last segment. */
    int to() {
        return to;
    }

    /** The number of positions that the segments contain. */
    int size() {
        return size;
    }

    /** The number of positions that the largest segment was made of. */
    int largest() {
        return largest;
    }

    /** The number of positions that are decoded if a segment comes in as well. */
    int reads(Segment segment) {
        return read + segment.positions();
    }

    private void include(Segment segment) {
        size += segment.size();
        read += segment.positions();
        largest = Math.max(largest, segment.positions());
    }
}
