/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;

/**
 * The moments at which messages are published, and the order in which a tracker meets them.
 *
 * @param rhythm how publications follow each other
 * @param lateShare the share of the messages that a tracker meets behind up to {@value #MOST_LATE} later ones, as where a key of
 *     a Key_Shared subscription is slow
 */
record Arrivals(Rhythm rhythm, double lateShare) {

    /** Messages at an even rate, in order. */
    static final Arrivals EVEN = new Arrivals(Rhythm.EVEN, 0);
    /** Messages at random moments, in order. */
    static final Arrivals RANDOM = new Arrivals(Rhythm.RANDOM, 0);
    /** Messages in dense and sparse phases, in order. */
    static final Arrivals PHASES = new Arrivals(Rhythm.PHASES, 0);

    private static final int MOST_LATE = 2_000;
    private static final int PHASE_MESSAGES = 10_000;
    /** The rate of a dense phase, and of a sparse one that follows, as multiples of the mean rate. */
    private static final double DENSE = 100;
    private static final double SPARSE = 0.5 / (1 - 0.5 / DENSE);

    /** How publications follow each other. */
    enum Rhythm {
        /** Each as long after the one before. */
        EVEN,
        /** Each as likely in any moment. */
        RANDOM,
        /** Half of the messages at a hundred times the mean rate, 10,000 in a row, and half at half of it. */
        PHASES
    }

    static Arrivals late(double share) {
        return new Arrivals(Rhythm.EVEN, share);
    }

    /** The place of each message, by its number, in the order in which a tracker meets so many. */
    IntUnaryOperator places(int count, long seed) {
        if (lateShare == 0) {
            return i -> i;
        }
        SplittableRandom random = new SplittableRandom(seed);
        long[] order = new long[count];
        for (int i = 0; i < count; i++) {
            long late = random.nextDouble() < lateShare ? random.nextInt(1, MOST_LATE + 1) : 0;
            order[i] = i + late << Integer.SIZE | i;
        }
        Arrays.sort(order);
        int[] places = new int[count];
        for (int place = 0; place < count; place++) {
            places[(int) order[place]] = place;
        }
        return i -> places[i];
    }

    /** The time from one publication to the next, in mean times, where the next one is the i-th and a number of means is due. */
    double step(long i, double means, SplittableRandom random) {
        return switch (rhythm) {
            case EVEN -> means;
            case RANDOM -> -Math.log(1 - random.nextDouble()) * means;
            case PHASES -> means / (i / PHASE_MESSAGES % 2 == 0 ? DENSE : SPARSE);
        };
    }
}
