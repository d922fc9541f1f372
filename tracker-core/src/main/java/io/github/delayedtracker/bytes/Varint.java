/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bytes;

import java.nio.ByteBuffer;

/**
 * Numbers in 1 to 10 bytes, as protobuf has them: seven bits a byte, the lowest first, the highest bit set while more follow. A
 * number of 63 bits takes at most 9 bytes, a negative one 10.
 */
public final class Varint {

    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;

    private Varint() {
    }

    /** The length of a number, bytes. */
    public static int bytes(long number) {
        return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(number) + BITS - 1) / BITS);
    }

    /** Writes a number at the buffer's position. */
    public static void write(ByteBuffer to, long number) {
        long left = number;
        while ((left & -MORE) != 0) {
            to.put((byte) (left & MORE - 1 | MORE));
            left >>>= BITS;
        }
        to.put((byte) left);
    }

    /** A failure of a format's own, made of the rule that bytes break, in words that go before "found", and of a number. */
    @FunctionalInterface
    public interface Failure<E extends Exception> {

        /** The failure; thrown by the caller. */
        E of(String rule, long found);
    }

    /** A reader of the numbers of one format, which fails as that format does. Immutable. */
    public static final class Reader<E extends Exception> {

        private final int mostBits;
        private final Failure<E> failure;

        /**
         * A reader of numbers that are not negative, or of all.
         *
         * @param mostBits 63 or 64
         */
        public Reader(int mostBits, Failure<E> failure) {
            this.mostBits = mostBits;
            this.failure = failure;
        }

        /** Reads one number. Fails if it does not end within the buffer, or has more bits. */
        public long read(ByteBuffer from) throws E {
            long number = 0;
            for (int shift = 0; shift < mostBits; shift += BITS) {
                if (!from.hasRemaining()) {
                    throw failure.of("a number ends inside", from.position());
                }
                byte next = from.get();
                number |= (long) (next & MORE - 1) << shift;
                if (next >= 0) {
                    return number;
                }
            }
            throw failure.of("a number has at most " + mostBits + " bits, at byte", from.position());
        }

        /** Reads one number that is at most {@code most}. */
        public long read(ByteBuffer from, long most, String what) throws E {
            long number = read(from);
            if (number > most) {
                throw failure.of(what + " is at most " + most, number);
            }
            return number;
        }
    }
}
