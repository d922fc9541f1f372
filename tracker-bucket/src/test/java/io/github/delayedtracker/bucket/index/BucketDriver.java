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
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;

/**
 * Seals, settles, loads, merges and deletes in random small steps, each of which a random call of the index may follow; some
 * seals, loads and merges are given up half-way.
 */
final class BucketDriver {

    private static final int SLICE = 40;
    private static final long SPAN_MILLIS = 300_000;

    /** A load under way. */
    private static final class Load {
        private final SegmentRef ref;
        private final SegmentColumns columns;
        private int next;

        private Load(SegmentRef ref, SegmentColumns columns) {
            this.ref = ref;
            this.columns = columns;
        }
    }

    private final BucketIndex index;
    private final Random random;
    private final StoredSegments storage = new StoredSegments();
    private final MergeTiers tiers;
    private final int segmentPositions;
    private final int leastSeal;
    private final List<Load> loads = new ArrayList<>();

    private FrozenTail seal;
    private BitSet sealLive;
    private boolean settling;

    private MergePlan merge;
    private final List<SegmentColumns> mergeRead = new ArrayList<>();
    private int mergeSource;
    private int mergeNext;
    private BitSet mergeLive;

    /**
     * Drives an index.
     *
     * @param leastSeal the fewest positions that are sealed
     * @param segmentPositions positions of a segment at most
     */
    BucketDriver(BucketIndex index, Random random, int leastSeal, int segmentPositions) {
        this.index = index;
        this.random = random;
        this.leastSeal = leastSeal;
        this.segmentPositions = segmentPositions;
        this.tiers = new MergeTiers(Math.max(leastSeal, 1));
    }

    StoredSegments storage() {
        return storage;
    }

    /** Does something somewhere. */
    void step(long nowMillis) {
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> stepSeal(nowMillis, random.nextInt(20) == 0);
            case 3, 4 -> stepMerge(random.nextInt(30) == 0);
            case 5 -> beginLoads(nowMillis + random.nextInt(20_000));
            case 6 -> stepLoads();
            case 7 -> index.memoryUse().unloadLatest(nowMillis + random.nextInt(10_000));
            default -> deleteExhausted();
        }
    }

    private void stepSeal(long nowMillis, boolean giveUp) {
        if (seal == null) {
            if (index.seals().tailPositions() >= leastSeal) {
                seal = index.seals().freeze(SealReason.COUNT).or(index.seals()::sealAgain).orElse(null);
            } else {
                seal = index.seals().sealAgain().orElse(null);
            }
            sealLive = new BitSet();
            settling = false;
        } else if (settling) {
            if (index.seals().settle(seal, nowMillis + random.nextInt(30_000), 1 + random.nextInt(SLICE))) {
                seal = null;
            }
        } else if (giveUp) {
            index.seals().giveUp(seal, "for a test");
            seal = null;
        } else if (random.nextBoolean()) {
            BitSet live = new BitSet();
            int count = seal.columns().count();
            int middle = count == 0 ? 0 : random.nextInt(count);
            index.seals().live(seal, 0, middle, live);
            index.seals().live(seal, middle, count, live);
            sealLive = live;
        } else if (!sealLive.isEmpty()) {
            long ledgerId = storage.write(seal.columns().selected(sealLive), segmentPositions, SPAN_MILLIS);
            index.seals().beginSettling(seal, ledgerId, storage.entries(ledgerId));
            settling = true;
        }
    }

    private void stepMerge(boolean giveUp) {
        if (merge == null) {
            merge = index.merges().begin(tiers).orElse(null);
            mergeRead.clear();
            mergeSource = 0;
            mergeNext = 0;
            mergeLive = new BitSet();
        } else if (giveUp) {
            index.merges().giveUp(merge, "for a test");
            merge = null;
        } else if (mergeSource < merge.sources().size()) {
            SegmentColumns all = storage.readAll(merge.sources().get(mergeSource));
            int end = Math.min(all.count(), mergeNext + 1 + random.nextInt(4 * segmentPositions));
            index.merges().live(merge, merge.sources().get(mergeSource), all, mergeNext, end, mergeLive);
            mergeNext = end;
            if (end == all.count()) {
                mergeRead.add(all.selected(mergeLive));
                mergeLive = new BitSet();
                mergeNext = 0;
                mergeSource++;
            }
        } else {
            commitMerge();
        }
    }

    private void commitMerge() {
        SegmentColumns all = SegmentColumns.joined(mergeRead).ascending();
        PositionSet merged = new PositionSet();
        for (int at = 0; at < all.count(); at++) {
            merged.add(all.ledgerId(at), all.entryId(at));
        }
        if (random.nextBoolean()) {
            index.merges().drain(merge, merged, 1 + random.nextInt(SLICE));
        }
        long ledgerId = storage.write(all, segmentPositions, SPAN_MILLIS);
        index.merges().commit(merge, ledgerId, storage.entries(ledgerId), merged);
        merge = null;
        if (index.losses().positions() > 0) {
            throw new AssertionError("a merge loses nothing, but " + index.losses().positions() + " positions are lost");
        }
    }

    private void beginLoads(long untilMillis) {
        for (SegmentRef ref : index.loads().begin(untilMillis)) {
            loads.add(new Load(ref, storage.read(ref)));
        }
    }

    private void stepLoads() {
        for (Iterator<Load> i = loads.iterator(); i.hasNext();) {
            Load load = i.next();
            if (random.nextInt(30) == 0) {
                index.loads().failed(load.ref);
                i.remove();
            } else if (stepLoad(load, 1 + random.nextInt(SLICE))) {
                i.remove();
            }
        }
    }

    private boolean stepLoad(Load load, int slice) {
        int end = (int) Math.min(load.columns.count(), (long) load.next + slice);
        index.loads().loaded(load.ref, load.columns, load.next, end);
        load.next = end;
        if (end == load.columns.count()) {
            index.loads().end(load.ref);
            return true;
        }
        return false;
    }

    private void deleteExhausted() {
        index.exhausted();
        for (long ledgerId : index.doomed()) {
            storage.delete(ledgerId);
            index.deleted(ledgerId);
        }
    }

    /** Has everything in memory that is due by then. */
    void load(long untilMillis) {
        endSettling();
        do {
            loads.removeIf(load -> stepLoad(load, Integer.MAX_VALUE));
            beginLoads(untilMillis);
        } while (!loads.isEmpty());
    }

    /** What has settled can be loaded only when all has. */
    private void endSettling() {
        while (settling && seal != null) {
            stepSeal(0, false);
        }
    }

    /** When the earliest position may be due that is not in memory. */
    long nextLoadMillis() {
        endSettling();
        long next = index.loads().nextMillis();
        for (Load load : loads) {
            next = Math.min(next, load.columns.dueMillis(0));
        }
        return next;
    }

    /** Ends what is under way and deletes what can be deleted. */
    void finish(long nowMillis) {
        for (int i = 0; seal != null || merge != null || !loads.isEmpty(); i++) {
            if (seal != null) {
                finishSeal(nowMillis);
            }
            if (merge != null) {
                stepMerge(false);
            }
            stepLoads();
            if (i == 1_000_000) {
                throw new AssertionError("what is under way does not end");
            }
        }
        deleteExhausted();
    }

    private void finishSeal(long nowMillis) {
        if (seal.positions() == 0 && !settling) {
            index.seals().giveUp(seal, "nothing is left");
            seal = null;
        } else {
            stepSeal(nowMillis, false);
        }
    }
}
