/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSink;

/**
 * The positions of a segment in ascending order. It finds the position of a rank and the rank of a position without decoding
 * the others. O(log n).
 *
 * <p>Implementation note: each ledger covers the entries from its first to its last one. Put one behind the other these
 * ranges make one line; a ledger's <em>base</em> is where it begins there, and a position is its <em>offset</em> on the
 * line. Bases and offsets ascend, so do ledger ids: each is an Elias-Fano sequence, or left out where it can be computed.
 * Where offsets follow each other in few rows, only the rows are listed: the offset and the rank each begins with.
 */
final class PositionDirectory {

    /** The most ledgers that lie in a plain table. */
    static final int MAX_TABLE = 8;
    static final int TABLE_WORDS = 3;
    private static final int ROW_WORDS = 2;

    private static final int OBJECT_BYTES =
            Footprint.object(Long.BYTES + 4 * Integer.BYTES + 2 + 5 * Footprint.REFERENCE);

    /** The number of ranks. */
    private final int positions;
    private final int ledgers;
    private final int entryBits;
    private final int entriesWord;
    private final long firstLedgerId;
    private final boolean raw;
    private final boolean byOffset;
    private final EliasFano ids;
    private final EliasFano bases;
    /** Null where offsets are ranks or there are rows. */
    private final EliasFano offsets;
    private final EliasFano rowStarts;
    private final EliasFano rowRanks;

    /** The directory of a segment with this header. */
    PositionDirectory(SegmentFormat header) {
        positions = header.ranks();
        ledgers = header.ledgers();
        entryBits = header.entryBits();
        firstLedgerId = header.firstLedgerId();
        raw = header.has(SegmentFormat.RAW_POSITIONS);
        byOffset = header.has(SegmentFormat.BY_OFFSET);
        boolean table = header.has(SegmentFormat.LEDGER_TABLE);
        boolean hasRows = header.has(SegmentFormat.ROWS);
        int word = SegmentFormat.HEADER_WORDS + (hasRows ? ROW_WORDS : 0);
        if (raw || table) {
            ids = null;
            bases = null;
            entriesWord = word;
            word += raw ? 2 * positions : TABLE_WORDS * ledgers;
        } else {
            ids = new EliasFano(word, ledgers, header.ledgerSpan());
            entriesWord = ids.endWord();
            word = entriesWord + (int) ((long) ledgers * entryBits + 63 >>> 6);
            bases = header.has(SegmentFormat.ONE_PER_LEDGER) ? null : new EliasFano(word, ledgers, header.lastBase());
            word = bases == null ? word : bases.endWord();
        }
        offsets = raw || hasRows || byOffset || header.has(SegmentFormat.CONTIGUOUS) ? null
                : new EliasFano(word, positions, header.lastOffset());
        rowStarts = hasRows ? new EliasFano(word, header.rows(), header.lastRowStart()) : null;
        rowRanks = hasRows ? new EliasFano(rowStarts.endWord(), header.rows(), header.lastRowRank()) : null;
    }

    /** The number of words of the directory of a segment with this header; more than an int can count if it is corrupt. */
    static long words(SegmentFormat header) {
        long positions = header.positions();
        long ledgers = header.ledgers();
        if (header.has(SegmentFormat.RAW_POSITIONS)) {
            return 2 * positions;
        }
        long words = header.has(SegmentFormat.CONTIGUOUS) || header.has(SegmentFormat.BY_OFFSET) ? 0
                : header.has(SegmentFormat.ROWS) ? rowWords(header.rows(), header.lastRowStart(), header.lastRowRank())
                : EliasFano.words((int) positions, header.lastOffset());
        if (header.has(SegmentFormat.LEDGER_TABLE)) {
            return words + TABLE_WORDS * ledgers;
        }
        words += EliasFano.words((int) ledgers, header.ledgerSpan()) + (ledgers * header.entryBits() + 63 >>> 6);
        return header.has(SegmentFormat.ONE_PER_LEDGER) ? words : words + EliasFano.words((int) ledgers, header.lastBase());
    }

    /** The number of words of a table of rows, of which the last begins at an offset with a rank. */
    static long rowWords(int rows, long lastStart, int lastRank) {
        return ROW_WORDS + EliasFano.words(rows, lastStart) + EliasFano.words(rows, lastRank);
    }

    /** The rank of a position, or -1 if it is not here. */
    int rankOf(long[] words, long ledgerId, long entryId) {
        if (raw) {
            return rankInRaw(words, ledgerId, entryId);
        }
        int ledger = ledgerOf(words, ledgerId);
        if (ledger < 0) {
            return -1;
        }
        long base = base(words, ledger);
        long offset = base + (entryId - firstEntry(words, ledger));
        if (offset < base || offset >= baseAfter(words, ledger)) {
            return -1;
        }
        if (rowStarts != null) {
            int row = rowStarts.floorIndex(words, offset);
            long rank = rowRanks.get(words, row) + offset - rowStarts.get(words, row);
            long end = row + 1 < rowRanks.count() ? rowRanks.get(words, row + 1) : positions;
            return rank < end ? (int) rank : -1;
        }
        if (offsets == null) {
            return offset < positions ? (int) offset : -1;
        }
        int rank = offsets.floorIndex(words, offset);
        return rank >= 0 && offsets.get(words, rank) == offset ? rank : -1;
    }

