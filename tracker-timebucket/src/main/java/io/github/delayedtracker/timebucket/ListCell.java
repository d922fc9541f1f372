/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.PositionSet;
import java.util.function.LongConsumer;

/**
 * A cell of up to 1,024 ids that agree in all but their lower 16 bits: 2 bytes an id and some 56 for the cell. An id in
 * ascending order is added in O(1), any other in O(ids).
 */
final class ListCell extends Cell {

    /** The number of ids from which on a bitmap is as small, and cheaper to insert into. */
    static final int MAX_COUNT = 1024;

    private static final int SHELL_BYTES = 32;

    private final long chunk;
    /** The lower 16 bits of the ids, or null once the cell is empty; the caller that empties a cell drops it. */
    private char[] list;

    ListCell(long ledgerId, long entryId) {
        super(ledgerId);
        chunk = entryId >>> 16;
        list = CharList.of((char) entryId);
    }

    @Override
    boolean accepts(long entryId) {
        return entryId >>> 16 == chunk && CharList.count(list) < MAX_COUNT;
    }

    @Override
    boolean add(long entryId) {
        int before = CharList.count(list);
        list = CharList.insert(list, (char) entryId);
        return CharList.count(list) > before;
    }

    @Override
    Cell widened(long entryId) {
        if (BitmapCell.holds(chunk << 16) && BitmapCell.holds(entryId)) {
            BitmapCell cell = new BitmapCell(ledgerId);
            forEach(cell::add);
            return cell;
        }
        WideCell cell = new WideCell(ledgerId);
        forEach(cell::add);
        return cell;
    }

    @Override
    long count() {
        return list == null ? 0 : CharList.count(list);
    }

    @Override
    boolean isEmpty() {
        return list == null;
    }

    @Override
    int consume(HandOut handOut) {
        int consumed = CharList.consume(list, ledgerId, chunk << 16, handOut);
        if (consumed == 0) {
            return 0;
        }
        list = consumed == CharList.count(list) ? null : CharList.withoutFirst(list, consumed);
        return consumed;
    }

    @Override
    long sweep(PositionSet contained, long fromEntryId, int budget) {
        list = CharList.retain(list, ledgerId, chunk << 16, contained);
        return SWEPT;
    }

    @Override
    Cell packed() {
        if (BitmapCell.holds(chunk << 16)) {
            long asRuns = BitmapCell.SHELL_BYTES + HeapSizes.packedRuns(CharList.runs(list));
            if (asRuns < SHELL_BYTES + HeapSizes.charArray(CharList.count(list) + 1)) {
                return widened(chunk << 16).packed();
            }
        }
        trim();
        return this;
    }

    void trim() {
        list = CharList.trimmed(list);
    }

    @Override
    void forEach(LongConsumer consumer) {
        long firstEntryId = chunk << 16;
        int count = CharList.count(list);
        for (int i = 1; i <= count; i++) {
            consumer.accept(firstEntryId | list[i]);
        }
    }

    @Override
    long retainedBytes() {
        return SHELL_BYTES + (list == null ? 0 : HeapSizes.charArray(list.length));
    }
}
