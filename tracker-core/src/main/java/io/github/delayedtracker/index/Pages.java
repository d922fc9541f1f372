/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import java.util.Arrays;

/**
 * A page: the members of a set among 4,096 neighbouring entry ids of one ledger.
 *
 * <p>A page has one of three forms, by the number of its members: a sorted {@code char[]} of exactly the entries, up to
 * {@link #MAX_LIST}; above it a {@code long[65]}, 64 words of bits and their count; and for all entries the shared {@link #FULL}.
 * A bitmap falls back to a list only at three quarters of {@link #MAX_LIST}, so that a page on the edge does not flip at each
 * call. There is no empty page. An array that a method returns may be its argument, changed in place.
 */
final class Pages {

    static final int SIZE = 4_096;
    /** The most entries kept as a list, which is about as large as the bitmap then. */
    static final int MAX_LIST = 256;
    static final Object FULL = new Object();

    private static final int WORDS = SIZE / Long.SIZE;
    private static final int MIN_BITMAP = MAX_LIST * 3 / 4;

    private Pages() {
    }

    static Object single(int entry) {
        return new char[] {(char) entry};
    }

    static boolean contains(Object page, int entry) {
        if (page instanceof long[] words) {
            return (words[entry >>> 6] & 1L << entry) != 0;
        }
        return page == FULL || Arrays.binarySearch((char[]) page, (char) entry) >= 0;
    }

    /** The page with an entry more, which it must not contain. */
    static Object with(Object page, int entry) {
        if (page instanceof long[] words) {
            words[entry >>> 6] |= 1L << entry;
            words[WORDS]++;
            return words[WORDS] == SIZE ? FULL : words;
        }
        char[] list = (char[]) page;
        if (list.length == MAX_LIST) {
            return with(toBitmap(list), entry);
        }
        int at = -1 - Arrays.binarySearch(list, (char) entry);
        char[] longer = Arrays.copyOf(list, list.length + 1);
        System.arraycopy(list, at, longer, at + 1, list.length - at);
        longer[at] = (char) entry;
        return longer;
    }

    /** The page with an entry less, which it must contain; null if it was the last. */
    static Object without(Object page, int entry) {
        if (page instanceof char[] list) {
            if (list.length == 1) {
                return null;
            }
            int at = Arrays.binarySearch(list, (char) entry);
            char[] shorter = Arrays.copyOf(list, list.length - 1);
            System.arraycopy(list, at + 1, shorter, at, shorter.length - at);
            return shorter;
        }
        long[] words = page == FULL ? allBits() : (long[]) page;
        words[entry >>> 6] &= ~(1L << entry);
        words[WORDS]--;
        return words[WORDS] < MIN_BITMAP ? toList(words) : words;
    }

    /** The page without the entries up to and including the given one; null if none is left. */
    static Object withoutUpTo(Object page, int entry) {
        if (page instanceof char[] list) {
            int found = Arrays.binarySearch(list, (char) entry);
            int from = found >= 0 ? found + 1 : -1 - found;
            return from == list.length ? null : from == 0 ? list : Arrays.copyOfRange(list, from, list.length);
        }
        long[] words = page == FULL ? allBits() : (long[]) page;
        int last = entry >>> 6;
        Arrays.fill(words, 0, last, 0);
        words[last] &= entry % Long.SIZE == Long.SIZE - 1 ? 0 : -1L << entry + 1;
        int left = 0;
        for (int i = last; i < WORDS; i++) {
            left += Long.bitCount(words[i]);
        }
        words[WORDS] = left;
        return left == 0 ? null : left < MIN_BITMAP ? toList(words) : words;
    }

    static int count(Object page) {
        if (page instanceof char[] list) {
            return list.length;
        }
        return page == FULL ? SIZE : (int) ((long[]) page)[WORDS];
    }

    static int first(Object page) {
        if (page instanceof char[] list) {
            return list[0];
        }
        return page == FULL ? 0 : nextBit((long[]) page, 0);
    }

    static void forEach(Object page, long ledgerId, long firstEntryId, PositionSink sink) {
        if (page instanceof char[] list) {
            for (char entry : list) {
                sink.accept(ledgerId, firstEntryId + entry);
            }
        } else if (page == FULL) {
            for (int entry = 0; entry < SIZE; entry++) {
                sink.accept(ledgerId, firstEntryId + entry);
            }
        } else {
            long[] words = (long[]) page;
            for (int entry = nextBit(words, 0); entry < SIZE; entry = nextBit(words, entry + 1)) {
                sink.accept(ledgerId, firstEntryId + entry);
            }
        }
    }

    static int retainedBytes(Object page) {
        if (page instanceof char[] list) {
            return Footprint.array(list.length, Character.BYTES);
        }
        return page == FULL ? 0 : Footprint.array(WORDS + 1, Long.BYTES);
    }

    static void validate(Object page) {
        if (page instanceof char[] list) {
            check(list.length >= 1 && list.length <= MAX_LIST, "a list has 1 to " + MAX_LIST + " entries: " + list.length);
            for (int i = 1; i < list.length; i++) {
                check(list[i - 1] < list[i] && list[i] < SIZE, "a list ascends below " + SIZE + ": " + (int) list[i]);
            }
        } else if (page != FULL) {
            long[] words = (long[]) page;
            int bits = 0;
            for (int i = 0; i < WORDS; i++) {
                bits += Long.bitCount(words[i]);
            }
            check(bits == words[WORDS], "a bitmap counts its bits: " + words[WORDS] + " for " + bits);
            check(bits >= MIN_BITMAP && bits < SIZE, "a bitmap is neither sparse nor full: " + bits);
        }
    }

    private static void check(boolean holds, String invariant) {
        if (!holds) {
            throw new IllegalStateException(invariant);
        }
    }

    private static int nextBit(long[] words, int from) {
        int word = from >>> 6;
        if (word >= WORDS) {
            return SIZE;
        }
        long bits = words[word] & -1L << from;
        while (bits == 0) {
            word++;
            if (word == WORDS) {
                return SIZE;
            }
            bits = words[word];
        }
        return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
    }

    private static long[] allBits() {
        long[] words = new long[WORDS + 1];
        Arrays.fill(words, 0, WORDS, -1L);
        words[WORDS] = SIZE;
        return words;
    }

    private static long[] toBitmap(char[] list) {
        long[] words = new long[WORDS + 1];
        for (char entry : list) {
            words[entry >>> 6] |= 1L << entry;
        }
        words[WORDS] = list.length;
        return words;
    }

    private static char[] toList(long[] words) {
        char[] list = new char[(int) words[WORDS]];
        int at = 0;
        for (int entry = nextBit(words, 0); entry < SIZE; entry = nextBit(words, entry + 1)) {
            list[at] = (char) entry;
            at++;
        }
        return list;
    }
}
