/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The entries that were acknowledged one by one above mark-delete, as a cursor knew them at one moment: a bitmap a ledger, in
 * the order of the ledgers. Not changed any more.
 */
public final class AckedPositions {

    private static final long[] NONE = {};
    private static final int MOST_SPARE_WORDS = 1_024;

    private final TreeMap<Long, long[]> bitmaps;
    private final boolean keepsFirstLedger;

    /**
     * The positions that bitmaps name.
     *
     * @param bitmaps by ledger id, bit e of word e / 64 for entry e
     * @param keepsFirstLedger whether a record of bitmaps that is cut holds the ledger that goes beyond the limit
     */
    public AckedPositions(Map<Long, long[]> bitmaps, boolean keepsFirstLedger) {
        this.bitmaps = new TreeMap<>(bitmaps);
        this.keepsFirstLedger = keepsFirstLedger;
    }

    /** Whether a record of bitmaps that is cut holds the ledger that goes beyond the limit. */
    public boolean keepsFirstLedger() {
        return keepsFirstLedger;
    }

    /** Linear in the words before the first that has a position. */
    public boolean isEmpty() {
        return bitmaps.values().stream().allMatch(words -> next(words, 0, true) < 0);
    }

    /** O(log ledgers). */
    public boolean contains(long ledgerId, long entryId) {
        long[] words = bitmaps.get(ledgerId);
        long word = entryId >> 6;
        return words != null && entryId >= 0 && word < words.length && (words[(int) word] & 1L << entryId) != 0;
    }

    /** The words of all bitmaps. Linear in the ledgers. */
    long words() {
        return bitmaps.values().stream().mapToLong(words -> words.length).sum();
    }

    /** How many entries. Linear in the words. */
    public long entries() {
        return bitmaps.values().stream().mapToLong(AckedPositions::entriesOf).sum();
    }

    /** How many entries of one ledger. Linear in its words. */
    public long entries(long ledgerId) {
        return entriesOf(bitmaps.getOrDefault(ledgerId, NONE));
    }

    /** How many ranges of neighbours, each within one ledger. Linear in the words. */
    public long ranges() {
        return bitmaps.values().stream().mapToLong(AckedPositions::rangesOf).sum();
    }

