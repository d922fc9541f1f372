/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A time for each of some positions. Immutable, safe from any thread; 6 bytes a position where positions are dense and times
 * within 49 days of each other, 8 bytes where they are not.
 *
 * <p>Implementation note: positions are cut into chunks of 65,536 entries of a ledger. A chunk has the low 16 bits of its
 * entries, ascending, and its times as offsets from the earliest: 32 bits, and 16 more where one needs them. A change copies the
 * chunks it touches and shares the others.
 */
public final class PositionTimes {

    /** The latest time, epoch milliseconds: 48 bits, some 8,900 years. */
    public static final long LATEST_MILLIS = (1L << 48) - 1;

    /** Without a position. */
    public static final PositionTimes NONE = new PositionTimes(new Chunk[0]);

    private static final int CHUNK_BITS = 16;
    private static final int LOW_MASK = (1 << CHUNK_BITS) - 1;

    private final Chunk[] chunks;
    private final int size;

    private PositionTimes(Chunk[] chunks) {
        this.chunks = chunks;
        int count = 0;
        for (Chunk chunk : chunks) {
            count += chunk.lows.length;
        }
        this.size = count;
    }

    /** Takes a position and its time, epoch milliseconds. */
    @FunctionalInterface
    public interface Sink {

        /** Takes one. */
        void accept(long ledgerId, long entryId, long atMillis);
    }

    /** Tells whether a position is meant. */
    @FunctionalInterface
    public interface Test {

        /** Whether it is. */
        boolean test(long ledgerId, long entryId);
    }

    /** The times of the entries of one chunk. */
    private static final class Chunk {
        final long ledgerId;
        final long number;
        final char[] lows;
        final long earliestMillis;
        final int[] offsets;
        /** The bits of the offsets above the 32nd; null where there are none. */
        final char[] highs;

        Chunk(long ledgerId, long number, char[] lows, long[] atMillis) {
            this.ledgerId = ledgerId;
            this.number = number;
            this.lows = lows;
            long earliest = atMillis[0];
            long latest = atMillis[0];
            for (long each : atMillis) {
                earliest = Math.min(earliest, each);
                latest = Math.max(latest, each);
            }
            this.earliestMillis = earliest;
            this.offsets = new int[lows.length];
            boolean isWide = latest - earliest >= 1L << Integer.SIZE;
            this.highs = isWide ? new char[lows.length] : null;
            for (int i = 0; i < lows.length; i++) {
                long offset = atMillis[i] - earliestMillis;
                offsets[i] = (int) offset;
                if (isWide) {
                    highs[i] = (char) (offset >>> Integer.SIZE);
                }
            }
        }

        long atMillis(int i) {
            return earliestMillis + Integer.toUnsignedLong(offsets[i]) + (highs == null ? 0 : (long) highs[i] << Integer.SIZE);
        }

        long entryId(int i) {
            return number << CHUNK_BITS | lows[i];
        }

        int compareTo(long otherLedgerId, long otherNumber) {
            return ledgerId == otherLedgerId ? Long.compare(number, otherNumber) : Long.compare(ledgerId, otherLedgerId);
        }

        long retainedBytes() {
            return (long) Footprint.object(3 * Long.BYTES + 3 * Footprint.REFERENCE)
                    + Footprint.array(lows.length, Character.BYTES) + Footprint.array(lows.length, Integer.BYTES)
                    + (highs == null ? 0 : Footprint.array(lows.length, Character.BYTES));
        }
    }

    /** Collects positions in ascending order, each once. One thread. */
    public static final class Builder {

        private final List<Chunk> chunks = new ArrayList<>();
        private char[] lows = new char[16];
        private long[] atMillis = new long[16];
        private int count;
        private long ledgerId = -1;
        private long number;

        /**
         * Adds a position.
         *
         * @throws IllegalArgumentException if it is not behind the one before, or the time is not from 0 to
         *     {@link #LATEST_MILLIS}
         */
        public void add(long positionLedgerId, long entryId, long timeMillis) {
            if (timeMillis < 0 || timeMillis > LATEST_MILLIS) {
                throw new IllegalArgumentException("a time is from 0 to " + LATEST_MILLIS + " ms, this is " + timeMillis);
            }
            long chunk = entryId >>> CHUNK_BITS;
            boolean isNext = count > 0 && positionLedgerId == ledgerId && chunk == number;
            boolean ascends = isNext ? (entryId & LOW_MASK) > lows[count - 1]
                    : positionLedgerId > ledgerId || positionLedgerId == ledgerId && chunk > number;
            if (!ascends || entryId < 0) {
                throw new IllegalArgumentException("positions ascend, and " + positionLedgerId + ":" + entryId + " does not");
            }
            if (!isNext) {
                endChunk();
                ledgerId = positionLedgerId;
                number = chunk;
            }
            if (count == lows.length) {
                lows = Arrays.copyOf(lows, 2 * count);
                atMillis = Arrays.copyOf(atMillis, 2 * count);
            }
            lows[count] = (char) (entryId & LOW_MASK);
            atMillis[count++] = timeMillis;
        }

        private void endChunk() {
            if (count > 0) {
                chunks.add(new Chunk(ledgerId, number, Arrays.copyOf(lows, count), Arrays.copyOf(atMillis, count)));
                count = 0;
            }
        }

        /** All that was added. */
        public PositionTimes build() {
            endChunk();
            return chunks.isEmpty() ? NONE : new PositionTimes(chunks.toArray(Chunk[]::new));
        }
    }

    /** One time for all of some positions. */
    public static PositionTimes of(PositionSet positions, long atMillis) {
        Builder all = new Builder();
        positions.forEach((ledgerId, entryId) -> all.add(ledgerId, entryId, atMillis));
        return all.build();
    }

