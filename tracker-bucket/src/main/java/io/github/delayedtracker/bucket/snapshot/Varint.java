/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import java.nio.ByteBuffer;

/** Numbers of 0 or more in 1 to 9 bytes: seven bits a byte, the lowest first, the highest bit set while more follow. */
final class Varint {

    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;
    private static final int MOST_BITS = 63;

    private Varint() {
    }

    static int bytes(long number) {
        return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(number) + BITS - 1) / BITS);
    }

    static void write(ByteBuffer to, long number) {
        long left = number;
        while (left >= MORE) {
            to.put((byte) (left & MORE - 1 | MORE));
            left >>>= BITS;
        }
        to.put((byte) left);
    }

    /**
     * Reads one number.
     *
     * @throws CorruptSnapshotException if it does not end within the buffer, or has more than 63 bits
     */
    static long read(ByteBuffer from) throws CorruptSnapshotException {
        long number = 0;
        for (int shift = 0; shift < MOST_BITS; shift += BITS) {
            if (!from.hasRemaining()) {
                throw new CorruptSnapshotException("a number ends inside", from.position());
            }
            byte next = from.get();
            number |= (long) (next & MORE - 1) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new CorruptSnapshotException("a number has at most 63 bits, at byte", from.position());
    }

    /** Reads one number that is at most {@code most}. */
    static long read(ByteBuffer from, long most, String what) throws CorruptSnapshotException {
        long number = read(from);
        if (number > most) {
            throw new CorruptSnapshotException(what + " is at most " + most, number);
        }
        return number;
    }
}
