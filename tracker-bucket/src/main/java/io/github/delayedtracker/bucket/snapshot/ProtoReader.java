/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import io.github.delayedtracker.bytes.Varint;
import java.nio.ByteBuffer;

/** A reader of the fields of one protobuf message. The bytes may be damaged: a length beyond their end is refused. */
final class ProtoReader {

    static final int VARINT = 0;
    static final int BYTES = 2;

    private static final int FIXED64 = 1;
    private static final int FIXED32 = 5;
    private static final int TYPE_BITS = 3;
    private static final int TYPE_MASK = (1 << TYPE_BITS) - 1;
    private static final Varint.Reader<CorruptSnapshotException> NUMBERS =
            new Varint.Reader<>(Long.SIZE, CorruptSnapshotException::new);

    private final ByteBuffer from;

    /** Reads from the buffer's position to its limit, on a view of its own. */
    ProtoReader(ByteBuffer from) {
        this.from = from.slice();
    }

    boolean hasMore() {
        return from.hasRemaining();
    }

    /** The number and the type of the next field, as they stand together. */
    int tag() throws CorruptSnapshotException {
        long tag = varint();
        if (tag >>> TYPE_BITS == 0 || tag >>> Integer.SIZE != 0) {
            throw new CorruptSnapshotException("a field has a number from 1 on", tag);
        }
        return (int) tag;
    }

    static int tag(int field, int type) {
        return field << TYPE_BITS | type;
    }

    /** A number of 64 bits, in at most ten bytes. */
    long varint() throws CorruptSnapshotException {
        return NUMBERS.read(from);
    }

    /** A number that is not negative. */
    long positive(String what) throws CorruptSnapshotException {
        long number = varint();
        if (number < 0) {
            throw new CorruptSnapshotException(what + " is not negative", number);
        }
        return number;
    }

    /** The bytes of a field that has a length, as a view. */
    ByteBuffer bytes() throws CorruptSnapshotException {
        long length = varint();
        if (length < 0 || length > from.remaining()) {
            throw new CorruptSnapshotException("a field ends within the " + from.remaining() + " bytes left", length);
        }
        ByteBuffer field = from.slice(from.position(), (int) length);
        from.position(from.position() + (int) length);
        return field;
    }

    /** Skips a field that this plugin does not know. */
    void skip(int tag) throws CorruptSnapshotException {
        switch (tag & TYPE_MASK) {
            case VARINT -> varint();
            case BYTES -> bytes();
            case FIXED64 -> skipBytes(Long.BYTES);
            case FIXED32 -> skipBytes(Integer.BYTES);
            default -> throw new CorruptSnapshotException("a field has a type that is in use, tag", tag);
        }
    }

    private void skipBytes(int count) throws CorruptSnapshotException {
        if (from.remaining() < count) {
            throw new CorruptSnapshotException("a field ends within the " + from.remaining() + " bytes left", count);
        }
        from.position(from.position() + count);
    }
}
