/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;

/**
 * How many different numbers there are among many, in bounded memory: exact up to a quarter of a million, good to half a
 * percent beyond. The adaptive sampling of M. Wegman (P. Flajolet, On adaptive sampling, Computing 43, 1990): only numbers
 * whose hash ends with some zeros are kept, one zero more each time they become too many.
 */
final class DistinctCount {

    private static final int MOST_KEPT = 1 << 18;

    private final LongOpenHashSet kept = new LongOpenHashSet();
    private int zeros;

    void add(long number) {
        if (isSampled(number) && kept.add(number) && kept.size() > MOST_KEPT) {
            zeros++;
            kept.removeIf((long each) -> !isSampled(each));
        }
    }

    private boolean isSampled(long number) {
        return (HashCommon.murmurHash3(number) & (1L << zeros) - 1) == 0;
    }

    /** The number of different ones added. */
    long estimate() {
        return (long) kept.size() << zeros;
    }
}
