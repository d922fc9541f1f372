/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Positions while they are read from the entries of a journal: a bitmap for each ledger that grows up to the last position of
 * it. A few bytes can name an entry far behind the begin of its ledger, so that the words of all bitmaps are limited: a journal
 * whose positions span more is damaged. One thread at a time.
 */
final class ReadBitmaps {

    /**
     * The words of all bitmaps: 32 MiB, 268 million entries. No journal is written where more than 64 million lie between
     * mark-delete and the read position; the rest is for those before mark-delete in its ledger.
     */
    static final int MOST_WORDS = 1 << 22;
    private static final long[] NONE = {};

    private final Map<Long, long[]> bitmaps;
    private long words;

    ReadBitmaps() {
        this(new TreeMap<>(), 0);
    }

    private ReadBitmaps(Map<Long, long[]> bitmaps, long words) {
        this.bitmaps = bitmaps;
        this.words = words;
    }

    /** The bitmap of a ledger, with room for so many words. Valid until the next call. */
    long[] withRoom(long ledgerId, int needed) throws DamagedJournalException {
        long[] bitmap = bitmaps.getOrDefault(ledgerId, NONE);
        if (bitmap.length >= needed) {
            return bitmap;
        }
        long others = words - bitmap.length;
        if (others + needed > MOST_WORDS) {
            throw DamagedJournalException.damaged("its positions span at most " + MOST_WORDS + " words of bitmaps",
                    others + needed);
        }
        int grown = (int) Math.min(MOST_WORDS - others, Math.max(needed, bitmap.length + bitmap.length / 2));
        bitmap = Arrays.copyOf(bitmap, grown);
        words = others + grown;
        bitmaps.put(ledgerId, bitmap);
        return bitmap;
    }

    /** The same positions, whatever is read from now on. */
    ReadBitmaps copy() {
        Map<Long, long[]> copy = new TreeMap<>(bitmaps);
        copy.replaceAll((ledgerId, bitmap) -> bitmap.clone());
        return new ReadBitmaps(copy, words);
    }

    /** By ledger, as {@link AckedPositions} takes them. */
    Map<Long, long[]> asMap() {
        return bitmaps;
    }
}
