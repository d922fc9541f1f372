/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.PositionSet;
import java.util.function.LongConsumer;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * A cell in a Roaring bitmap: any ids of 32 bits. The bitmap is measured again after as many adds as it has chunks, or
 * a thirty-second more ids if that is sooner, so that an add costs O(1) on average.
 */
final class BitmapCell extends Cell {

    static final int SHELL_BYTES = 32;

    /** The value of {@link #addsUntilMeasured} while the bitmap has no slack. */
    private static final int PACKED = -1;

    private final RoaringBitmap bitmap = new RoaringBitmap();
    private int bitmapBytes;
    private int addsUntilMeasured;

    BitmapCell(long ledgerId) {
        super(ledgerId);
        measure();
    }

    /** Whether the id has no more than 32 bits. */
    static boolean holds(long entryId) {
        return entryId >>> 32 == 0;
    }

    @Override
    boolean accepts(long entryId) {
        return holds(entryId);
    }

    @Override
    boolean add(long entryId) {
        if (!bitmap.checkedAdd((int) entryId)) {
            return false;
        }
        if (--addsUntilMeasured < 0) {
            measure();
        }
        return true;
    }

    @Override
    Cell widened(long entryId) {
        WideCell cell = new WideCell(ledgerId);
        forEach(cell::add);
        return cell;
    }

    @Override
    long count() {
        return bitmap.getLongCardinality();
    }

    @Override
    boolean isEmpty() {
        return bitmap.isEmpty();
    }

    @Override
    int consume(HandOut handOut) {
        PeekableIntIterator ids = bitmap.getIntIterator();
        int consumed = 0;
        long end = 0;
        while (ids.hasNext()) {
            long entryId = Integer.toUnsignedLong(ids.next());
            if (!handOut.consume(ledgerId, entryId)) {
                break;
            }
            consumed++;
            end = entryId + 1;
        }
        if (consumed == 0) {
            return 0;
        }
        bitmap.remove(0L, end);
        if (addsUntilMeasured == PACKED) {
            bitmapBytes = (int) HeapSizes.bitmap(bitmap, true);
        } else {
            measure();
        }
        return consumed;
    }

    @Override
    long sweep(PositionSet contained, long fromEntryId, int budget) {
        PeekableIntIterator ids = bitmap.getIntIterator();
        ids.advanceIfNeeded((int) fromEntryId);
        RoaringBitmap dead = new RoaringBitmap();
        for (int visited = 0; visited < budget && ids.hasNext(); visited++) {
            int id = ids.next();
            if (!contained.contains(ledgerId, Integer.toUnsignedLong(id))) {
                dead.add(id);
            }
        }
        long next = ids.hasNext() ? Integer.toUnsignedLong(ids.peekNext()) : SWEPT;
        if (!dead.isEmpty()) {
            bitmap.andNot(dead);
            measure();
        }
        return next;
    }

    @Override
    Cell packed() {
        if (addsUntilMeasured == PACKED) {
            return this;
        }
        bitmap.runOptimize();
        bitmap.trim();
        bitmapBytes = (int) HeapSizes.bitmap(bitmap, true);
        addsUntilMeasured = PACKED;
        if (bitmap.first() >>> 16 == bitmap.last() >>> 16 && count() <= ListCell.MAX_COUNT / 2) {
            ListCell list = asList();
            return list.retainedBytes() <= retainedBytes() ? list : this;
        }
        return this;
    }

    @Override
    void forEach(LongConsumer consumer) {
        bitmap.forEach((int id) -> consumer.accept(Integer.toUnsignedLong(id)));
    }

    @Override
    long retainedBytes() {
        return (long) SHELL_BYTES + bitmapBytes;
    }

    private ListCell asList() {
        ListCell list = new ListCell(ledgerId, Integer.toUnsignedLong(bitmap.first()));
        forEach(list::add);
        list.trim();
        return list;
    }

    private void measure() {
        bitmapBytes = (int) HeapSizes.bitmap(bitmap, false);
        addsUntilMeasured = (int) Math.min(Math.max(0, bitmap.getContainerCount() - 1), bitmap.getLongCardinality() / 32);
    }
}
