/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.index.BucketState.BucketWatcher;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionWalk;
import java.util.ArrayList;
import java.util.List;

/**
 * The buckets in the order of sealing, the doomed ones included, and the sums over them. Every change of a set of sleeping
 * positions goes through here, so that sums stay right and a merge under way hears of removals. Not thread safe.
 *
 * <p>A look-up asks only the buckets whose range has the position; there are a few dozen at most.
 */
final class BucketTable {

    private static final int LIST_BYTES = Footprint.object(Footprint.REFERENCE + 2 * Integer.BYTES);
    private static final int OBJECT_BYTES = Footprint.object(3 * Footprint.REFERENCE + 3 * Long.BYTES);

    private final LostPositions lost;
    private BucketWatcher watcher = (ledgerId, from, to, reason) -> { };
    private List<Bucket> buckets = List.of();
    private long positions;
    private long setBytes;
    /** The bytes of shells, ranges and segment tables. */
    private long otherBytes;

    BucketTable(LostPositions lost) {
        this.lost = lost;
    }

    void watch(BucketWatcher newWatcher) {
        watcher = newWatcher;
    }

    /** Changes the state of a bucket, in the table or on the way there. */
    void become(Bucket bucket, BucketState to, String reason) {
        BucketState from = bucket.become(to, reason);
        watcher.changed(bucket.ledgerId(), from, to, reason);
    }

    LostPositions lost() {
        return lost;
    }

    List<Bucket> buckets() {
        return buckets;
    }

    /** The bucket of a ledger, or null. */
    Bucket find(long ledgerId) {
        for (Bucket bucket : buckets) {
            if (bucket.ledgerId() == ledgerId) {
                return bucket;
            }
        }
        return null;
    }

    /** Refuses a ledger that has a bucket. */
    void checkIsNew(long ledgerId) {
        if (find(ledgerId) != null) {
            throw new IllegalArgumentException("a ledger holds one bucket; there is one already for ledger " + ledgerId);
        }
    }

    void add(Bucket bucket) {
        insert(buckets.size(), bucket);
    }

    /** Adds a bucket before another. */
    void addBefore(Bucket other, Bucket bucket) {
        insert(buckets.indexOf(other), bucket);
    }

    private void insert(int at, Bucket bucket) {
        buckets = buckets.isEmpty() ? new ArrayList<>(1) : buckets;
        buckets.add(at, bucket);
        positions += bucket.sleeping().size();
        setBytes += bucket.setBytes();
        otherBytes += bucket.otherBytes();
    }

    /** Takes everything from a bucket that is about to be DELETING; the positions that slept in it are the caller's. */
    PositionSet takeAll(Bucket bucket) {
        setBytes -= bucket.setBytes();
        otherBytes -= bucket.otherBytes();
        PositionSet all = bucket.takeAll();
        positions -= all.size();
        otherBytes += bucket.otherBytes();
        return all;
    }

    /** The state of the bucket of a ledger; GONE if there is none. */
    BucketState state(long ledgerId) {
        Bucket bucket = find(ledgerId);
        return bucket == null ? BucketState.GONE : bucket.state();
    }

    /** Forgets the bucket of a ledger that is deleted, if there is one. */
    void deleted(long ledgerId) {
        Bucket bucket = find(ledgerId);
        if (bucket != null) {
            become(bucket, BucketState.GONE, "its ledger is deleted");
            drop(bucket);
        }
    }

    /** Forgets a bucket whose ledger is gone. */
    void drop(Bucket bucket) {
        takeAll(bucket);
        otherBytes -= bucket.otherBytes();
        buckets.remove(bucket);
    }

    boolean contains(long ledgerId, long entryId) {
        return holder(ledgerId, entryId) != null;
    }

    boolean remove(long ledgerId, long entryId) {
        Bucket bucket = holder(ledgerId, entryId);
        return bucket != null && remove(bucket, ledgerId, entryId);
    }

    private Bucket holder(long ledgerId, long entryId) {
        for (int i = buckets.size() - 1; i >= 0; i--) {
            Bucket bucket = buckets.get(i);
            if (bucket.range().contains(ledgerId, entryId) && bucket.sleeping().contains(ledgerId, entryId)) {
                return bucket;
            }
        }
        return null;
    }

    boolean remove(Bucket bucket, long ledgerId, long entryId) {
        PositionSet set = bucket.sleeping();
        long before = set.retainedBytes();
        if (!set.remove(ledgerId, entryId)) {
            return false;
        }
        positions--;
        setBytes += set.retainedBytes() - before;
        if (bucket.merge() != null) {
            bucket.merge().note(ledgerId, entryId);
        }
        return true;
    }

    void add(Bucket bucket, long ledgerId, long entryId) {
        PositionSet set = bucket.sleeping();
        long before = set.retainedBytes();
        if (set.add(ledgerId, entryId)) {
            positions++;
            setBytes += set.retainedBytes() - before;
        }
    }

    long removeUpTo(long ledgerId, long entryId) {
        long removed = 0;
        for (Bucket bucket : buckets) {
            PositionSet set = bucket.sleeping();
            if (!set.isEmpty()) {
                long before = set.retainedBytes();
                removed += set.removeUpTo(ledgerId, entryId);
                setBytes += set.retainedBytes() - before;
                if (bucket.merge() != null) {
                    bucket.merge().noteUpTo(ledgerId, entryId);
                }
            }
        }
        positions -= removed;
        return removed;
    }

