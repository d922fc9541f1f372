/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.DelayIndex;
import java.util.Random;

/**
 * The ways positions spread over due times and ledgers that decide what an index costs. Unless said otherwise one entry
 * arrives each millisecond, 50,000 entries make a ledger, and due times are rounded down to 512 ms.
 */
enum Shape {

    /** Every entry is delayed by the same time. */
    FIXED_DELAY {
        @Override
        void fill(Positions to, int i, Random random) {
            to.add(i + 60_000L, i / 50_000, i % 50_000);
        }
    },
    /** The same with 50 ms of jitter, so that two buckets are written in turn. */
    FIXED_DELAY_WITH_JITTER {
        @Override
        void fill(Positions to, int i, Random random) {
            to.add(i + 60_000L + (long) (random.nextGaussian() * 50), i / 50_000, i % 50_000);
        }
    },
    UNIFORM_600_S {
        @Override
        void fill(Positions to, int i, Random random) {
            to.add(i + random.nextLong(600_000), i / 50_000, i % 50_000);
        }
    },
    UNIFORM_24_H {
        @Override
        void fill(Positions to, int i, Random random) {
            to.add(i + random.nextLong(86_400_000), i / 50_000, i % 50_000);
        }
    },
    UNIFORM_7_D {
        @Override
        void fill(Positions to, int i, Random random) {
            to.add(i + random.nextLong(7 * 86_400_000L), i / 50_000, i % 50_000);
        }
    },
    UNIFORM_30_D {
        @Override
        void fill(Positions to, int i, Random random) {
            to.add(i + random.nextLong(30 * 86_400_000L), i / 50_000, i % 50_000);
        }
    },
    ONE_PER_LEDGER {
        @Override
        void fill(Positions to, int i, Random random) {
            to.add(i + random.nextLong(600_000), i, random.nextLong(50_000));
        }
    },
    /** The same, each of them behind up to 500 later ones. */
    ONE_PER_LEDGER_LATE {
        @Override
        void fill(Positions to, int i, Random random) {
            int block = i / 500 * 500;
            to.add(i + random.nextLong(600_000), block + (i - block) * 379 % 500, random.nextLong(50_000));
        }
    },
    ONE_PER_BUCKET {
        @Override
        void fill(Positions to, int i, Random random) {
            to.add(i * 512L, i / 50_000, i % 50_000);
        }
    },
    /** The same, but one in a thousand is due much earlier or later. */
    ONE_PER_BUCKET_BUT_A_FEW {
        @Override
        void fill(Positions to, int i, Random random) {
            to.add(i % 1_000 == 700 ? random.nextLong(100_000_000) : i * 512L, i / 50_000, i % 50_000);
        }
    },
    /** One entry in a hundred is delayed. */
    SPARSE {
        @Override
        void fill(Positions to, int i, Random random) {
            to.add(i * 100L + random.nextLong(600_000), i / 500, i % 500 * 100L);
        }
    };

    private static final long START_MILLIS = 1_700_000_000_000L;
    private static final long PRECISION_MILLIS = 512;

    /** Takes a position due at a time since the start. */
    interface Positions {
        void add(long afterMillis, long ledger, long entryId);
    }

    abstract void fill(Positions to, int i, Random random);

    /** The first positions of the shape, the same ones each time. */
    void fill(Positions to, int count) {
        Random random = new Random(1);
        for (int i = 0; i < count; i++) {
            fill((millis, ledger, entryId) -> to.add(rounded(millis), 10_000 + ledger, entryId), i, random);
        }
    }

    /** An index with the first positions of the shape. */
    void fill(DelayIndex index, int count) {
        fill(index::add, count);
    }

    private static long rounded(long millis) {
        return (START_MILLIS + millis) / PRECISION_MILLIS * PRECISION_MILLIS;
    }
}
