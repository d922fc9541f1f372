/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import java.util.Random;

/**
 * Random numbers of 0 or more that are hard on whoever packs them: some anchors that lie one or two powers of two apart, and a
 * few steps of one unit around each.
 */
public final class WildNumbers {

    private static final int[] STEPS = {1, 4, 64, 40_000};

    private final Random random;
    private final long base;
    private final long first;
    private final long second;
    private final int unitShift;
    private final int steps;
    private final int plain;
    private long last;

    /** Draws the anchors; the base is one of them. */
    public WildNumbers(Random random, long base) {
        this.random = random;
        this.base = switch (random.nextInt(4)) {
            case 0 -> Long.MAX_VALUE - random.nextInt(1 << random.nextInt(16));
            case 1 -> random.nextLong() & Long.MAX_VALUE;
            default -> base;
        };
        first = 1L << random.nextInt(63);
        second = 1L << random.nextInt(63);
        unitShift = random.nextInt(4) == 0 ? random.nextInt(63) : random.nextInt(15);
        steps = STEPS[random.nextInt(STEPS.length)];
        plain = random.nextInt(40);
    }

    /** Another number. */
    public long next() {
        long number = base;
        if (random.nextInt(40) > plain) {
            number += (random.nextBoolean() ? first : 0) + (random.nextBoolean() ? second : 0);
        }
        number += (long) random.nextInt(steps) << unitShift;
        number += random.nextInt(8) == 0 ? random.nextInt(3) - 1 : 0;
        last = number & Long.MAX_VALUE;
        return last;
    }

    /** The number drawn last. */
    public long last() {
        return last;
    }
}
