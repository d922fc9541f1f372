/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BitsTest {

    @Test
    void everySetBitOfAWordIsFoundByItsNumber() {
        long seed = Long.getLong("delayed.test.seed", new Random().nextLong());
        Random random = new Random(seed);
        for (int run = 0; run < 20_000; run++) {
            long word = random.nextLong();
            for (int thinner = random.nextInt(7); thinner > 0; thinner--) {
                word = random.nextBoolean() ? word & random.nextLong() : word | random.nextLong();
            }
            assertFound(run == 0 ? -1L : word, "-Ddelayed.test.seed=" + seed + ", run " + run);
        }
    }

    private static void assertFound(long word, String message) {
        int n = 0;
        for (int bit = 0; bit < Long.SIZE; bit++) {
            if ((word >>> bit & 1) != 0) {
                assertEquals(bit, Bits.select(word, n), message);
                n++;
            }
        }
    }
}