    /** The number of positions at or before the given one. */
    int countUpTo(long[] words, long ledgerId, long entryId) {
        int low = 0;
        int high = positions;
        while (low < high) {
            int middle = low + high >>> 1;
            long offset = offset(words, middle);
            int ledger = ledger(words, offset);
            long id = ledgerId(words, ledger, offset);
            if (id < ledgerId || id == ledgerId && entryId(words, ledger, offset) <= entryId) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The offset of the position of a rank on the line of all ledgers; the rank itself where positions are raw. */
    long offset(long[] words, int rank) {
        if (rowRanks != null) {
            int row = rowRanks.floorIndex(words, rank);
            return rowStarts.get(words, row) + rank - rowRanks.get(words, row);
        }
        return offsets == null ? rank : offsets.get(words, rank);
    }

    /** The index of the ledger, counted from 0, that an offset lies in. */
    int ledger(long[] words, long offset) {
        if (raw || bases == null && ids != null) {
            return (int) offset;
        }
        if (bases != null) {
            return bases.floorIndex(words, offset);
        }
        int ledger = ledgers - 1;
        while (words[entriesWord + TABLE_WORDS * ledger + 2] > offset) {
            ledger--;
        }
        return ledger;
    }

    /** The ledger id of the position at an offset in a ledger. */
    long ledgerId(long[] words, int ledger, long offset) {
        if (raw) {
            return words[entriesWord + 2 * (int) offset];
        }
        return ids == null ? words[entriesWord + TABLE_WORDS * ledger] : firstLedgerId + ids.get(words, ledger);
    }

    /** The entry id of the position at an offset in a ledger. */
    long entryId(long[] words, int ledger, long offset) {
        if (raw) {
            return words[entriesWord + 2 * (int) offset + 1];
        }
        return firstEntry(words, ledger) + offset - base(words, ledger);
    }

    /** Passes on the position of a rank. */
    void pass(long[] words, int rank, PositionSink sink) {
        long offset = offset(words, rank);
        int ledger = ledger(words, offset);
        sink.accept(ledgerId(words, ledger, offset), entryId(words, ledger, offset));
    }

    /** Whether words from elsewhere hold a directory that can be read, with positions that ascend. */
    boolean isValid(long[] words) {
        boolean sequences = (ids == null || ids.isValid(words, true)) && (bases == null || bases.isValid(words, true))
                && (offsets == null || offsets.isValid(words, true))
                && (rowStarts == null || rowStarts.isValid(words, true) && rowRanks.isValid(words, true)
                && rowStarts.get(words, 0) == 0 && rowRanks.get(words, 0) == 0);
        if (!sequences || !raw && base(words, 0) != 0) {
            return false;
        }
        for (int ledger = 1; ids == null && ledger < ledgers; ledger++) {
            if (base(words, ledger) <= base(words, ledger - 1)) {
                return false;
            }
        }
        return byOffset ? ledgersFollow(words) : positionsAscend(words);
    }

    /** Whether each ledger covers some offsets, all of which are entries. */
    private boolean ledgersFollow(long[] words) {
        long idBefore = -1;
        for (int ledger = 0; ledger < ledgers; ledger++) {
            long first = base(words, ledger);
            long last = ledger + 1 < ledgers ? base(words, ledger + 1) - 1 : positions - 1;
            long id = ledgerId(words, ledger, first);
            if (id <= idBefore || last < first || firstEntry(words, ledger) < 0 || entryId(words, ledger, last) < 0) {
                return false;
            }
            idBefore = id;
        }
        return true;
    }

    private boolean positionsAscend(long[] words) {
        long ledgerId = -1;
        long entryId = -1;
        for (int rank = 0; rank < positions; rank++) {
            long offset = offset(words, rank);
            int ledger = ledger(words, offset);
            long id = ledgerId(words, ledger, offset);
            long entry = entryId(words, ledger, offset);
            if (id < 0 || entry < 0 || id < ledgerId || id == ledgerId && entry <= entryId) {
                return false;
            }
            ledgerId = id;
            entryId = entry;
            if (rankOf(words, id, entry) != rank) {
                return false;
            }
        }
        return true;
    }

    long retainedBytes() {
        int sequences = (ids == null ? 0 : 1) + (bases == null ? 0 : 1) + (offsets == null ? 0 : 1)
                + (rowStarts == null ? 0 : 2);
        return OBJECT_BYTES + (long) sequences * EliasFano.OBJECT_BYTES;
    }

    private long firstEntry(long[] words, int ledger) {
        return ids == null ? words[entriesWord + TABLE_WORDS * ledger + 1]
                : Bits.read(words, ((long) entriesWord << 6) + (long) ledger * entryBits, entryBits);
    }

    private long base(long[] words, int ledger) {
        if (ids == null) {
            return words[entriesWord + TABLE_WORDS * ledger + 2];
        }
        return bases == null ? ledger : bases.get(words, ledger);
    }

    private long baseAfter(long[] words, int ledger) {
        return ledger + 1 < ledgers ? base(words, ledger + 1) : Long.MAX_VALUE;
    }

    private int ledgerOf(long[] words, long ledgerId) {
        if (ids == null) {
            for (int i = 0; i < ledgers; i++) {
                if (words[entriesWord + TABLE_WORDS * i] == ledgerId) {
                    return i;
                }
            }
            return -1;
        }
        long distance = ledgerId - firstLedgerId;
        if (distance < 0) {
            return -1;
        }
        int ledger = ids.floorIndex(words, distance);
        return ids.get(words, ledger) == distance ? ledger : -1;
    }

    private int rankInRaw(long[] words, long ledgerId, long entryId) {
        int rank = countUpTo(words, ledgerId, entryId) - 1;
        return rank >= 0 && words[entriesWord + 2 * rank] == ledgerId && words[entriesWord + 2 * rank + 1] == entryId
                ? rank : -1;
    }
}
