/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DueRows;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.LatestDue;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.index.PositionWalk;

/**
 * Positions that are not sealed yet, in ascending order: some hundred in any order, or more that came behind larger ones. They
 * are in {@link LateChunks}. An add or a removal shifts one chunk, a look-up is two binary searches, the first one due is found
 * by a look at each chunk and a pass through one.
 *
 * <p>What is known not to be here yet is put down as it comes, in {@link LooseRows}. It is put in order with the next call that
 * has to find a position, or when all is sealed.
 */
final class LatePart extends LateChunks {

    private static final int OBJECT_BYTES =
            Footprint.object(2 * Long.BYTES + 4 * Integer.BYTES + 1 + 4 * Footprint.REFERENCE);

    /** What is not in a chunk yet; null if there is none. */
    private LooseRows loose;
    private int count;
    /** The earliest due time, or an earlier one after that position was removed. */
    private long firstDueMillis = DelayIndex.NEVER;
    private boolean firstDueIsStale;
    /** The budget allowed for tidying since a position was added or taken. */
    private int idle;

    LatePart(int chunkSize) {
        super(chunkSize);
    }

    int count() {
        return count;
    }

    /** Takes over a tail of as many positions as a chunk has at most; nothing was added before. */
    void adopt(Tail tail) {
        if (tail.count() > 0) {
            insertChunk(0, tail, tail.ledgerId(0), tail.entryId(0));
            count = tail.count();
            firstDueMillis = tail.firstDueMillis();
        }
    }

    /** Whether a position lies behind all that are here. O(1). */
    boolean endsBefore(long ledgerId, long entryId) {
        return (chunkCount == 0 || chunks[chunkCount - 1].endsBefore(ledgerId, entryId))
                && (loose == null || loose.endsBefore(ledgerId, entryId));
    }

    /** Adds a position that is certainly not here. Amortized O(1), but for what it costs to put it in order. */
    void addUnknown(long dueMillis, long ledgerId, long entryId) {
        if (loose == null) {
            loose = new LooseRows();
        }
        loose.add(dueMillis, ledgerId, entryId);
        count++;
        idle = 0;
        firstDueMillis = Math.min(firstDueMillis, dueMillis);
    }

    private void order() {
        if (loose != null) {
            // Held until all are in chunks, so that an error on the way loses none.
            loose.forEachInOrder(this::insert);
            count -= loose.count();
            loose = null;
        }
    }

    /** Adds a position as it comes unless it is here; answers whether it was not. */
    boolean addLoose(long dueMillis, long ledgerId, long entryId) {
        boolean isNew = !contains(ledgerId, entryId);
        if (isNew) {
            addUnknown(dueMillis, ledgerId, entryId);
        }
        return isNew;
    }

    /** Adds a position unless it is here; answers whether it was not. */
    boolean add(long dueMillis, long ledgerId, long entryId) {
        order();
        boolean isNew = insert(dueMillis, ledgerId, entryId);
        idle = isNew ? 0 : idle;
        return isNew;
    }

    private boolean insert(long dueMillis, long ledgerId, long entryId) {
        if (chunkCount == 0) {
            insertChunk(0, new Tail(), ledgerId, entryId);
        }
        int at = Math.max(0, chunkOf(ledgerId, entryId));
        int place = chunks[at].placeOf(ledgerId, entryId);
        if (place >= 0) {
            return false;
        }
        int row = ~place;
        if (chunks[at].count() >= chunkSize) {
            if (at == chunkCount - 1 && chunks[at].endsBefore(ledgerId, entryId)) {
                at++;
                row = 0;
                insertChunk(at, new Tail(), ledgerId, entryId);
            } else {
                split(at);
                // What belongs between the halves lies below the fence of the upper one.
                if (row > chunks[at].count()) {
                    row -= chunks[at].count();
                    at++;
                }
            }
        }
        if (at == 0 && isBelowFence(0, ledgerId, entryId)) {
            fenceLedgerIds[0] = ledgerId;
            fenceEntryIds[0] = entryId;
        }
        chunkBytes += chunks[at].insert(row, dueMillis, ledgerId, entryId);
        count++;
        firstDueMillis = Math.min(firstDueMillis, dueMillis);
        return true;
    }

