/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import io.github.delayedtracker.bytes.Varint;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.nio.ByteBuffer;

/**
 * The bytes of a set of positions. Ledgers ascend, and each takes the shorter of two forms: a list of runs, as gap and length,
 * or a bitmap from the first entry to the last. The size is known before the first byte is written; writing copies nothing
 * twice.
 *
 * <pre>
 *   ledgers | per ledger: gap to the ledger before (the first: its id) | runs * 2 + form | first entry | ...
 *     form 0, runs:    length - 1 | then for each further run: gap - 1 | length - 1
 *     form 1, bitmap:  words | each word in 8 bytes, the lowest bit first
 * </pre>
 */
final class PositionRuns {

    /** The numbers of a head, none of them negative. */
    static final Varint.Reader<CorruptSnapshotException> NUMBERS =
            new Varint.Reader<>(Long.SIZE - 1, CorruptSnapshotException::new);
    private static final int BITMAP = 1;

    private final LongArrayList ledgerIds = new LongArrayList();
    /** For each ledger the index of its first run; runs lie in {@link #starts} and {@link #ends}. */
    private final LongArrayList firstRuns = new LongArrayList();
    private final LongArrayList starts = new LongArrayList();
    /** The ends of the runs, exclusive; negative behind the largest entry id there is. */
    private final LongArrayList ends = new LongArrayList();
    private final LongArrayList runBytes = new LongArrayList();
    private long positions;
    private long bytes;

    /** The runs of a set, which must not change before they are written. Linear. */
    static PositionRuns of(PositionSet set) {
        PositionRuns runs = new PositionRuns();
        set.forEach(runs::append);
        runs.finish();
        return runs;
    }

    private void append(long ledgerId, long entryId) {
        positions++;
        int last = starts.size() - 1;
        boolean sameLedger = !ledgerIds.isEmpty() && ledgerIds.getLong(ledgerIds.size() - 1) == ledgerId;
        if (sameLedger && ends.getLong(last) == entryId) {
            ends.set(last, entryId + 1);
            return;
        }
        if (!sameLedger) {
            ledgerIds.add(ledgerId);
            firstRuns.add(starts.size());
        }
        starts.add(entryId);
        ends.add(entryId + 1);
    }

    private void finish() {
        firstRuns.add(starts.size());
        bytes = Varint.bytes(ledgerIds.size());
        for (int ledger = 0; ledger < ledgerIds.size(); ledger++) {
            runBytes.add(bytesOfRuns(ledger));
            long bitmapBytes = Varint.bytes(words(ledger)) + words(ledger) * Long.BYTES;
            bytes += Varint.bytes(ledgerGap(ledger)) + Varint.bytes(runs(ledger) << 1)
                    + Varint.bytes(starts.getLong(first(ledger)))
                    + (isBitmap(ledger) ? bitmapBytes : runBytes.getLong(ledger));
        }
    }

    private long bytesOfRuns(int ledger) {
        long sum = 0;
        for (int run = first(ledger); run < first(ledger + 1); run++) {
            sum += Varint.bytes(ends.getLong(run) - starts.getLong(run) - 1);
            sum += run == first(ledger) ? 0 : Varint.bytes(starts.getLong(run) - ends.getLong(run - 1) - 1);
        }
        return sum;
    }

    private int first(int ledger) {
        return (int) firstRuns.getLong(ledger);
    }

    private long runs(int ledger) {
        return firstRuns.getLong(ledger + 1) - firstRuns.getLong(ledger);
    }

    private long ledgerGap(int ledger) {
        return ledger == 0 ? ledgerIds.getLong(0) : ledgerIds.getLong(ledger) - ledgerIds.getLong(ledger - 1);
    }

    private long words(int ledger) {
        long toLast = ends.getLong(first(ledger + 1) - 1) - 1 - starts.getLong(first(ledger));
        return toLast / Long.SIZE + 1;
    }

    private boolean isBitmap(int ledger) {
        long words = words(ledger);
        return words < Integer.MAX_VALUE / Long.BYTES && starts.getLong(first(ledger)) + words * Long.SIZE > 0
                && Varint.bytes(words) + words * Long.BYTES < runBytes.getLong(ledger);
    }

    /** The number of positions. */
    long positions() {
        return positions;
    }

    /** The number of bytes that {@link #writeTo} writes. */
    long bytes() {
        return bytes;
    }

