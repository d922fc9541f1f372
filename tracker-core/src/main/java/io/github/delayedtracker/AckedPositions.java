/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import java.util.Map;
import java.util.TreeMap;

/**
 * The entries that were acknowledged one by one above mark-delete, as a cursor knew them at one moment: a bitmap a ledger, in
 * the order of the ledgers. Not changed any more.
 */
final class AckedPositions {

    private final TreeMap<Long, long[]> bitmaps;
    private final boolean keepsFirstLedger;

    /**
     * The positions that bitmaps name.
     *
     * @param bitmaps by ledger id, bit e of word e / 64 for entry e
     * @param keepsFirstLedger whether a record of bitmaps that is cut holds the ledger that goes beyond the limit
     */
    AckedPositions(Map<Long, long[]> bitmaps, boolean keepsFirstLedger) {
        this.bitmaps = new TreeMap<>(bitmaps);
        this.keepsFirstLedger = keepsFirstLedger;
    }

    boolean isEmpty() {
        return bitmaps.isEmpty();
    }

    /** O(log ledgers). */
    boolean contains(long ledgerId, long entryId) {
        long[] words = bitmaps.get(ledgerId);
        long word = entryId >> 6;
        return words != null && entryId >= 0 && word < words.length && (words[(int) word] & 1L << entryId) != 0;
    }

    /** How many entries. Linear in the words. */
    long entries() {
        return bitmaps.values().stream().mapToLong(AckedPositions::entriesOf).sum();
    }

    /** How many ranges of neighbours, each within one ledger. Linear in the words. */
    long ranges() {
        return bitmaps.values().stream().mapToLong(AckedPositions::rangesOf).sum();
    }

    /** How many entries lie behind the first ranges. Linear in the words. */
    long entriesBehindRanges(long firstRanges) {
        long rangesLeft = Math.max(0, firstRanges);
        long behind = 0;
        for (long[] words : bitmaps.values()) {
            long ranges = rangesLeft == 0 ? 0 : rangesOf(words);
            if (ranges <= rangesLeft && rangesLeft > 0) {
                rangesLeft -= ranges;
            } else {
                behind += entriesBehindRanges(words, rangesLeft);
                rangesLeft = 0;
            }
        }
        return behind;
    }

    /**
     * How many entries a record of bitmaps with a limit leaves out. The record takes whole ledgers in their order until it has
     * that many entries, and none after that, even one that would fit. Linear in the words.
     */
    long entriesBehindLedgers(long mostEntries) {
        long counted = 0;
        long behind = 0;
        for (long[] words : bitmaps.values()) {
            long entries = entriesOf(words);
            long reached = keepsFirstLedger ? counted : counted + entries;
            counted += entries;
            if (reached > mostEntries) {
                behind += entries;
            }
        }
        return behind;
    }

    private static long entriesOf(long[] words) {
        long entries = 0;
        for (long word : words) {
            entries += Long.bitCount(word);
        }
        return entries;
    }

    private static long rangesOf(long[] words) {
        long ranges = 0;
        long before = 0;
        for (long word : words) {
            ranges += Long.bitCount(word & ~(word << 1 | before >>> 63));
            before = word;
        }
        return ranges;
    }

    private static long entriesBehindRanges(long[] words, long firstRanges) {
        long rangesLeft = firstRanges;
        long behind = 0;
        boolean inRange = false;
        boolean taken = false;
        for (int entry = 0; entry < words.length << 6; entry++) {
            boolean acked = (words[entry >> 6] & 1L << entry) != 0;
            if (acked && !inRange) {
                taken = rangesLeft > 0;
                rangesLeft--;
            }
            if (acked && !taken) {
                behind++;
            }
            inRange = acked;
        }
        return behind;
    }
}
