/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.index.Sealing.SealReason;
import io.github.delayedtracker.bucket.index.SegmentLoading.SegmentRef;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** An index with storage at hand, and whole steps to do with it. */
final class BucketScene {

    static final int SEAL = 20_000;
    static final int MAX_FROZEN = 2;
    static final int SEGMENT = 10;
    static final long SPAN_MILLIS = 300_000;

    final StoredSegments storage = new StoredSegments();
    final BucketIndex index = new BucketIndex(new TimeBucketIndexProvider()::newIndex, SEAL, MAX_FROZEN);

    /** Adds entries of a ledger, the first of them at a time, each later than the one before. */
    BucketScene add(long ledgerId, int from, int to, long dueMillis, long stepMillis) {
        for (int entry = from; entry < to; entry++) {
            index.add(dueMillis + (entry - from) * stepMillis, ledgerId, entry);
        }
        return this;
    }

    /** Freezes and writes the tail; it does not settle. */
    FrozenTail freeze() {
        return index.seals().freeze(SealReason.COUNT).orElseThrow();
    }

    long write(FrozenTail frozen) {
        BitSet live = new BitSet();
        index.seals().live(frozen, 0, Integer.MAX_VALUE, live);
        return storage.write(frozen.columns().selected(live), SEGMENT, SPAN_MILLIS);
    }

    /** Seals the tail; what is due by a time stays in memory. */
    long seal(long loadUntilMillis) {
        FrozenTail frozen = freeze();
        long ledgerId = write(frozen);
        index.seals().beginSettling(frozen, ledgerId, storage.entries(ledgerId));
        while (!index.seals().settle(frozen, loadUntilMillis, SEGMENT)) {
            index.validate();
        }
        index.validate();
        return ledgerId;
    }

    long seal() {
        return seal(-1);
    }

    /** Loads the segments that begin by a time. */
    int load(long untilMillis) {
        int loaded = 0;
        for (List<SegmentRef> refs = index.loads().begin(untilMillis); !refs.isEmpty(); refs = index.loads().begin(untilMillis)) {
            for (SegmentRef ref : refs) {
                SegmentColumns columns = storage.read(ref);
                index.loads().loaded(ref, columns, 0, columns.count());
                index.loads().end(ref);
            }
            loaded += refs.size();
        }
        index.validate();
        return loaded;
    }

    MergePlan beginMerge() {
        return index.merges().begin(new MergeTiers(SEAL)).orElseThrow();
    }

    /** What lives in the sources of a merge. */
    SegmentColumns read(MergePlan plan) {
        List<SegmentColumns> parts = new ArrayList<>();
        for (long source : plan.sources()) {
            SegmentColumns all = storage.readAll(source);
            BitSet live = new BitSet();
            index.merges().live(plan, source, all, 0, all.count(), live);
            parts.add(all.selected(live));
        }
        return SegmentColumns.joined(parts).ascending();
    }

    static PositionSet set(SegmentColumns columns) {
        PositionSet set = new PositionSet();
        for (int at = 0; at < columns.count(); at++) {
            set.add(columns.ledgerId(at), columns.entryId(at));
        }
        return set;
    }

    long commit(MergePlan plan, SegmentColumns all, PositionSet merged) {
        long ledgerId = storage.write(all, SEGMENT, SPAN_MILLIS);
        index.merges().commit(plan, ledgerId, storage.entries(ledgerId), merged);
        index.validate();
        return ledgerId;
    }

    /** Hands out what is due, and checks the index after each call. */
    List<String> take(long untilMillis, int limit) {
        List<String> taken = new ArrayList<>();
        index.takeDue(untilMillis, limit, (l, e) -> taken.add(l + ":" + e));
        index.validate();
        return taken;
    }

    List<String> takeAll(long untilMillis) {
        List<String> all = new ArrayList<>();
        while (index.nextDueMillis() <= untilMillis && index.size() > 0) {
            all.addAll(take(untilMillis, 1_000));
        }
        return all;
    }
}