    /** How many entries lie behind the first ranges. Linear in the words. */
    public long entriesBehindRanges(long firstRanges) {
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
    public long entriesBehindLedgers(long mostEntries) {
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

    /** The positions behind the mark-delete position. Linear in the words from there on. */
    public AckedPositions above(long ledgerId, long entryId) {
        TreeMap<Long, long[]> left = new TreeMap<>(bitmaps.tailMap(ledgerId, true));
        long[] words = left.get(ledgerId);
        if (words != null && entryId >= 0) {
            long[] behind = words.clone();
            int word = (int) Math.min(entryId >> 6, behind.length);
            Arrays.fill(behind, 0, word, 0);
            if (word < behind.length) {
                behind[word] &= entryId % Long.SIZE == Long.SIZE - 1 ? 0 : -1L << entryId + 1;
            }
            left.put(ledgerId, behind);
        }
        return new AckedPositions(left, keepsFirstLedger);
    }

    /** The positions that are not among others. Linear in the words. */
    public AckedPositions minus(AckedPositions others) {
        TreeMap<Long, long[]> left = new TreeMap<>();
        bitmaps.forEach((ledgerId, words) -> {
            long[] taken = others.bitmaps.get(ledgerId);
            long[] rest = words.clone();
            for (int i = 0; taken != null && i < Math.min(rest.length, taken.length); i++) {
                rest[i] &= ~taken[i];
            }
            if (entriesOf(rest) > 0) {
                left.put(ledgerId, rest);
            }
        });
        return new AckedPositions(left, keepsFirstLedger);
    }

    /** The positions that are among others too. Linear in the words. */
    public AckedPositions and(AckedPositions others) {
        return others.containsAll(this) ? this : minus(minus(others));
    }

    /** The positions of both. Linear in the words. */
    public AckedPositions plus(AckedPositions others) {
        TreeMap<Long, long[]> all = new TreeMap<>(bitmaps);
        others.bitmaps.forEach((ledgerId, words) -> all.merge(ledgerId, words, AckedPositions::or));
        return new AckedPositions(all, keepsFirstLedger);
    }

    private static long[] or(long[] one, long[] other) {
        long[] all = Arrays.copyOf(one, Math.max(one.length, other.length));
        for (int i = 0; i < other.length; i++) {
            all[i] |= other[i];
        }
        return all;
    }

    /** Whether all of the others are among these. Linear in the words. */
    public boolean containsAll(AckedPositions others) {
        for (Map.Entry<Long, long[]> ledger : others.bitmaps.entrySet()) {
            long[] here = bitmaps.getOrDefault(ledger.getKey(), NONE);
            long[] wanted = ledger.getValue();
            for (int i = 0; i < wanted.length; i++) {
                if ((wanted[i] & ~(i < here.length ? here[i] : 0)) != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The first positions. Linear in the words up to the last of them. */
    public AckedPositions first(int most) {
        TreeMap<Long, long[]> first = new TreeMap<>();
        long left = most;
        for (Map.Entry<Long, long[]> ledger : bitmaps.entrySet()) {
            if (left <= 0) {
                break;
            }
            long[] words = ledger.getValue();
            int word = 0;
            while (word < words.length && Long.bitCount(words[word]) <= left) {
                left -= Long.bitCount(words[word++]);
            }
            long[] taken = Arrays.copyOf(words, Math.min(words.length, word + 1));
            for (int over = word < words.length ? Long.bitCount(words[word]) - (int) left : 0; over > 0; over--) {
                taken[word] &= ~Long.highestOneBit(taken[word]);
            }
            left = word < words.length ? 0 : left;
            first.put(ledger.getKey(), taken);
        }
        return new AckedPositions(first, keepsFirstLedger);
    }

    /** All behind the last of other positions. O(ledgers), and linear in the words of one. */
    public AckedPositions behind(AckedPositions others) {
        Map.Entry<Long, long[]> last = others.bitmaps.lastEntry();
        return last == null ? this : above(last.getKey(), (long) last.getValue().length * Long.SIZE
                - Long.numberOfLeadingZeros(last.getValue()[last.getValue().length - 1]) - 1);
    }

    /** Without a position. */
    public AckedPositions none() {
        return new AckedPositions(Map.of(), keepsFirstLedger);
    }

    /** The same rule for positions read from bytes. */
    AckedPositions with(Map<Long, long[]> others) {
        return new AckedPositions(others, keepsFirstLedger);
    }

    /** Those positions, with the same rule for records. Linear in the words. */
    public AckedPositions of(PositionSet positions) {
        TreeMap<Long, long[]> words = new TreeMap<>();
        positions.forEach((ledgerId, entryId) -> {
            int word = Math.toIntExact(entryId >> 6);
            long[] known = words.getOrDefault(ledgerId, NONE);
            if (word >= known.length) {
                known = Arrays.copyOf(known, Math.max(word + 1, Math.min(2 * known.length, MOST_SPARE_WORDS + known.length)));
                words.put(ledgerId, known);
            }
            known[word] |= 1L << entryId;
        });
        return new AckedPositions(words, keepsFirstLedger);
    }

    /** The positions of the first ranges: all that a record of ranges with that limit keeps. Linear in the words. */
    public AckedPositions firstRanges(long most) {
        TreeMap<Long, long[]> first = new TreeMap<>();
        long left = most;
        for (Map.Entry<Long, long[]> ledger : bitmaps.entrySet()) {
            if (left <= 0) {
                break;
            }
            long ranges = rangesOf(ledger.getValue());
            first.put(ledger.getKey(), ranges <= left ? ledger.getValue() : firstRanges(ledger.getValue(), left));
            left -= ranges;
        }
        return new AckedPositions(first, keepsFirstLedger);
    }

    private static long[] firstRanges(long[] words, long most) {
        long[] first = words.clone();
        int begin = 0;
        for (long left = most; ; left--) {
            int start = next(words, begin, true);
            if (left == 0 || start < 0) {
                clearFrom(first, start < 0 ? words.length << 6 : start);
                return first;
            }
            int end = next(words, start, false);
            begin = end < 0 ? words.length << 6 : end;
        }
    }

    private static void clearFrom(long[] words, int bit) {
        int word = bit >> 6;
        if (word < words.length) {
            words[word] &= (1L << bit) - 1;
            Arrays.fill(words, word + 1, words.length, 0);
        }
    }

    /** The first bit from one on that is set, or is not; -1 if there is none. */
    static int next(long[] words, int from, boolean set) {
        for (int word = from >> 6; word < words.length; word++) {
            long bits = set ? words[word] : ~words[word];
            if (word == from >> 6) {
                bits &= -1L << from;
            }
            if (bits != 0) {
                return (word << 6) + Long.numberOfTrailingZeros(bits);
            }
        }
        return -1;
    }

    /** The positions of the first ledgers: all that a record of bitmaps with that limit keeps. Linear in the words. */
    public AckedPositions firstLedgers(long mostEntries) {
        TreeMap<Long, long[]> first = new TreeMap<>();
        long counted = 0;
        for (Map.Entry<Long, long[]> ledger : bitmaps.entrySet()) {
            long entries = entriesOf(ledger.getValue());
            if ((keepsFirstLedger ? counted : counted + entries) > mostEntries) {
                break;
            }
            counted += entries;
            first.put(ledger.getKey(), ledger.getValue());
        }
        return new AckedPositions(first, keepsFirstLedger);
    }

    /** Passes the positions on in their order. Linear in the words. */
    public void forEach(PositionSink sink) {
        bitmaps.forEach((ledgerId, words) -> {
            for (int entry = next(words, 0, true); entry >= 0; entry = next(words, entry + 1, true)) {
                sink.accept(ledgerId, entry);
            }
        });
    }

    /** The bitmap of each ledger, not to be changed. */
    SortedMap<Long, long[]> bitmaps() {
        return bitmaps;
    }

    @Override
    public String toString() {
        return entries() + " positions in " + bitmaps.size() + " ledgers";
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
