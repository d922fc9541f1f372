/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/** An encoder of positions into the bytes of a segment. Linear, some 30 ns a position; allocates nothing but the result. */
final class SegmentEncoder {

    private static final long LARGEST_BASE = 1L << 54;

    private final Scratch scratch;
    private final BitWriter writer;
    private final int count;
    private final boolean byOffset;
    private int flags;
    private int ledgers;
    private long lastBase;
    private long lastOffset;
    private int entryBits;
    private int rows;
    private int lastRowRank;

    private SegmentEncoder(Scratch scratch, boolean byOffset) {
        this.scratch = scratch;
        this.writer = scratch.writer;
        this.count = scratch.count;
        this.byOffset = byOffset;
    }

    /** The segment of the positions in the scratch, 1 to {@link SegmentFormat#MAX_POSITIONS} of them. */
    static long[] encode(Scratch scratch) {
        return new SegmentEncoder(scratch, false).run();
    }

    /** The same segment, numbered by offset where that is shorter: for storage, where nothing is looked up. */
    static long[] encodeShortest(Scratch scratch) {
        SegmentEncoder byRank = new SegmentEncoder(scratch, false);
        long[] words = byRank.run();
        if (!byRank.mayBeByOffset()) {
            return words;
        }
        long[] other = new SegmentEncoder(scratch, true).run();
        return other.length < words.length ? other : words;
    }

    private boolean mayBeByOffset() {
        return !has(SegmentFormat.RAW_POSITIONS) && !has(SegmentFormat.CONTIGUOUS)
                && lastOffset < SegmentFormat.MOST_OFFSETS;
    }

    private long[] run() {
        writer.reset();
        writer.skip((long) SegmentFormat.HEADER_WORDS << 6);
        planPositions();
        writePositions();
        int dueStartWord = writer.usedWords();
        int unitShift = scratch.sortByTime();
        if (byOffset) {
            numberByOffset();
        }
        flags |= new DueEncoder(scratch, unitShift, byOffset ? (int) lastOffset + 1 : 0).write(has(SegmentFormat.RAW_POSITIONS));
        writer.align();
        SegmentFormat.writeHeader(writer, flags, count, ledgers, dueStartWord);
        SegmentFormat.writePositions(writer, scratch.ledgerIds[0],
                scratch.ledgerIds[count - 1] - scratch.ledgerIds[0], lastBase, lastOffset, entryBits);
        long[] words = writer.copy(1);
        SegmentFormat.seal(words);
        return words;
    }

    /** Chooses the forms of the directory; the offsets are left in the scratch. */
    private void planPositions() {
        if (!planOffsets(scratch.ascending)) {
            flags = SegmentFormat.RAW_POSITIONS;
            ledgers = 1;
            return;
        }
        flags |= lastOffset == count - 1 ? SegmentFormat.CONTIGUOUS : 0;
        flags |= ledgers <= PositionDirectory.MAX_TABLE ? SegmentFormat.LEDGER_TABLE : 0;
        if (byOffset) {
            flags |= SegmentFormat.BY_OFFSET;
            return;
        }
        if (!has(SegmentFormat.CONTIGUOUS)) {
            planRows();
        }
        boolean onePerLedger = ledgers == count && lastOffset == count - 1 && ledgers > PositionDirectory.MAX_TABLE;
        flags |= onePerLedger ? SegmentFormat.ONE_PER_LEDGER : 0;
    }

    /** Computes the offset of each position and the figures of all; false if there are too many offsets for a line. */
    private boolean planOffsets(long[] offsets) {
        long largestEntry = 0;
        long firstEntry = 0;
        long base = 0;
        long offset = -1;
        ledgers = 0;
        for (int i = 0; i < count; i++) {
            if (startsLedger(i)) {
                ledgers++;
                firstEntry = scratch.entryIds[i];
                largestEntry = Math.max(largestEntry, firstEntry);
                base = offset + 1;
            }
            offset = base + (scratch.entryIds[i] - firstEntry);
            if (offset < 0 || offset > LARGEST_BASE) {
                return false;
            }
            offsets[i] = offset;
        }
        lastBase = base;
        lastOffset = offset;
        entryBits = Long.SIZE - Long.numberOfLeadingZeros(largestEntry);
        return true;
    }