    boolean contains(long ledgerId, long entryId) {
        if (endsBefore(ledgerId, entryId)) {
            return false;
        }
        if (loose != null && loose.contains(ledgerId, entryId)) {
            return true;
        }
        int at = chunkOf(ledgerId, entryId);
        return at >= 0 && chunks[at].contains(ledgerId, entryId);
    }

    /** Removes a position; true if it was here. */
    boolean remove(long ledgerId, long entryId) {
        if (endsBefore(ledgerId, entryId)) {
            return false;
        }
        order();
        int at = chunkOf(ledgerId, entryId);
        if (at < 0) {
            return false;
        }
        Tail chunk = chunks[at];
        chunkBytes -= chunk.retainedBytes();
        boolean removed = chunk.remove(ledgerId, entryId);
        chunkBytes += chunk.retainedBytes();
        if (removed) {
            count--;
            firstDueIsStale = true;
            closeGap(at);
        }
        return removed;
    }

    /** Removes every position up to the given one; returns their number. Linear in the chunks. */
    int removeUpTo(long ledgerId, long entryId) {
        order();
        int before = count;
        int last = chunkOf(ledgerId, entryId);
        for (int i = 0; i < last; i++) {
            count -= chunks[i].count();
        }
        removeChunks(0, Math.max(0, last));
        if (last >= 0) {
            chunkBytes -= chunks[0].retainedBytes();
            count -= chunks[0].removeUpTo(ledgerId, entryId);
            chunkBytes += chunks[0].retainedBytes();
            closeGap(0);
        }
        firstDueIsStale |= count < before;
        return before - count;
    }

    /** The earliest due time, exactly; {@link DelayIndex#NEVER} if there is none. */
    long firstDueMillis() {
        if (firstDueIsStale) {
            firstDueMillis = loose == null ? DelayIndex.NEVER : loose.firstDueMillis();
            for (int i = 0; i < chunkCount; i++) {
                firstDueMillis = Math.min(firstDueMillis, chunks[i].firstDueMillis());
            }
            firstDueIsStale = false;
        }
        return firstDueMillis;
    }

    /** The earliest due time, or an earlier one after that position was removed. O(1). */
    long firstDueAtEarliest() {
        return firstDueMillis;
    }

    /** Sets the head to the first position in (time, ledger, entry) order. */
    void look(Head head) {
        order();
        head.exists = false;
        if (count > 0) {
            chunks[chunkOfFirstDue()].look(head);
        }
    }

    /** Hands out the first position in (time, ledger, entry) order; there must be one. */
    void takeFirst(PositionSink sink) {
        order();
        int at = chunkOfFirstDue();
        chunkBytes -= chunks[at].retainedBytes();
        try {
            chunks[at].takeFirst(sink);
        } finally {
            // It has left the chunk before the sink gets it.
            chunkBytes += chunks[at].retainedBytes();
            count--;
            firstDueIsStale = true;
            idle = 0;
            closeGap(at);
        }
    }

    /** Notes that there is a budget for tidying; answers how much there was since a position was added or taken. */
    int idleFor(int budget) {
        idle = Math.min(idle, TimeBucketIndex.MOST_IDLE) + Math.min(budget, TimeBucketIndex.MOST_IDLE);
        return idle;
    }

    /** Leaves all that is here out of what is noted. */
    void leaveOutOf(RecentPositions notes) {
        if (chunkCount > 0) {
            notes.leaveOut(chunks[chunkCount - 1]);
        }
        if (loose != null) {
            loose.leaveOutOf(notes);
        }
    }

    /** Notes all positions. Linear. */
    void noteAll(RecentPositions notes) {
        for (int i = 0; i < chunkCount; i++) {
            notes.noteAll(chunks[i]);
        }
        if (loose != null) {
            notes.noteAll(loose.rows());
        }
    }

