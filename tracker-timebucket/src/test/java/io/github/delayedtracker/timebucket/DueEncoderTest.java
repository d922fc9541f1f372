/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class DueEncoderTest {

    private static final int ROUNDS = 500;
    private static final long FIRST_MILLIS = 1_700_000_000_000L;

    @Test
    void theLengthOfGroupsInOrderIsKnownWithoutWritingThem() {
        Random random = new Random(1);
        int told = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int wide = 1 << random.nextInt(14);
            int same = 1 + random.nextInt(4);
            Scratch scratch = Scratch.borrow(3_000);
            long due = FIRST_MILLIS;
            int positions = 1 + random.nextInt(3_000);
            for (int i = 0; i < positions; i++) {
                due += random.nextInt(same) == 0 ? (long) (wide * -Math.log(1 - random.nextDouble())) : 0;
                scratch.append(1, i, due);
            }
            DueEncoder encoder = encoder(scratch);
            if (encoder.isInOrder()) {
                told++;
                long bits = encoder.groupBitsInOrder();
                long from = scratch.writer.bits();
                encoder.writeGroups();
                assertEquals(bits, scratch.writer.bits() - from, "round " + round);
            }
            Scratch.giveBack(scratch);
        }
        assertTrue(told > ROUNDS / 2, "in order were " + told);
    }

    @Test
    void aPositionThatIsDueBeforeTheOneBeforeItIsNotInOrder() {
        Scratch scratch = Scratch.borrow(100);
        for (int i = 0; i < 100; i++) {
            scratch.append(1, i, FIRST_MILLIS + (i == 57 ? 0 : i * 512L));
        }
        assertFalse(encoder(scratch).isInOrder());
        Scratch.giveBack(scratch);
    }

    private static DueEncoder encoder(Scratch scratch) {
        scratch.writer.reset();
        DueEncoder encoder = new DueEncoder(scratch, scratch.sortByTime(), 0);
        encoder.fitGroups();
        return encoder;
    }
}
