/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.Arrays;

/**
 * The bytes that the stock in-memory trackers allocate, from how they are built. The heap of the 4.0 line: triples of 24 bytes in
 * an array that doubles, then grows by half up to 16 MiB, and from there by 16 MiB at a time. The time buckets of the 4.2 line: a
 * tree a bucket, a bitmap a cell of bucket and ledger, and arrays in it that grow with the entries.
 */
final class StockSizes {

    private static final int FIRST_LONGS = 48;
    private static final int DOUBLING_LONGS = 256;
    private static final int SEGMENT_LONGS = 2 * 1024 * 1024;

    private static final long BUCKET_BYTES = 456;
    private static final long CELL_BYTES = 288;
    /** The most entries of a cell without a bitmap of 8 KiB. */
    private static final int LARGEST_ARRAY = 4_096;
    private static final long BITMAP_BYTES = 8_192;
    private static final int FIRST_ENTRIES = 4;

    private StockSizes() {
    }

    /** The capacity of the 4.0 heap in bytes. */
    static long heapBytes(long messages) {
        long needed = 3 * messages;
        long longs = FIRST_LONGS;
        while (longs < needed && longs < SEGMENT_LONGS) {
            longs = Math.min(SEGMENT_LONGS, longs + (longs <= DOUBLING_LONGS ? longs : longs / 2));
        }
        if (longs < needed) {
            longs = (needed + SEGMENT_LONGS - 1) / SEGMENT_LONGS * SEGMENT_LONGS;
        }
        return longs * Long.BYTES;
    }

    /** The bytes of the cells of some messages of the 4.2 time buckets; sorts the array. */
    static long cellBytes(Due[] messages) {
        Arrays.sort(messages);
        long bytes = 0;
        int from = 0;
        for (int i = 1; i <= messages.length; i++) {
            if (i == messages.length || messages[i].bucket != messages[from].bucket
                    || messages[i].ledgerId != messages[from].ledgerId) {
                bytes += CELL_BYTES + arrayBytes(i - from);
                from = i;
            }
        }
        return bytes;
    }

    /** The bytes that an array of this number of entries takes more than the first one does. */
    static long arrayBytes(int entries) {
        if (entries > LARGEST_ARRAY) {
            return BITMAP_BYTES;
        }
        int capacity = FIRST_ENTRIES;
        while (capacity < entries) {
            capacity = Math.min(LARGEST_ARRAY,
                    capacity < 64 ? 2 * capacity : capacity < 1067 ? capacity * 3 / 2 : capacity * 5 / 4);
        }
        return 2L * (capacity - FIRST_ENTRIES);
    }

    static long bucketBytes(double buckets) {
        return Math.round(BUCKET_BYTES * buckets);
    }

    /** A message by the time bucket it is due in. */
    record Due(long bucket, long ledgerId) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byLedger = Long.compare(ledgerId, other.ledgerId);
            return byLedger != 0 ? byLedger : Long.compare(bucket, other.bucket);
        }
    }
}
