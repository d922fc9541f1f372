/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.index.PositionSink;
import java.util.BitSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The buckets of one subscription behind its lock. Every call takes the lock once, or once for each slice of positions. No call
 * is allowed under a lock that the dispatcher takes. A look publishes nothing and arms nothing, a change does both. Thread safe.
 */
final class GuardedIndex {

    private final IndexHost host;
    private final BucketIndex index;
    private final int slice;

    /**
     * An index and its lock.
     *
     * @param slice the most positions that are looked at or changed each time the lock is taken
     */
    GuardedIndex(IndexHost host, BucketIndex index, int slice) {
        this.host = host;
        this.index = index;
        this.slice = slice;
    }

    /** A step for the positions from one index to before another, under the lock. */
    @FunctionalInterface
    interface Slice {
        void visit(BucketIndex index, int from, int to);
    }

    /** A short look. */
    <T> T read(Function<BucketIndex, T> look) {
        return host.read(() -> look.apply(index));
    }

    /** A short change. */
    void change(Consumer<BucketIndex> change) {
        host.change(sink -> {
            change.accept(index);
            return null;
        });
    }

    /** A short change with an answer. */
    <T> T changeAndGet(Function<BucketIndex, T> change) {
        return host.change(sink -> change.apply(index));
    }

    /** A short change after which other positions may be in the index: the sink is to be told the first and the last of them. */
    void changeAndInclude(BiConsumer<BucketIndex, PositionSink> change) {
        host.change(included -> {
            change.accept(index, included);
            return null;
        });
    }

    /** A change of a number of positions, slice by slice. */
    void changeInSlices(int count, Slice change) {
        for (int from = 0; from < count; from += slice) {
            int begin = from;
            change(known -> change.visit(known, begin, Math.min(count, begin + slice)));
        }
    }

    /** Repeats a change of at most a slice while it answers that there is more; false if it never did. */
    boolean changeWhileMore(SliceOfAny change) {
        boolean any = false;
        while (changeAndGet(known -> change.goesOn(known, slice))) {
            any = true;
        }
        return any;
    }

    /** A change of at most a slice of positions. */
    @FunctionalInterface
    interface SliceOfAny {
        boolean goesOn(BucketIndex index, int positions);
    }

    /** A look at a number of positions, slice by slice. */
    void readInSlices(int count, Slice look) {
        for (int from = 0; from < count; from += slice) {
            int begin = from;
            read(known -> {
                look.visit(known, begin, Math.min(count, begin + slice));
                return null;
            });
        }
    }

    /** The positions that pass a test made under the lock. */
    BitSet chosen(SegmentColumns columns, Test test) {
        BitSet chosen = new BitSet(columns.count());
        readInSlices(columns.count(), (known, from, to) -> test.choose(known, from, to, chosen));
        return chosen;
    }

    /** A test of the positions from one index to before another. Sets the bits of those that pass and answers their number. */
    @FunctionalInterface
    interface Test {
        int choose(BucketIndex index, int from, int to, BitSet into);
    }
}
