/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.DueHistogram;
import io.github.delayedtracker.index.PositionSet;
import it.unimi.dsi.fastutil.longs.Long2ObjectAVLTreeMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.objects.ObjectSortedSet;

/**
 * The time buckets by due time, and the sum of their bytes. A position may be stored in several buckets. The map does not know
 * which of them are contained.
 *
 * <p>The bucket and the cell written last are at hand, so that positions that come in order cost no descent of the map. A
 * cell that took a row of positions is packed when the writer leaves it; all others wait for the {@link Sweeper}.
 */
final class BucketMap {

    private static final int SHELL_BYTES = 72 + HeapSizes.AVL_MAP + HeapSizes.AVL_ENTRY_VIEW;
    /** The fewest positions in a row, and at least a quarter of its content, for which a cell is packed on leaving. */
    private static final int MIN_ROW_TO_PACK = 16;

    private final Long2ObjectAVLTreeMap<Object> buckets;
    private final ObjectSortedSet<Long2ObjectMap.Entry<Object>> entries;
    private final DueHistogram histogram = new DueHistogram();
    private long bytes;
    private long positions;
    private long inserts;

    private long lastDueMillis;
    private Object lastBucket;
    private Cell lastCell;
    private int row;

    /** Takes over an empty map. */
    BucketMap(Long2ObjectAVLTreeMap<Object> buckets) {
        this.buckets = buckets;
        entries = buckets.long2ObjectEntrySet();
    }

    /** The due time of the earliest stored position; there must be one. */
    long firstDueMillis() {
        return buckets.firstLongKey();
    }

    /** The buckets by due time. A caller that changes a bucket reports the change of the sums. */
    ObjectSortedSet<Long2ObjectMap.Entry<Object>> entries() {
        return entries;
    }

    DueHistogram histogram() {
        return histogram;
    }

    /** The number of stored positions, dead and repeated ones included. */
    long positions() {
        return positions;
    }

    /** The number of positions that were ever stored. */
    long inserts() {
        return inserts;
    }

    long retainedBytes() {
        return SHELL_BYTES + bytes + histogram.retainedBytes();
    }

    void clear() {
        buckets.clear();
        histogram.clear();
        bytes = 0;
        positions = 0;
        forgetLast();
    }

    /** Stores a position, unless its bucket has it already. */
    void add(long dueMillis, long ledgerId, long entryId) {
        Cell cell = lastCell;
        if (cell != null && dueMillis == lastDueMillis && ledgerId == cell.ledgerId && cell.accepts(entryId)) {
            row++;
            insert(cell, entryId);
            return;
        }
        packLast();
        if (lastBucket == null || dueMillis != lastDueMillis) {
            lastDueMillis = dueMillis;
            boolean beyondAll = buckets.isEmpty() || dueMillis > buckets.lastLongKey();
            lastBucket = beyondAll ? null : buckets.get(dueMillis);
        }
        if (lastBucket == null) {
            long[] flat = FlatPositions.of(ledgerId, entryId);
            bytes += HeapSizes.AVL_ENTRY + HeapSizes.longArray(flat.length);
            putLast(flat);
            inserted(dueMillis);
        } else if (lastBucket instanceof long[] flat) {
            addToFlat(flat, ledgerId, entryId);
        } else {
            addToCells(ledgerId, entryId);
        }
    }

    /** Consumes positions due by a time, in order, until there are no more or the hand-out is full. */
    void consume(long untilMillis, HandOut handOut, long deadBelowLedgerId) {
        while (!handOut.isFull() && !buckets.isEmpty() && firstDueMillis() <= untilMillis) {
            Long2ObjectMap.Entry<Object> first = entries.first();
            long dueMillis = first.getLongKey();
            Object bucket = first.getValue();
            forgetLast();
            if (bucket instanceof long[] flat) {
                int count = FlatPositions.count(flat);
                int consumed = FlatPositions.consume(flat, handOut);
                if (consumed > 0) {
                    long[] rest = consumed == count ? null : FlatPositions.withoutFirst(flat, consumed);
                    replace(first, BucketForms.retainedBytes(flat), rest, rest == null ? 0 : BucketForms.retainedBytes(rest));
                    removed(dueMillis, consumed);
                }
            } else if (bucket instanceof Cell cell) {
                if (consume(dueMillis, cell, handOut, deadBelowLedgerId)) {
                    replace(first, 0, null, 0);
                }
            } else {
                LedgerCells cells = (LedgerCells) bucket;
                while (!handOut.isFull() && !cells.isEmpty()) {
                    Cell cell = cells.get(cells.firstLongKey());
                    if (consume(dueMillis, cell, handOut, deadBelowLedgerId)) {
                        cells.remove(cell.ledgerId);
                        bytes -= HeapSizes.AVL_ENTRY;
                    }
                }
                if (cells.isEmpty()) {
                    replace(first, LedgerCells.SHELL_BYTES, null, 0);
                }
            }
        }
    }