    private void numberByOffset() {
        int[] order = scratch.order;
        planOffsets(scratch.ofLedgers);
        for (int i = 0; i < count; i++) {
            scratch.numbers[i] = (int) scratch.ofLedgers[order[i]];
        }
    }

    private void planRows() {
        rows = 0;
        int lastStart = 0;
        for (int i = 0; i < count; i++) {
            if (startsRow(i)) {
                rows++;
                lastStart = i;
            }
        }
        lastRowRank = lastStart;
        boolean fewer = rows > 1 && PositionDirectory.rowWords(rows, scratch.ascending[lastStart], lastStart)
                < EliasFano.words(count, lastOffset);
        flags |= fewer ? SegmentFormat.ROWS : 0;
    }

    private void writePositions() {
        if (has(SegmentFormat.RAW_POSITIONS)) {
            lastBase = 0;
            lastOffset = 0;
            entryBits = 0;
            for (int i = 0; i < count; i++) {
                writer.write(scratch.ledgerIds[i], Long.SIZE);
                writer.write(scratch.entryIds[i], Long.SIZE);
            }
            return;
        }
        if (has(SegmentFormat.ROWS)) {
            SegmentFormat.writeRows(writer, rows, lastRowRank, scratch.ascending[lastRowRank]);
        }
        if (has(SegmentFormat.LEDGER_TABLE)) {
            writeTable();
        } else {
            writeLedgers();
        }
        if (has(SegmentFormat.ROWS)) {
            writeRows();
        } else if (!byOffset && !has(SegmentFormat.CONTIGUOUS)) {
            EliasFano.write(writer, scratch.ascending, count);
        }
    }

    private void writeRows() {
        long[] sequence = scratch.ofLedgers;
        int row = 0;
        for (int i = 0; i < count; i++) {
            if (startsRow(i)) {
                sequence[row] = scratch.ascending[i];
                row++;
            }
        }
        EliasFano.write(writer, sequence, rows);
        row = 0;
        for (int i = 0; i < count; i++) {
            if (startsRow(i)) {
                sequence[row] = i;
                row++;
            }
        }
        EliasFano.write(writer, sequence, rows);
    }

    private void writeTable() {
        for (int i = 0; i < count; i++) {
            if (startsLedger(i)) {
                writer.write(scratch.ledgerIds[i], Long.SIZE);
                writer.write(scratch.entryIds[i], Long.SIZE);
                writer.write(scratch.ascending[i], Long.SIZE);
            }
        }
    }

    private void writeLedgers() {
        long[] sequence = scratch.ofLedgers;
        int ledger = 0;
        for (int i = 0; i < count; i++) {
            if (startsLedger(i)) {
                sequence[ledger] = scratch.ledgerIds[i] - scratch.ledgerIds[0];
                ledger++;
            }
        }
        EliasFano.write(writer, sequence, ledgers);
        ledger = 0;
        for (int i = 0; i < count; i++) {
            if (startsLedger(i)) {
                writer.write(scratch.entryIds[i], entryBits);
                sequence[ledger] = scratch.ascending[i];
                ledger++;
            }
        }
        writer.align();
        if (!has(SegmentFormat.ONE_PER_LEDGER)) {
            EliasFano.write(writer, sequence, ledgers);
        }
    }

    private boolean startsRow(int index) {
        return index == 0 || scratch.ascending[index] != scratch.ascending[index - 1] + 1;
    }

    private boolean startsLedger(int index) {
        return index == 0 || scratch.ledgerIds[index] != scratch.ledgerIds[index - 1];
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }
}
