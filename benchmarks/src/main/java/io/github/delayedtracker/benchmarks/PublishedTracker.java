/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.index.PositionSink;
import it.unimi.dsi.fastutil.longs.Long2ObjectAVLTreeMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectSortedMap;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * The time buckets as they were published: truncated time to ledger id to bitmap of entry ids, both levels AVL trees. It serves
 * to measure the footprint. It rounds down, keeps no set of positions and forgets only the positions it hands out.
 */
final class PublishedTracker implements Tracker {

    private final Long2ObjectSortedMap<Long2ObjectSortedMap<Roaring64Bitmap>> buckets = new Long2ObjectAVLTreeMap<>();
    private final long mask;
    private long nowMillis;
    private long count;

    PublishedTracker(long bucketMillis) {
        mask = -bucketMillis;
    }

    int bucketCount() {
        return buckets.size();
    }

    @Override
    public void setNowMillis(long nowMillis) {
        this.nowMillis = nowMillis;
    }

    /** Does nothing: the width of a bucket is given once. */
    @Override
    public void setTickMillis(long tickMillis) {
    }

    @Override
    public boolean add(long ledgerId, long entryId, long deliverAtMillis) {
        if (deliverAtMillis <= nowMillis) {
            return false;
        }
        buckets.computeIfAbsent(deliverAtMillis & mask, time -> new Long2ObjectAVLTreeMap<>())
                .computeIfAbsent(ledgerId, ledger -> new Roaring64Bitmap()).addLong(entryId);
        count++;
        return true;
    }

    @Override
    public boolean hasDue() {
        return !buckets.isEmpty() && buckets.firstLongKey() <= nowMillis;
    }

    @Override
    public int handOut(int limit) {
        return handOut(limit, (ledgerId, entryId) -> { });
    }

    @Override
    public int handOut(int limit, PositionSink sink) {
        int taken = 0;
        while (taken < limit && hasDue()) {
            Long2ObjectSortedMap<Roaring64Bitmap> ledgers = buckets.get(buckets.firstLongKey());
            long ledgerId = ledgers.firstLongKey();
            Roaring64Bitmap entries = ledgers.get(ledgerId);
            while (taken < limit && !entries.isEmpty()) {
                long entryId = entries.first();
                entries.removeLong(entryId);
                sink.accept(ledgerId, entryId);
                taken++;
                count--;
            }
            if (entries.isEmpty()) {
                ledgers.remove(ledgerId);
            }
            if (ledgers.isEmpty()) {
                buckets.remove(buckets.firstLongKey());
            }
        }
        return taken;
    }

    @Override
    public void acked(long ledgerId, long entryId) {
    }

    @Override
    public void ackedUpTo(long ledgerId, long entryId) {
    }

    @Override
    public boolean contains(long ledgerId, long entryId) {
        return false;
    }

    @Override
    public void settle() {
    }

    @Override
    public long count() {
        return count;
    }

    /** The sum of the bitmaps' own estimates. */
    @Override
    public long reportedBytes() {
        return buckets.values().stream().flatMap(ledgers -> ledgers.values().stream())
                .mapToLong(Roaring64Bitmap::getLongSizeInBytes).sum();
    }

    @Override
    public long positionSetBytes() {
        return 0;
    }

    @Override
    public Object indexRoot() {
        return buckets;
    }

    @Override
    public void close() {
        buckets.clear();
        count = 0;
    }
}
