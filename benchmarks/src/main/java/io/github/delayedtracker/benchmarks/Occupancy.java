/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.Arrays;

/**
 * The number of time buckets that some messages occupy, estimated from a sample of their due times. Within each of many ranges
 * with equally many sampled messages the due times are taken as spread at random.
 */
final class Occupancy {

    private static final int RANGES = 512;

    private Occupancy() {
    }

    /**
     * The number of buckets that are not empty.
     *
     * @param dueMillis the sample; sorted by this call
     * @param messages the number of messages in all
     */
    static double buckets(long[] dueMillis, double messages, long widthMillis) {
        if (dueMillis.length == 0) {
            return 0;
        }
        Arrays.sort(dueMillis);
        double sum = 0;
        int ranges = Math.min(RANGES, dueMillis.length);
        long lastBucket = Long.MIN_VALUE;
        for (int i = 0; i < ranges; i++) {
            int from = (int) ((long) i * dueMillis.length / ranges);
            int to = (int) ((long) (i + 1) * dueMillis.length / ranges);
            long firstBucket = Math.floorDiv(dueMillis[from], widthMillis);
            long endBucket = Math.floorDiv(dueMillis[to - 1], widthMillis);
            double within = messages * (to - from) / dueMillis.length;
            double width = Math.max(1, (double) (dueMillis[Math.min(to, dueMillis.length - 1)] - dueMillis[from]) / widthMillis);
            double occupied = endBucket == firstBucket ? Math.min(1, within) : width * -Math.expm1(-within / width);
            sum += firstBucket == endBucket && firstBucket == lastBucket ? 0 : occupied;
            lastBucket = endBucket;
        }
        return sum;
    }

    /** The number of buckets that the sample itself occupies. */
    static long counted(long[] dueMillis, long widthMillis) {
        return Arrays.stream(dueMillis).map(due -> Math.floorDiv(due, widthMillis)).distinct().count();
    }
}
