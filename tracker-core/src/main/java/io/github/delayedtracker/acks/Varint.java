/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import java.nio.ByteBuffer;

/** A number from 0 to 2^63 - 1 in 1 to 9 bytes, seven bits each, the lowest first; the highest bit tells that more follow. */
final class Varint {

    static final int MOST_BYTES = 9;
    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;

    private Varint() {
    }

    static void write(ByteBuffer to, long number) {
        long left = number;
        while (left >= MORE) {
            to.put((byte) (left & MORE - 1 | MORE));
            left >>>= BITS;
        }
        to.put((byte) left);
    }

    static long read(ByteBuffer from) throws DamagedJournalException {
        long number = 0;
        for (int i = 0; i < MOST_BYTES; i++) {
            if (!from.hasRemaining()) {
                throw DamagedJournalException.damaged("a number ends within its entry", "the end");
            }
            byte next = from.get();
            number |= (long) (next & MORE - 1) << i * BITS;
            if (next >= 0) {
                return number;
            }
        }
        throw DamagedJournalException.damaged("a number has at most 63 bits", "more");
    }
}