    void writeTo(ByteBuffer to) {
        Varint.write(to, ledgerIds.size());
        for (int ledger = 0; ledger < ledgerIds.size(); ledger++) {
            Varint.write(to, ledgerGap(ledger));
            Varint.write(to, runs(ledger) << 1 | (isBitmap(ledger) ? BITMAP : 0));
            Varint.write(to, starts.getLong(first(ledger)));
            if (isBitmap(ledger)) {
                writeBitmap(ledger, to);
            } else {
                writeRuns(ledger, to);
            }
        }
    }

    private void writeRuns(int ledger, ByteBuffer to) {
        for (int run = first(ledger); run < first(ledger + 1); run++) {
            if (run > first(ledger)) {
                Varint.write(to, starts.getLong(run) - ends.getLong(run - 1) - 1);
            }
            Varint.write(to, ends.getLong(run) - starts.getLong(run) - 1);
        }
    }

    private void writeBitmap(int ledger, ByteBuffer to) {
        Varint.write(to, words(ledger));
        long base = starts.getLong(first(ledger));
        int run = first(ledger);
        for (long word = 0; word < words(ledger); word++) {
            long from = base + word * Long.SIZE;
            long bits = 0;
            while (run < first(ledger + 1) && starts.getLong(run) < from + Long.SIZE) {
                bits |= ones(Math.max(starts.getLong(run), from) - from, Math.min(ends.getLong(run), from + Long.SIZE) - from);
                if (ends.getLong(run) > from + Long.SIZE) {
                    break;
                }
                run++;
            }
            to.putLong(Long.reverseBytes(bits));
        }
    }

    private static long ones(long from, long to) {
        long below = to == Long.SIZE ? -1L : (1L << to) - 1;
        return below & -1L << from;
    }

    /**
     * Reads a set and passes its positions on, ascending.
     *
     * @param most the largest number of positions there may be
     * @return the number of positions read
     * @throws CorruptSnapshotException naming the rule that the bytes break; positions may have been passed on by then
     */
    static long read(ByteBuffer from, long most, PositionSink sink) throws CorruptSnapshotException {
        long ledgers = NUMBERS.read(from, most, "the number of ledgers");
        long ledgerId = 0;
        long read = 0;
        for (long ledger = 0; ledger < ledgers; ledger++) {
            long gap = NUMBERS.read(from);
            if (ledger > 0 && gap == 0 || ledgerId + gap < 0) {
                throw new CorruptSnapshotException("ledger ids ascend", gap);
            }
            ledgerId += gap;
            long runsAndForm = NUMBERS.read(from);
            long first = NUMBERS.read(from);
            long runs = runsAndForm >>> 1;
            read += (runsAndForm & BITMAP) != 0 ? readBitmap(from, ledgerId, first, runs, most - read, sink)
                    : readRuns(from, ledgerId, first, runs, most - read, sink);
        }
        return read;
    }

    private static long readRuns(ByteBuffer from, long ledgerId, long first, long runs, long most, PositionSink sink)
            throws CorruptSnapshotException {
        check(runs >= 1 && runs <= most, "a ledger has 1 run to one for each position", runs);
        long entry = first;
        long read = 0;
        for (long run = 0; run < runs; run++) {
            entry += run == 0 ? 0 : NUMBERS.read(from) + 1;
            long length = NUMBERS.read(from, most - read - 1, "the length of a run less one") + 1;
            check(entry >= 0 && entry + (length - 1) >= 0, "entry ids are not negative", entry);
            for (long i = 0; i < length; i++) {
                sink.accept(ledgerId, entry + i);
            }
            entry += length;
            read += length;
        }
        return read;
    }

    private static long readBitmap(ByteBuffer from, long ledgerId, long first, long runs, long most, PositionSink sink)
            throws CorruptSnapshotException {
        long words = NUMBERS.read(from, from.remaining() / Long.BYTES, "the words of a bitmap");
        check(words <= from.remaining() / Long.BYTES, "a bitmap ends inside", words);
        check(first + words * Long.SIZE > 0, "entry ids are not negative", first);
        long read = 0;
        long found = 0;
        long before = 0;
        for (long word = 0; word < words; word++) {
            long bits = Long.reverseBytes(from.getLong());
            read += Long.bitCount(bits);
            found += Long.bitCount(bits & ~(bits << 1 | before));
            before = bits >>> Long.SIZE - 1;
            check(read <= most, "positions are at most " + most, read);
            for (long left = bits; left != 0; left &= left - 1) {
                sink.accept(ledgerId, first + word * Long.SIZE + Long.numberOfTrailingZeros(left));
            }
        }
        check(found == runs, "a bitmap has " + runs + " runs", found);
        return read;
    }

    private static void check(boolean holds, String rule, long found) throws CorruptSnapshotException {
        if (!holds) {
            throw new CorruptSnapshotException(rule, found);
        }
    }
}
