/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.PositionSink;

/**
 * The forms of a time bucket and the ways between them. A bucket is one of: {@code long[]}, the {@link FlatPositions} of
 * few or scattered positions; {@link Cell}, all of one ledger; {@link LedgerCells}, several ledgers. No object stands
 * around a bucket: with one position in it, a wrapper would cost as much as the position.
 *
 * <p>Cells pay where an array of 16 bytes a position is dearer than 96 bytes a ledger and 2 bytes a position.
 */
final class BucketForms {

    /** The number of positions below which only a bucket of one chunk has a cell. */
    static final int MIN_IN_CELLS = 16;
    /** The number of positions from which on a bucket of one chunk has a cell. */
    private static final int MIN_IN_ONE_CELL = 4;
    private static final int MIN_PER_CHUNK = 8;
    /** The number of scattered positions from which on they go to cells: inserting into the array costs too much time. */
    private static final int MAX_FLAT = 4096;
    /** The largest number of cells that are looked at for going back to an array. */
    static final int MAX_CELLS_FLATTENED = 512;

    private BucketForms() {
    }

    /** Whether a full array should become cells before it takes one more position. */
    static boolean belongsInCells(long[] flat, int count, long ledgerId, long entryId) {
        if (count < MIN_IN_ONE_CELL) {
            return false;
        }
        return FlatPositions.isOneChunk(flat, count, ledgerId, entryId)
                || count >= MAX_FLAT
                || count >= MIN_IN_CELLS && FlatPositions.chunks(flat, count) * MIN_PER_CHUNK <= count;
    }

    /** The positions as one cell or as cells by ledger. */
    static Object cells(long[] flat) {
        int count = FlatPositions.count(flat);
        LedgerCells cells = new LedgerCells();
        Cell cell = new ListCell(flat[0], flat[1]);
        for (int i = 1; i < count; i++) {
            long ledgerId = flat[2 * i];
            long entryId = flat[2 * i + 1];
            if (ledgerId != cell.ledgerId) {
                cells.put(cell.ledgerId, cell);
                cell = new ListCell(ledgerId, entryId);
                continue;
            }
            if (!cell.accepts(entryId)) {
                cell = cell.widened(entryId);
            }
            cell.add(entryId);
        }
        if (cells.isEmpty()) {
            return cell;
        }
        cells.put(cell.ledgerId, cell);
        return cells;
    }

    /** The bucket as an array. */
    static long[] flat(Object bucket, int count) {
        long[] flat = new long[2 * count];
        int[] filled = {0};
        forEach(bucket, (ledgerId, entryId) -> {
            flat[filled[0]++] = ledgerId;
            flat[filled[0]++] = entryId;
        });
        return flat;
    }

    /** The smallest form of cells that lost some positions; null if they lost all. */
    static Object settled(LedgerCells cells) {
        if (cells.isEmpty()) {
            return null;
        }
        if (cells.size() == 1) {
            return settled(cells.get(cells.firstLongKey()));
        }
        if (cells.size() > MAX_CELLS_FLATTENED) {
            return cells;
        }
        long count = count(cells);
        boolean flatIsSmaller = count < MAX_FLAT / 2 && bytesOfFlat(count) * 4 < retainedBytes(cells) * 3;
        return flatIsSmaller ? flat(cells, (int) count) : cells;
    }

    /** The smallest form of a cell that lost some positions but not all. */
    static Object settled(Cell cell) {
        long count = cell.count();
        return count < MIN_IN_ONE_CELL && bytesOfFlat(count) <= cell.retainedBytes() ? flat(cell, (int) count) : cell;
    }

    /** Bytes of the bucket; linear in its ledgers. */
    static long retainedBytes(Object bucket) {
        if (bucket instanceof long[] flat) {
            return HeapSizes.longArray(flat.length);
        }
        if (bucket instanceof Cell cell) {
            return cell.retainedBytes();
        }
        long bytes = LedgerCells.SHELL_BYTES;
        for (Cell cell : ((LedgerCells) bucket).values()) {
            bytes += HeapSizes.AVL_ENTRY + cell.retainedBytes();
        }
        return bytes;
    }

    static long count(Object bucket) {
        if (bucket instanceof long[] flat) {
            return FlatPositions.count(flat);
        }
        if (bucket instanceof Cell cell) {
            return cell.count();
        }
        long count = 0;
        for (Cell cell : ((LedgerCells) bucket).values()) {
            count += cell.count();
        }
        return count;
    }

    /** Passes the positions in ascending order. */
    static void forEach(Object bucket, PositionSink sink) {
        if (bucket instanceof long[] flat) {
            for (int i = 0; i < FlatPositions.count(flat); i++) {
                sink.accept(flat[2 * i], flat[2 * i + 1]);
            }
        } else if (bucket instanceof Cell cell) {
            cell.forEach(entryId -> sink.accept(cell.ledgerId, entryId));
        } else {
            for (Cell cell : ((LedgerCells) bucket).values()) {
                cell.forEach(entryId -> sink.accept(cell.ledgerId, entryId));
            }
        }
    }

    private static long bytesOfFlat(long count) {
        return HeapSizes.longArray(2 * (int) count);
    }
}
