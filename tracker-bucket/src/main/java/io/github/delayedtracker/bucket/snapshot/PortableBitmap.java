/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import io.github.delayedtracker.index.PositionSink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A reader of a bitmap of 32-bit numbers in the portable form of Roaring. The bytes may be damaged; it allocates nothing. */
final class PortableBitmap {

    private static final int COOKIE = 12_346;
    private static final int COOKIE_WITH_RUNS = 12_347;
    private static final int MOST_CONTAINERS = 1 << 16;
    private static final int MOST_IN_ARRAY = 4_096;
    private static final int NUMBERS = 1 << 16;
    private static final int NO_OFFSETS_BELOW = 4;
    private static final int HEADER_BYTES = 2 * Short.BYTES;

    private final ByteBuffer from;
    private final long ledgerId;
    private final PositionSink sink;

    private PortableBitmap(ByteBuffer bytes, long ledgerId, PositionSink sink) {
        this.from = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        this.ledgerId = ledgerId;
        this.sink = sink;
    }

    /**
     * Passes on every number as an entry of a ledger, ascending; numbers before the damage are passed on too.
     *
     * @return the number of entries
     */
    static long read(ByteBuffer bytes, long ledgerId, PositionSink sink) throws CorruptSnapshotException {
        return new PortableBitmap(bytes, ledgerId, sink).read();
    }

    private long read() throws CorruptSnapshotException {
        need(Integer.BYTES);
        int cookie = from.getInt();
        boolean runs = (cookie & NUMBERS - 1) == COOKIE_WITH_RUNS;
        if (!runs && cookie != COOKIE) {
            throw new CorruptSnapshotException("a bitmap begins with " + COOKIE + " or " + COOKIE_WITH_RUNS, cookie);
        }
        if (!runs) {
            need(Integer.BYTES);
        }
        int containers = runs ? (cookie >>> Short.SIZE) + 1 : from.getInt();
        if (containers < 0 || containers > MOST_CONTAINERS) {
            throw new CorruptSnapshotException("a bitmap has at most " + MOST_CONTAINERS + " containers", containers);
        }
        int flagsAt = from.position();
        int headersAt = flagsAt + (runs ? (containers + Byte.SIZE - 1) / Byte.SIZE : 0);
        int offsets = !runs || containers >= NO_OFFSETS_BELOW ? containers : 0;
        int headerBytes = headersAt - flagsAt + containers * HEADER_BYTES + offsets * Integer.BYTES;
        need(headerBytes);
        from.position(flagsAt + headerBytes);
        long count = 0;
        int before = -1;
        for (int i = 0; i < containers; i++) {
            int key = Short.toUnsignedInt(from.getShort(headersAt + i * HEADER_BYTES));
            int cardinality = Short.toUnsignedInt(from.getShort(headersAt + i * HEADER_BYTES + Short.BYTES)) + 1;
            if (key <= before) {
                throw new CorruptSnapshotException("containers of a bitmap ascend from " + before, key);
            }
            before = key;
            boolean run = runs && (from.get(flagsAt + i / Byte.SIZE) >>> i % Byte.SIZE & 1) != 0;
            container((long) key << Short.SIZE, cardinality, run);
            count += cardinality;
        }
        if (from.hasRemaining()) {
            throw new CorruptSnapshotException("nothing follows a bitmap", from.remaining());
        }
        return count;
    }

    private void container(long base, int cardinality, boolean run) throws CorruptSnapshotException {
        if (run) {
            runs(base, cardinality);
        } else if (cardinality <= MOST_IN_ARRAY) {
            array(base, cardinality);
        } else {
            bits(base, cardinality);
        }
    }

    private void array(long base, int cardinality) throws CorruptSnapshotException {
        need(cardinality * Short.BYTES);
        int before = -1;
        for (int i = 0; i < cardinality; i++) {
            int number = Short.toUnsignedInt(from.getShort());
            if (number <= before) {
                throw new CorruptSnapshotException("numbers of a bitmap ascend from " + before, number);
            }
            before = number;
            sink.accept(ledgerId, base + number);
        }
    }

    private void bits(long base, int cardinality) throws CorruptSnapshotException {
        need(NUMBERS / Byte.SIZE);
        int found = 0;
        for (int word = 0; word < NUMBERS / Long.SIZE; word++) {
            for (long left = from.getLong(); left != 0; left &= left - 1) {
                found++;
                sink.accept(ledgerId, base + (long) word * Long.SIZE + Long.numberOfTrailingZeros(left));
            }
        }
        mustBe(cardinality, found);
    }

    private void runs(long base, int cardinality) throws CorruptSnapshotException {
        need(Short.BYTES);
        int runs = Short.toUnsignedInt(from.getShort());
        need(runs * HEADER_BYTES);
        int found = 0;
        int before = -1;
        for (int i = 0; i < runs; i++) {
            int first = Short.toUnsignedInt(from.getShort());
            int last = first + Short.toUnsignedInt(from.getShort());
            if (first <= before || last >= NUMBERS) {
                throw new CorruptSnapshotException("runs of a bitmap ascend within " + NUMBERS + ", from " + before, first);
            }
            before = last;
            found += last - first + 1;
            mustBeAtMost(cardinality, found);
            for (int number = first; number <= last; number++) {
                sink.accept(ledgerId, base + number);
            }
        }
        mustBe(cardinality, found);
    }

    private void need(int bytes) throws CorruptSnapshotException {
        if (from.remaining() < bytes) {
            throw new CorruptSnapshotException("a bitmap has " + bytes + " bytes more", from.remaining());
        }
    }

    private static void mustBe(int cardinality, int found) throws CorruptSnapshotException {
        if (found != cardinality) {
            throw new CorruptSnapshotException("a container of a bitmap has " + cardinality + " numbers", found);
        }
    }

    private static void mustBeAtMost(int cardinality, int found) throws CorruptSnapshotException {
        if (found > cardinality) {
            throw new CorruptSnapshotException("a container of a bitmap has " + cardinality + " numbers", found);
        }
    }
}
