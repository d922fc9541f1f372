/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.PositionSet;
import it.unimi.dsi.fastutil.longs.AbstractLong2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.objects.ObjectBidirectionalIterator;
import it.unimi.dsi.fastutil.objects.ObjectSortedSet;

/**
 * The sweeper of the buckets. It drops dead positions from them and packs them, in passes over the whole map that are done
 * piece by piece and resume by key.
 *
 * <p>A pass begins when a quarter of the stored positions are dead, or when a quarter were stored since the last one. A
 * position that is stored twice counts as dead and cannot be dropped. If a pass leaves more dead positions than it drops,
 * these are tolerated from then on, so that passes come to an end.
 */
final class Sweeper {

    static final int SHELL_BYTES = 96;

    private static final int DEAD_ALLOWED = 64;
    private static final int INSERTS_ALLOWED = 1024;

    private final BucketMap map;
    private final PositionSet contained;

    private long deadTolerated;
    private long insertsAtStart;
    private long deadAtStart;

    private boolean running;
    private boolean atFirstBucket;
    private long doneDueMillis;

    /** Whether the last piece ended in the middle of a bucket. The fields below name the bucket and the place in it. */
    private boolean bucketOpen;
    private long openDueMillis;
    private long openLedgerId;
    private long openEntryId;

    private long deadBelowLedgerId;
    private long left;

    Sweeper(BucketMap map, PositionSet contained) {
        this.map = map;
        this.contained = contained;
    }

    void reset() {
        running = false;
        deadTolerated = 0;
        insertsAtStart = map.inserts();
    }

    /** Sweeps over about {@code budget} positions; true if there is more to do. */
    boolean run(int budget, long ledgerIdWithNoneBelow) {
        if (!running && !begin()) {
            return false;
        }
        deadBelowLedgerId = ledgerIdWithNoneBelow;
        // One bucket and one cell of it at least, or it would not come forward.
        left = Math.max(2, budget);
        map.forgetLast();
        ObjectBidirectionalIterator<Long2ObjectMap.Entry<Object>> rest = rest();
        while (left > 0 && rest.hasNext()) {
            Long2ObjectMap.Entry<Object> entry = rest.next();
            long dueMillis = entry.getLongKey();
            if (!sweep(entry, rest)) {
                return true;
            }
            bucketOpen = false;
            atFirstBucket = false;
            doneDueMillis = dueMillis;
        }
        if (!rest.hasNext()) {
            finish();
        }
        return running || isDue();
    }

    private boolean begin() {
        if (!isDue()) {
            return false;
        }
        running = true;
        atFirstBucket = true;
        bucketOpen = false;
        deadAtStart = dead();
        insertsAtStart = map.inserts();
        return true;
    }

    private void finish() {
        running = false;
        long dead = dead();
        deadTolerated = dead > deadAtStart / 2 ? dead : 0;
    }

    private boolean isDue() {
        long quarter = map.positions() / 4;
        deadTolerated = Math.min(deadTolerated, dead());
        return dead() > deadTolerated + quarter + DEAD_ALLOWED
                || map.inserts() - insertsAtStart > quarter + INSERTS_ALLOWED;
    }

    private long dead() {
        return map.positions() - contained.size();
    }

    private ObjectBidirectionalIterator<Long2ObjectMap.Entry<Object>> rest() {
        ObjectSortedSet<Long2ObjectMap.Entry<Object>> entries = map.entries();
        return atFirstBucket ? entries.iterator()
                : entries.iterator(new AbstractLong2ObjectMap.BasicEntry<>(doneDueMillis, null));
    }

    /** Sweeps one bucket; false if the budget ended in the middle of it. */
    private boolean sweep(Long2ObjectMap.Entry<Object> entry, ObjectBidirectionalIterator<Long2ObjectMap.Entry<Object>> at) {
        left--;
        long dueMillis = entry.getLongKey();
        Object bucket = entry.getValue();
        if (bucket instanceof long[] flat) {
            replace(entry, at, BucketForms.retainedBytes(flat), sweep(dueMillis, flat));
            return true;
        }
        if (bucket instanceof Cell cell) {
            Cell swept = sweep(dueMillis, cell);
            if (swept != null && bucketOpen) {
                return false;
            }
            replace(entry, at, swept == null ? 0 : swept.retainedBytes(), swept == null ? null : BucketForms.settled(swept));
            return true;
        }
        LedgerCells cells = (LedgerCells) bucket;
        if (!sweep(dueMillis, cells)) {
            return false;
        }
        if (cells.size() <= BucketForms.MAX_CELLS_FLATTENED) {
            replace(entry, at, BucketForms.retainedBytes(cells), BucketForms.settled(cells));
        }
        return true;
    }

    private long[] sweep(long dueMillis, long[] flat) {
        if (dead() == 0) {
            return FlatPositions.trimmed(flat);
        }
        int before = FlatPositions.count(flat);
        left -= before;
        long[] swept = FlatPositions.retain(flat, contained);
        map.removed(dueMillis, before - (swept == null ? 0 : FlatPositions.count(swept)));
        return swept;
    }

    private boolean sweep(long dueMillis, LedgerCells cells) {
        long ledgerId = bucketOpen && openDueMillis == dueMillis ? openLedgerId : 0;
        for (Cell cell = cells.firstFrom(ledgerId); cell != null; cell = cells.firstAfter(cell.ledgerId)) {
            if (left <= 0) {
                open(dueMillis, cell.ledgerId, 0);
                return false;
            }
            left--;
            Cell swept = sweep(dueMillis, cell);
            if (swept == null) {
                cells.remove(cell.ledgerId);
                map.resized(-HeapSizes.AVL_ENTRY);
            } else if (bucketOpen) {
                return false;
            } else if (swept != cell) {
                cells.put(cell.ledgerId, swept);
            }
        }
        return true;
    }

    /** The cell in its new form; null if nothing is left of it; with the bucket open if there is more to sweep. */
    private Cell sweep(long dueMillis, Cell cell) {
        boolean resumes = bucketOpen && openDueMillis == dueMillis && openLedgerId == cell.ledgerId;
        long fromEntryId = resumes ? openEntryId : 0;
        bucketOpen = false;
        long bytesBefore = cell.retainedBytes();
        if (dead() > 0) {
            long before = cell.count();
            if (cell.ledgerId < deadBelowLedgerId) {
                map.removed(dueMillis, before);
                map.resized(-bytesBefore);
                return null;
            }
            long next = cell.sweep(contained, fromEntryId, (int) Math.max(1, left));
            map.removed(dueMillis, before - (cell.isEmpty() ? 0 : cell.count()));
            left -= Math.min(left, before);
            if (next != Cell.SWEPT) {
                map.resized(cell.retainedBytes() - bytesBefore);
                open(dueMillis, cell.ledgerId, next);
                return cell;
            }
        }
        Cell packed = cell.isEmpty() ? null : cell.packed();
        map.resized((packed == null ? 0 : packed.retainedBytes()) - bytesBefore);
        return packed;
    }

    private void open(long dueMillis, long ledgerId, long entryId) {
        bucketOpen = true;
        openDueMillis = dueMillis;
        openLedgerId = ledgerId;
        openEntryId = entryId;
    }

    private void replace(Long2ObjectMap.Entry<Object> entry, ObjectBidirectionalIterator<Long2ObjectMap.Entry<Object>> at,
            long bytesBefore, Object bucket) {
        if (bucket == null) {
            map.resized(-bytesBefore - HeapSizes.AVL_ENTRY);
            at.remove();
        } else {
            map.replace(entry, bytesBefore, bucket, BucketForms.retainedBytes(bucket));
        }
    }
}