    /** Puts another form of a bucket, or nothing if null, in its place. */
    void replace(Long2ObjectMap.Entry<Object> entry, long bytesBefore, Object bucket, long bytesAfter) {
        bytes += bytesAfter - bytesBefore;
        if (bucket == null) {
            bytes -= HeapSizes.AVL_ENTRY;
            buckets.remove(entry.getLongKey());
        } else if (bucket != entry.getValue()) {
            entry.setValue(bucket);
        }
    }

    /** Counts positions of a bucket that are no longer stored. */
    void removed(long dueMillis, long count) {
        if (count > 0) {
            positions -= count;
            histogram.remove(dueMillis, Math.toIntExact(count));
        }
    }

    /** Counts a change of the weight of a bucket. */
    void resized(long byteChange) {
        bytes += byteChange;
    }

    /** Forgets the bucket written last, as its form may change. */
    void forgetLast() {
        lastBucket = null;
        lastCell = null;
        row = 0;
    }

    private boolean consume(long dueMillis, Cell cell, HandOut handOut, long deadBelowLedgerId) {
        long bytesBefore = cell.retainedBytes();
        if (cell.ledgerId < deadBelowLedgerId) {
            removed(dueMillis, cell.count());
            bytes -= bytesBefore;
            return true;
        }
        removed(dueMillis, cell.consume(handOut));
        bytes += (cell.isEmpty() ? 0 : cell.retainedBytes()) - bytesBefore;
        return cell.isEmpty();
    }

    private void addToFlat(long[] flat, long ledgerId, long entryId) {
        int count = FlatPositions.count(flat);
        int at = FlatPositions.find(flat, count, ledgerId, entryId);
        if (at >= 0) {
            return;
        }
        if (FlatPositions.isFull(flat) && BucketForms.belongsInCells(flat, count, ledgerId, entryId)) {
            Object cells = BucketForms.cells(flat);
            bytes += BucketForms.retainedBytes(cells) - BucketForms.retainedBytes(flat);
            putLast(cells);
            addToCells(ledgerId, entryId);
            return;
        }
        long[] grown = FlatPositions.insert(flat, count, -at - 1, ledgerId, entryId);
        if (grown != flat) {
            bytes += BucketForms.retainedBytes(grown) - BucketForms.retainedBytes(flat);
            putLast(grown);
        }
        inserted(lastDueMillis);
    }

    private void addToCells(long ledgerId, long entryId) {
        if (lastBucket instanceof Cell only && only.ledgerId != ledgerId) {
            long bytesBefore = only.retainedBytes();
            long count = only.count();
            if (count < BucketForms.MIN_IN_CELLS) {
                long[] flat = BucketForms.flat(only, (int) count);
                bytes += BucketForms.retainedBytes(flat) - bytesBefore;
                putLast(flat);
                addToFlat(flat, ledgerId, entryId);
                return;
            }
            LedgerCells cells = new LedgerCells();
            cells.put(only.ledgerId, only);
            bytes += LedgerCells.SHELL_BYTES + HeapSizes.AVL_ENTRY;
            putLast(cells);
        }
        Cell cell = lastBucket instanceof Cell only ? only : ((LedgerCells) lastBucket).get(ledgerId);
        row = 1;
        if (cell == null) {
            lastCell = new ListCell(ledgerId, entryId);
            ((LedgerCells) lastBucket).put(ledgerId, lastCell);
            bytes += HeapSizes.AVL_ENTRY + lastCell.retainedBytes();
            inserted(lastDueMillis);
            return;
        }
        lastCell = cell;
        if (!cell.accepts(entryId)) {
            long bytesBefore = cell.retainedBytes();
            replaceLastCell(cell.widened(entryId), bytesBefore);
        }
        insert(lastCell, entryId);
    }

    private void insert(Cell cell, long entryId) {
        long bytesBefore = cell.retainedBytes();
        if (cell.add(entryId)) {
            bytes += cell.retainedBytes() - bytesBefore;
            inserted(lastDueMillis);
        }
    }

    private void inserted(long dueMillis) {
        positions++;
        inserts++;
        histogram.add(dueMillis, 1);
    }

    private void packLast() {
        if (row >= MIN_ROW_TO_PACK && 4L * row >= lastCell.count()) {
            long bytesBefore = lastCell.retainedBytes();
            replaceLastCell(lastCell.packed(), bytesBefore);
        }
        lastCell = null;
        row = 0;
    }

    private void replaceLastCell(Cell cell, long bytesBefore) {
        bytes += cell.retainedBytes() - bytesBefore;
        if (cell != lastCell) {
            if (lastBucket instanceof LedgerCells cells) {
                cells.put(cell.ledgerId, cell);
            } else {
                putLast(cell);
            }
            lastCell = cell;
        }
    }

    private void putLast(Object bucket) {
        buckets.put(lastDueMillis, bucket);
        lastBucket = bucket;
    }

    /** Checks sums against the content, and that each contained position is stored. Linear. */
    void validate(PositionSet contained) {
        BucketCheck check = new BucketCheck(contained);
        for (Long2ObjectMap.Entry<Object> entry : entries) {
            check.visit(entry.getLongKey(), entry.getValue());
        }
        check.finish(bytes, positions);
        histogram.validate(positions);
    }
}
