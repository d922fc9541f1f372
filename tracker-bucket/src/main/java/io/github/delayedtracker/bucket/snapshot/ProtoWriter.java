/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import java.nio.ByteBuffer;

/** Writes the fields of protobuf messages, and tells how long they are before. */
final class ProtoWriter {

    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;

    private ProtoWriter() {
    }

    static int bytes(long number) {
        return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(number) + BITS - 1) / BITS);
    }

    static void write(ByteBuffer to, long number) {
        long left = number;
        while ((left & -MORE) != 0) {
            to.put((byte) (left & MORE - 1 | MORE));
            left >>>= BITS;
        }
        to.put((byte) left);
    }

    /** A field with a number in it, and its tag. */
    static int fieldBytes(int tag, long number) {
        return bytes(tag) + bytes(number);
    }

    static void writeField(ByteBuffer to, int tag, long number) {
        write(to, tag);
        write(to, number);
    }

    /** A field of so many bytes, with its tag and its length. */
    static int lengthFieldBytes(int tag, int length) {
        return Math.addExact(bytes(tag) + bytes(length), length);
    }

    /** What stands before such bytes. */
    static void writeLength(ByteBuffer to, int tag, int length) {
        write(to, tag);
        write(to, length);
    }
}