    /** The same positions, each with its time moved, within 0 to {@link #LATEST_MILLIS}. Linear. */
    public PositionTimes by(long millis) {
        Builder moved = new Builder();
        forEach((ledgerId, entryId, atMillis) -> moved.add(ledgerId, entryId,
                Math.max(0, Math.min(LATEST_MILLIS, atMillis + millis))));
        return moved.build();
    }

    /** The time of a position; empty if it has none here. O(log n). */
    public OptionalLong at(long ledgerId, long entryId) {
        long number = entryId >>> CHUNK_BITS;
        int low = 0;
        int high = chunks.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = chunks[middle].compareTo(ledgerId, number);
            if (order == 0) {
                int i = Arrays.binarySearch(chunks[middle].lows, (char) (entryId & LOW_MASK));
                return i < 0 ? OptionalLong.empty() : OptionalLong.of(chunks[middle].atMillis(i));
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle - 1;
        }
        return OptionalLong.empty();
    }

    /** These and others; where both have a time for a position that of the others counts. Linear in the chunks that both have. */
    public PositionTimes plus(PositionTimes others) {
        if (others.isEmpty() || isEmpty()) {
            return others.isEmpty() ? this : others;
        }
        List<Chunk> all = new ArrayList<>(chunks.length + others.chunks.length);
        int i = 0;
        int j = 0;
        while (i < chunks.length || j < others.chunks.length) {
            int order = i == chunks.length ? 1 : j == others.chunks.length ? -1
                    : chunks[i].compareTo(others.chunks[j].ledgerId, others.chunks[j].number);
            all.add(order < 0 ? chunks[i] : order > 0 ? others.chunks[j] : merged(chunks[i], others.chunks[j]));
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
        return new PositionTimes(all.toArray(Chunk[]::new));
    }

    private static Chunk merged(Chunk one, Chunk other) {
        char[] lows = new char[one.lows.length + other.lows.length];
        long[] atMillis = new long[lows.length];
        int count = 0;
        int i = 0;
        int j = 0;
        while (i < one.lows.length || j < other.lows.length) {
            int order = i == one.lows.length ? 1 : j == other.lows.length ? -1 : one.lows[i] - other.lows[j];
            lows[count] = order < 0 ? one.lows[i] : other.lows[j];
            atMillis[count++] = order < 0 ? one.atMillis(i) : other.atMillis(j);
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
        return new Chunk(one.ledgerId, one.number, Arrays.copyOf(lows, count), Arrays.copyOf(atMillis, count));
    }

    /** Without the positions that are meant. Linear; chunks that keep all are shared. */
    public PositionTimes without(Test gone) {
        List<Chunk> kept = new ArrayList<>(chunks.length);
        for (Chunk chunk : chunks) {
            Builder left = new Builder();
            forEach(chunk, (ledgerId, entryId, atMillis) -> {
                if (!gone.test(ledgerId, entryId)) {
                    left.add(ledgerId, entryId, atMillis);
                }
            });
            PositionTimes some = left.build();
            kept.addAll(some.size == chunk.lows.length ? List.of(chunk) : List.of(some.chunks));
        }
        return kept.isEmpty() ? NONE : new PositionTimes(kept.toArray(Chunk[]::new));
    }

    /** Passes on all, ascending. */
    public void forEach(Sink sink) {
        for (Chunk chunk : chunks) {
            forEach(chunk, sink);
        }
    }

    private static void forEach(Chunk chunk, Sink sink) {
        for (int i = 0; i < chunk.lows.length; i++) {
            sink.accept(chunk.ledgerId, chunk.entryId(i), chunk.atMillis(i));
        }
    }

    /** Those within a range. Linear in the chunks that it cuts; the others are shared. */
    public PositionTimes within(PositionRange range) {
        List<Chunk> kept = new ArrayList<>();
        for (Chunk chunk : chunks) {
            long first = chunk.entryId(0);
            long last = chunk.entryId(chunk.lows.length - 1);
            if (range.contains(chunk.ledgerId, first) && range.contains(chunk.ledgerId, last)) {
                kept.add(chunk);
            } else if (range.overlaps(chunk.ledgerId, first, chunk.ledgerId, last)) {
                Builder some = new Builder();
                forEach(chunk, (ledgerId, entryId, atMillis) -> {
                    if (range.contains(ledgerId, entryId)) {
                        some.add(ledgerId, entryId, atMillis);
                    }
                });
                kept.addAll(List.of(some.build().chunks));
            }
        }
        return kept.isEmpty() ? NONE : new PositionTimes(kept.toArray(Chunk[]::new));
    }

    /** Passes on pieces that make up all of them, ascending, each of at most that many positions. */
    public void inSlices(int most, Consumer<PositionTimes> sink) {
        Builder[] slice = {new Builder()};
        int[] count = {0};
        forEach((ledgerId, entryId, atMillis) -> {
            if (count[0] == most) {
                sink.accept(slice[0].build());
                slice[0] = new Builder();
                count[0] = 0;
            }
            slice[0].add(ledgerId, entryId, atMillis);
            count[0]++;
        });
        if (count[0] > 0) {
            sink.accept(slice[0].build());
        }
    }

    /** How many positions have a time. */
    public int size() {
        return size;
    }

    /** Whether none has. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** The bytes of heap kept alive, within 10 %. Linear in the chunks. */
    public long retainedBytes() {
        if (isEmpty()) {
            return 0;
        }
        long bytes = (long) Footprint.object(Integer.BYTES + Footprint.REFERENCE)
                + Footprint.array(chunks.length, Footprint.REFERENCE);
        for (Chunk chunk : chunks) {
            bytes += chunk.retainedBytes();
        }
        return bytes;
    }
}
