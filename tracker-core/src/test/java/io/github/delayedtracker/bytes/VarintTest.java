/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The coding of numbers: its bytes, its lengths, and the failures of a reader. */
class VarintTest {

    private static final Varint.Reader<Refused> ALL = new Varint.Reader<>(Long.SIZE, Refused::new);
    private static final Varint.Reader<Refused> NOT_NEGATIVE = new Varint.Reader<>(Long.SIZE - 1, Refused::new);

    /** The failure of the format of this test. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String rule, long found) {
            super(rule + " " + found);
        }
    }

    private static ByteBuffer written(long number) {
        ByteBuffer bytes = ByteBuffer.allocate(Varint.bytes(number));
        Varint.write(bytes, number);
        assertFalse(bytes.hasRemaining(), () -> number + " is shorter than " + bytes.capacity() + " bytes");
        return bytes.flip();
    }

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    private static void assertRefused(String message, Varint.Reader<Refused> reader, String hex) {
        assertEquals(message, assertThrows(Refused.class, () -> reader.read(bytes(hex)), hex).getMessage());
    }

    @Test
    void theLowestSevenBitsComeFirst() {
        assertEquals(bytes("00"), written(0));
        assertEquals(bytes("7f"), written(127));
        assertEquals(bytes("8001"), written(128));
        assertEquals(bytes("ac02"), written(300));
        assertEquals(bytes("ffffffffffffffff7f"), written(Long.MAX_VALUE));
        assertEquals(bytes("ffffffffffffffffff01"), written(-1));
    }

    @Test
    void numbersOfEveryLengthAreReadAsTheyWereWritten() throws Refused {
        for (int bits = 0; bits < Long.SIZE; bits++) {
            for (long number : new long[] {(1L << bits) - 1, 1L << bits, (1L << bits) + 1}) {
                assertEquals(number, ALL.read(written(number)));
                if (number >= 0) {
                    assertEquals(number, NOT_NEGATIVE.read(written(number)));
                }
            }
        }
    }

    @Test
    void aNumberThatDoesNotEndIsRefused() {
        for (Varint.Reader<Refused> reader : Arrays.asList(ALL, NOT_NEGATIVE)) {
            assertRefused("a number ends inside 0", reader, "");
            assertRefused("a number ends inside 2", reader, "8080");
        }
        assertRefused("a number ends inside 9", ALL, "ff".repeat(9));
    }

    @Test
    void aNumberThatIsTooLongIsRefusedWithoutReadingOn() {
        assertRefused("a number has at most 63 bits, at byte 9", NOT_NEGATIVE, "ff".repeat(9) + "01");
        assertRefused("a number has at most 64 bits, at byte 10", ALL, "ff".repeat(10) + "01");
    }

    @Test
    void aNumberAboveItsLimitIsRefused() throws Refused {
        assertEquals(300, ALL.read(bytes("ac02"), 300, "the size"));
        assertEquals("the size is at most 299 300",
                assertThrows(Refused.class, () -> ALL.read(bytes("ac02"), 299, "the size")).getMessage());
    }
}
