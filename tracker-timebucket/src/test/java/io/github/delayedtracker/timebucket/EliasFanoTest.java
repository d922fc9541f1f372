/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers are found by index and by value, as fast where they lie close together behind a wide gap. */
class EliasFanoTest {

    private static final int NUMBERS = 16_384;
    private static final int LOOKS = 20_000;
    private static final int ROUNDS = 15;
    private static final int MOST_TIMES = 6;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void numbersAreFoundWhereverTheGapsAre(long seed) {
        Random random = new Random(seed);
        int count = 1 + random.nextInt(3_000);
        long[] numbers = new long[count];
        long number = -1;
        for (int i = 0; i < count; i++) {
            number += 1 + random.nextInt(1 << random.nextInt(1, 5));
            number += random.nextInt(200) == 0 ? 1L << random.nextInt(44) : 0;
            numbers[i] = number;
        }
        long[] words = written(numbers);
        EliasFano sequence = new EliasFano(0, count, number);
        assertTrue(sequence.isValid(words, true));
        for (int i = 0; i < count; i++) {
            assertEquals(numbers[i], sequence.get(words, i));
            assertEquals(i, sequence.floorIndex(words, numbers[i]));
            assertEquals(floor(numbers, numbers[i] + 1), sequence.floorIndex(words, numbers[i] + 1));
            long before = Math.max(0, numbers[i] - 1);
            assertEquals(floor(numbers, before), sequence.floorIndex(words, before));
        }
    }

    @Test
    void oneGapMakesNoLookUpSlowX2() {
        long[] even = new long[NUMBERS];
        long[] gapped = new long[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) {
            even[i] = 3L * i;
            gapped[i] = 3L * i + (i < NUMBERS / 2 ? 0 : 1L << 40);
        }
        long bestEven = Long.MAX_VALUE;
        long bestGapped = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            bestEven = Math.min(bestEven, nanosOfLooks(even));
            bestGapped = Math.min(bestGapped, nanosOfLooks(gapped));
        }
        System.out.printf("a look-up takes %d ns, with one gap %d ns%n", bestEven / LOOKS, bestGapped / LOOKS);
        assertTrue(bestGapped <= MOST_TIMES * bestEven, bestGapped + " ns with a gap, " + bestEven + " ns without");
    }

    private static long nanosOfLooks(long[] numbers) {
        long[] words = written(numbers);
        EliasFano sequence = new EliasFano(0, NUMBERS, numbers[NUMBERS - 1]);
        Random random = new Random(1);
        long begin = System.nanoTime();
        for (int i = 0; i < LOOKS; i++) {
            int index = random.nextInt(NUMBERS);
            if (sequence.floorIndex(words, numbers[index]) != index) {
                throw new AssertionError("number " + index + " is not found");
            }
        }
        return System.nanoTime() - begin;
    }

    private static long[] written(long[] numbers) {
        BitWriter writer = new BitWriter();
        EliasFano.write(writer, numbers, numbers.length);
        return writer.copy(1);
    }

    private static int floor(long[] numbers, long number) {
        int at = Arrays.binarySearch(numbers, number);
        return at >= 0 ? at : -at - 2;
    }
}