    /** All positions, on their way into a segment; none must be added here any more. Linear, a few ns a position. */
    PackingTail freeze() {
        if (loose == null) {
            return new PackingTail(flat());
        }
        // What is in order joins what is not, in a copy, so that an error changes nothing: whoever seals it sorts all.
        LooseRows all = new LooseRows();
        loose.rows().forEach(all::add);
        for (int i = 0; i < chunkCount; i++) {
            chunks[i].forEach(all::add);
        }
        return new PackingTail(all);
    }

    /** All positions in one tail. Linear. */
    Tail flat() {
        Tail flat = new Tail();
        order();
        for (int i = 0; i < chunkCount; i++) {
            chunks[i].appendTo(flat);
        }
        return flat;
    }

    void countDueBy(long[] untilMillis, long[] counts) {
        order();
        for (int i = 0; i < chunkCount; i++) {
            chunks[i].countDueBy(untilMillis, counts);
        }
    }

    /** Takes in the latest of the positions. */
    void noteLatest(LatestDue latest) {
        order();
        for (int i = 0; i < chunkCount; i++) {
            chunks[i].noteLatest(latest);
        }
    }

    /** Adds the positions to rows. */
    void copyTo(DueRows rows) {
        order();
        for (int i = 0; i < chunkCount; i++) {
            chunks[i].forEach(rows::add);
        }
    }

    /** A walk through the positions; it goes on behind the last one, with any changes in between. */
    PositionWalk walk() {
        long[] last = {-1, -1};
        return (budget, sink) -> {
            order();
            int left = budget;
            for (int i = Math.max(0, chunkOf(last[0], last[1])); i < chunkCount && left > 0; i++) {
                left -= chunks[i].passBehind(last, left, sink);
            }
            return left == 0;
        };
    }

    long retainedBytes() {
        return OBJECT_BYTES + bytesOfChunks() + (loose == null ? 0 : loose.retainedBytes());
    }

    void validate() {
        int positions = loose == null ? 0 : loose.count();
        long bytes = 0;
        long earliest = loose == null ? DelayIndex.NEVER : loose.firstDueMillis();
        for (int i = 0; i < chunkCount; i++) {
            Tail chunk = chunks[i];
            chunk.validate();
            check(chunk.count() > 0 && chunk.count() <= chunkSize, "positions in a chunk", chunk.count());
            check(!isBelowFence(i, chunk.ledgerId(0), chunk.entryId(0)), "a chunk begins at its fence or behind", i);
            check(i == 0 || chunks[i - 1].endsBefore(fenceLedgerIds[i], fenceEntryIds[i]), "a chunk ends before the next", i);
            check(i == 0 || chunks[i - 1].count() + chunk.count() > chunkSize / 2,
                    "small chunks are joined", i);
            positions += chunk.count();
            bytes += chunk.retainedBytes();
            earliest = Math.min(earliest, chunk.firstDueMillis());
        }
        check(positions == count, "the count is that of the chunks: " + count, positions);
        check(bytes == chunkBytes, "the bytes are those of the chunks: " + chunkBytes, bytes);
        check(firstDueMillis <= earliest, "nothing is due before " + firstDueMillis, earliest);
    }

    private static void check(boolean holds, String invariant, long found) {
        if (!holds) {
            throw new IllegalStateException("late part: " + invariant + ", found " + found);
        }
    }

    private int chunkOfFirstDue() {
        long earliest = firstDueMillis();
        int at = 0;
        while (chunks[at].firstDueMillis() != earliest) {
            at++;
        }
        return at;
    }

    private void split(int at) {
        Tail whole = chunks[at];
        int half = whole.count() / 2;
        Tail lower = whole.rows(0, half);
        Tail upper = whole.rows(half, whole.count());
        insertChunk(at + 1, upper, upper.ledgerId(0), upper.entryId(0));
        // Last, so that an error loses none.
        chunks[at] = lower;
        chunkBytes += lower.retainedBytes() - whole.retainedBytes();
    }
}
