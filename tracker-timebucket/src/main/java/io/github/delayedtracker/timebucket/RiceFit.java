/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import java.util.Arrays;

/**
 * The Rice parameter that codes some numbers shortest. Numbers far beyond the others count as what they are, escapes: one of them
 * moves no parameter, as it would move the mean. Reused.
 *
 * <p>Implementation note: numbers of as many bits are counted together and taken for their middle one.
 */
final class RiceFit {

    private static final int MOST_BITS = 62;
    private static final int ESCAPED = Bits.RICE_ESCAPE + 1 + Long.SIZE;

    private final int[] counts = new int[Long.SIZE + 1];

    void reset() {
        Arrays.fill(counts, 0);
    }

    /** Adds a number, 0 or more. */
    void add(long number) {
        counts[Long.SIZE - Long.numberOfLeadingZeros(number)]++;
    }

    /** The parameter for all numbers since the last reset. */
    int best() {
        int longest = Long.SIZE;
        while (longest > 0 && counts[longest] == 0) {
            longest--;
        }
        int best = 0;
        double least = length(0, longest);
        for (int parameter = 1; parameter <= Math.min(longest, MOST_BITS); parameter++) {
            double length = length(parameter, longest);
            if (length < least) {
                least = length;
                best = parameter;
            }
        }
        return best;
    }

    private double length(int parameter, int longest) {
        double length = 0;
        for (int bits = 0; bits <= longest; bits++) {
            double quotient = bits <= parameter ? 0 : 1.5 * Math.scalb(1.0, bits - 1 - parameter) - 0.5;
            length += counts[bits] * (quotient < Bits.RICE_ESCAPE ? quotient + 1 + parameter : ESCAPED);
        }
        return length;
    }
}
