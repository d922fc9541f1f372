/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.PositionSet;
import it.unimi.dsi.fastutil.longs.Long2ObjectAVLTreeMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import java.util.function.LongConsumer;

/**
 * A cell of any ids of 64 bits: an AVL map from the upper 48 bits to a list of the lower 16. The escape for ledgers that
 * have more than 2^32 entries; 2 bytes an id where they lie close, 64 where each has a chunk of its own.
 */
final class WideCell extends Cell {

    private static final int SHELL_BYTES = 40 + HeapSizes.AVL_MAP + HeapSizes.AVL_ENTRY_VIEW;

    private final Long2ObjectAVLTreeMap<char[]> chunks = new Long2ObjectAVLTreeMap<>();
    private int count;
    private long chunkBytes;

    WideCell(long ledgerId) {
        super(ledgerId);
    }

    @Override
    boolean accepts(long entryId) {
        return true;
    }

    @Override
    boolean add(long entryId) {
        long chunk = entryId >>> 16;
        char[] list = chunks.get(chunk);
        if (list == null) {
            replace(chunk, 0, null, CharList.of((char) entryId));
            return true;
        }
        int before = CharList.count(list);
        char[] grown = CharList.insert(list, (char) entryId);
        replace(chunk, before, list, grown);
        return CharList.count(grown) > before;
    }

    @Override
    Cell widened(long entryId) {
        return this;
    }

    @Override
    long count() {
        return count;
    }

    @Override
    boolean isEmpty() {
        return chunks.isEmpty();
    }

    @Override
    int consume(HandOut handOut) {
        int consumed = 0;
        while (!chunks.isEmpty() && !handOut.isFull()) {
            long chunk = chunks.firstLongKey();
            char[] list = chunks.get(chunk);
            int before = CharList.count(list);
            int fromList = CharList.consume(list, ledgerId, chunk << 16, handOut);
            replace(chunk, before, list, fromList == before ? null : CharList.withoutFirst(list, fromList));
            consumed += fromList;
        }
        return consumed;
    }

    @Override
    long sweep(PositionSet contained, long fromEntryId, int budget) {
        long chunk = fromEntryId >>> 16;
        for (int visited = 0; !chunks.isEmpty() && chunk <= chunks.lastLongKey(); chunk++) {
            chunk = chunks.tailMap(chunk).firstLongKey();
            if (visited >= budget) {
                return chunk << 16;
            }
            char[] list = chunks.get(chunk);
            int before = CharList.count(list);
            visited += before;
            replace(chunk, before, list, CharList.retain(list, ledgerId, chunk << 16, contained));
        }
        return SWEPT;
    }

    @Override
    Cell packed() {
        for (Long2ObjectMap.Entry<char[]> entry : chunks.long2ObjectEntrySet()) {
            char[] list = entry.getValue();
            char[] trimmed = CharList.trimmed(list);
            chunkBytes += HeapSizes.charArray(trimmed.length) - HeapSizes.charArray(list.length);
            entry.setValue(trimmed);
        }
        return this;
    }

    @Override
    void forEach(LongConsumer consumer) {
        for (Long2ObjectMap.Entry<char[]> entry : chunks.long2ObjectEntrySet()) {
            long firstEntryId = entry.getLongKey() << 16;
            char[] list = entry.getValue();
            for (int i = 1; i <= CharList.count(list); i++) {
                consumer.accept(firstEntryId | list[i]);
            }
        }
    }

    @Override
    long retainedBytes() {
        return SHELL_BYTES + chunkBytes;
    }

    /** Puts a list that may be the old array changed in place, or null, where the old one was. */
    private void replace(long chunk, int countBefore, char[] before, char[] after) {
        count += (after == null ? 0 : CharList.count(after)) - countBefore;
        chunkBytes += bytes(after) - bytes(before);
        if (after == null) {
            chunks.remove(chunk);
        } else if (after != before) {
            chunks.put(chunk, after);
        }
    }

    private static long bytes(char[] list) {
        return list == null ? 0 : HeapSizes.AVL_ENTRY + HeapSizes.charArray(list.length);
    }
}
