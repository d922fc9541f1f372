/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.PositionSet;
import java.util.Arrays;

/**
 * A sorted set of positions in one plain array: ledger id, entry id, ledger id, entry id and so on. Where the array is not
 * full its last element is minus the number of unused pairs, which no entry id can be. The array grows by one pair up to eight
 * pairs, then by a quarter.
 */
final class FlatPositions {

    private FlatPositions() {
    }

    static long[] of(long ledgerId, long entryId) {
        return new long[] {ledgerId, entryId};
    }

    static int count(long[] flat) {
        long last = flat[flat.length - 1];
        return flat.length / 2 + (last < 0 ? (int) last : 0);
    }

    static boolean isFull(long[] flat) {
        return flat[flat.length - 1] >= 0;
    }

    /** The index of a position, counted in pairs, or minus one minus the index where it belongs. */
    static int find(long[] flat, int count, long ledgerId, long entryId) {
        int low = 0;
        int high = count - 1;
        if (compare(flat, high, ledgerId, entryId) < 0) {
            return -count - 1;
        }
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = compare(flat, middle, ledgerId, entryId);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    /** The set with the position put in at a pair; the same array if it was not full. */
    static long[] insert(long[] flat, int count, int at, long ledgerId, long entryId) {
        long[] target = flat;
        if (2 * count == flat.length) {
            target = new long[2 * (count + Math.max(1, count / 8 * 2))];
            System.arraycopy(flat, 0, target, 0, 2 * at);
        }
        System.arraycopy(flat, 2 * at, target, 2 * at + 2, 2 * (count - at));
        target[2 * at] = ledgerId;
        target[2 * at + 1] = entryId;
        markUnused(target, count + 1);
        return target;
    }

    /** The set without its first {@code positions} positions; it has more of them. */
    static long[] withoutFirst(long[] flat, int positions) {
        int left = count(flat) - positions;
        long[] target = 4 * left <= flat.length ? new long[2 * left] : flat;
        System.arraycopy(flat, 2 * positions, target, 0, 2 * left);
        markUnused(target, left);
        return target;
    }

    /** Consumes positions from the first on; answers their number. */
    static int consume(long[] flat, HandOut handOut) {
        int count = count(flat);
        int consumed = 0;
        while (consumed < count && handOut.consume(flat[2 * consumed], flat[2 * consumed + 1])) {
            consumed++;
        }
        return consumed;
    }

    /** Keeps the positions that are contained, without slack; null if there are none. */
    static long[] retain(long[] flat, PositionSet contained) {
        int count = count(flat);
        int kept = 0;
        for (int i = 0; i < count; i++) {
            long ledgerId = flat[2 * i];
            long entryId = flat[2 * i + 1];
            if (contained.contains(ledgerId, entryId)) {
                flat[2 * kept] = ledgerId;
                flat[2 * kept + 1] = entryId;
                kept++;
            }
        }
        if (kept == 0) {
            return null;
        }
        return 2 * kept < flat.length ? Arrays.copyOf(flat, 2 * kept) : flat;
    }

    static long[] trimmed(long[] flat) {
        return isFull(flat) ? flat : Arrays.copyOf(flat, 2 * count(flat));
    }

    /** The number of chunks, of 65,536 entry ids of one ledger, that the positions lie in. */
    static int chunks(long[] flat, int count) {
        int chunks = 1;
        for (int i = 1; i < count; i++) {
            if (!sameChunk(flat, i, i - 1)) {
                chunks++;
            }
        }
        return chunks;
    }

    /** Whether all positions and one more lie in the same chunk. */
    static boolean isOneChunk(long[] flat, int count, long ledgerId, long entryId) {
        return sameChunk(flat, 0, count - 1) && flat[0] == ledgerId && flat[1] >>> 16 == entryId >>> 16;
    }

    private static boolean sameChunk(long[] flat, int a, int b) {
        return flat[2 * a] == flat[2 * b] && flat[2 * a + 1] >>> 16 == flat[2 * b + 1] >>> 16;
    }

    private static void markUnused(long[] flat, int count) {
        if (2 * count < flat.length) {
            flat[flat.length - 1] = (long) count - flat.length / 2;
        }
    }

    private static int compare(long[] flat, int at, long ledgerId, long entryId) {
        int order = Long.compare(flat[2 * at], ledgerId);
        return order != 0 ? order : Long.compare(flat[2 * at + 1], entryId);
    }
}