    /** A way through the sleeping positions, behind the given ways. */
    PositionWalk walk(List<PositionWalk> before) {
        List<PositionWalk> walks = new ArrayList<>(before);
        buckets.forEach(bucket -> walks.add(bucket.sleeping().walk()));
        return PositionWalk.through(walks);
    }

    /** Forgets all positions; buckets that nobody works on are DELETING. */
    void clear() {
        removeUpTo(Long.MAX_VALUE, Long.MAX_VALUE);
        exhausted("cleared");
    }

    /** Dooms the SEALED buckets in which nothing sleeps; returns their ledgers. */
    List<Long> exhausted(String reason) {
        List<Long> ledgerIds = new ArrayList<>(0);
        for (Bucket bucket : buckets) {
            if (bucket.state() == BucketState.SEALED && bucket.sleeping().isEmpty()) {
                takeAll(bucket);
                become(bucket, BucketState.DELETING, reason);
                ledgerIds.add(bucket.ledgerId());
            }
        }
        return ledgerIds;
    }

    /**
     * Loses the positions that sleep in a bucket that cannot be read, and dooms the bucket. A bucket that merges stays until the
     * merge has ended, which may be with the topic, if its record stays stale. A bucket that settles is lost as soon as it is
     * SEALED.
     */
    void lose(Bucket bucket, String reason) {
        if (bucket.state() == BucketState.SEALED) {
            long dueMillis = bucket.segments().notLoadedMillis();
            lost.add(takeAll(bucket), dueMillis);
            become(bucket, BucketState.DELETING, reason);
        } else if (bucket.state() != BucketState.DELETING) {
            bucket.setLossReason(reason);
            if (bucket.merge() != null) {
                lost.add(takeSleeping(bucket), bucket.segments().notLoadedMillis());
                bucket.merge().sourceLost();
            }
        }
    }

    private PositionSet takeSleeping(Bucket bucket) {
        setBytes -= bucket.setBytes();
        PositionSet sleeping = bucket.takeSleeping();
        positions -= sleeping.size();
        return sleeping;
    }

    /** Makes a bucket SEALED, and loses it if its loss was put off. */
    void becomeSealed(Bucket bucket, String reason) {
        become(bucket, BucketState.SEALED, reason);
        if (bucket.lossReason() != null) {
            lose(bucket, bucket.lossReason());
        }
        loseIfLoaded(bucket);
    }

    /** Loses a bucket with positions but no segment left that they could come from. */
    void loseIfLoaded(Bucket bucket) {
        if (bucket.segments().isLoaded() && !bucket.sleeping().isEmpty()) {
            lose(bucket, bucket.sleeping().size() + " of its positions are in none of its segments");
        }
    }

    /** The ledgers to be deleted. */
    List<Long> doomed() {
        return buckets.stream().filter(bucket -> bucket.state() == BucketState.DELETING).map(Bucket::ledgerId).toList();
    }

    /** The number of sleeping positions. O(1). */
    long positions() {
        return positions;
    }

    long setBytes() {
        return setBytes;
    }

    /** Adds to each count the positions that sleep in segments that begin by the time, whole segments counted. */
    void addDueBy(long[] untilMillis, long[] counts) {
        for (Bucket bucket : buckets) {
            long asleep = bucket.sleeping().size();
            for (int i = 0; i < counts.length && asleep > 0; i++) {
                counts[i] += Math.min(asleep, bucket.segments().positionsBy(untilMillis[i]));
            }
        }
    }

    /** Bytes of heap kept alive. O(1). */
    long retainedBytes() {
        return OBJECT_BYTES + setBytes + otherBytes
                + (buckets.isEmpty() ? 0 : LIST_BYTES + Footprint.array(buckets.size(), Footprint.REFERENCE));
    }

    void validate() {
        long sum = 0;
        long bytes = 0;
        for (Bucket bucket : buckets) {
            bucket.sleeping().validate();
            sum += bucket.sleeping().size();
            bytes += bucket.setBytes() + bucket.otherBytes();
            bucket.sleeping().forEach((l, e) -> check(bucket.range().contains(l, e), bucket, "ranges reach over all positions"));
            check(bucket.sleeping().isEmpty() || bucket.state() == BucketState.SEALING || bucket.isLive()
                    && (bucket.lossReason() != null || !bucket.segments().isLoaded()), bucket, "what sleeps can be loaded");
            check((bucket.state() == BucketState.MERGING) == (bucket.merge() != null), bucket,
                    "buckets that merge have a plan, others have none");
        }
        if (sum != positions || bytes != setBytes + otherBytes) {
            throw new IllegalStateException("buckets: counted are " + positions + " positions in " + (setBytes + otherBytes)
                    + " bytes, found " + sum + " in " + bytes);
        }
    }

    private static void check(boolean holds, Bucket bucket, String rule) {
        if (!holds) {
            throw new IllegalStateException(rule + ", but not those of the bucket of ledger " + bucket.ledgerId() + ", "
                    + bucket.state());
        }
    }
}
