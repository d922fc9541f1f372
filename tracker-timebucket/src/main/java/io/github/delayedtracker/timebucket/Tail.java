/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.LatestDue;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.index.PositionWalk;

/**
 * Positions that are not sealed yet, in ascending order: those that came last, or a chunk of a {@link LatePart}. They are in
 * three columns, some 2 bytes a position where entries follow each other, 6 to 12 where they do not. Appending is O(1), a
 * look-up O(log n), anything else linear.
 */
final class Tail {

    private static final int OBJECT_BYTES = Footprint.object(3 * Long.BYTES + Integer.BYTES + 3 + 3 * Footprint.REFERENCE);

    /** The number of passes through a tail that cost about as much as sealing it. */
    private static final int MOST_MOVES = 16;

    /** The numbers of last positions that are looked through first, since what is late is seldom late by many. */
    private static final int CLOSE = 64;
    private static final int NEAR = 1_024;

    private LongColumn ledgerIds = new LongColumn();
    private LongColumn entryIds = new LongColumn();
    private LongColumn dueMillis = new LongColumn();
    private int count;
    private long lastLedgerId;
    private long lastEntryId;
    /** The earliest due time, or an earlier one after that position was removed. */
    private long firstDueMillis = DelayIndex.NEVER;
    private boolean firstDueIsStale;
    /** The number of passes of {@link #moveDue} through it. */
    private byte moves;
    /** Whether the position that follows the last one needs not be stored. */
    private boolean isRow;

    int count() {
        return count;
    }

    /** Whether a position lies behind all that are here. */
    boolean endsBefore(long ledgerId, long entryId) {
        return count == 0 || lastLedgerId < ledgerId || lastLedgerId == ledgerId && lastEntryId < entryId;
    }

    /** Adds a position that lies behind all that are here; answers the bytes that the columns take more than before. */
    long append(long due, long ledgerId, long entryId) {
        long grown = 0;
        if (!isRow || ledgerId != lastLedgerId || entryId != lastEntryId + 1) {
            grown = append(ledgerIds, ledgerId) + append(entryIds, entryId);
            isRow = ledgerIds.goesOnBy(0) && entryIds.goesOnBy(1);
            lastLedgerId = ledgerId;
        }
        grown += append(dueMillis, due);
        count++;
        lastEntryId = entryId;
        if (due < firstDueMillis) {
            firstDueMillis = due;
        }
        return grown;
    }

    private long append(LongColumn column, long number) {
        return column.append(count, number) ? 0 : column.insert(count, count, number);
    }

    /** Adds a position unless it is here; answers whether it was not. */
    boolean add(long due, long ledgerId, long entryId) {
        int at = placeOf(ledgerId, entryId);
        if (at < 0) {
            insert(~at, due, ledgerId, entryId);
        }
        return at < 0;
    }

    /** The index of a position, or the complement ({@code ~}) of the index that it would have if it were here. */
    int placeOf(long ledgerId, long entryId) {
        if (endsBefore(ledgerId, entryId)) {
            return ~count;
        }
        int at = ceiling(ledgerId, entryId);
        return at < count && compare(at, ledgerId, entryId) == 0 ? at : ~at;
    }

    /** Adds a position that is not here at the index it belongs to; answers the bytes that the columns take more than before. */
    long insert(int at, long due, long ledgerId, long entryId) {
        if (endsBefore(ledgerId, entryId)) {
            return append(due, ledgerId, entryId);
        }
        long grown = ledgerIds.insert(at, count, ledgerId) + entryIds.insert(at, count, entryId)
                + dueMillis.insert(at, count, due);
        count++;
        isRow = false;
        firstDueMillis = Math.min(firstDueMillis, due);
        return grown;
    }

    boolean contains(long ledgerId, long entryId) {
        return indexOf(ledgerId, entryId) >= 0;
    }

    /** Removes a position; true if it was here. */
    boolean remove(long ledgerId, long entryId) {
        int at = indexOf(ledgerId, entryId);
        if (at >= 0) {
            remove(at, at + 1);
        }
        return at >= 0;
    }

    /** Removes every position up to the given one; returns their number. */
    int removeUpTo(long ledgerId, long entryId) {
        int end = ceiling(ledgerId, entryId);
        end += end < count && ledgerIds.get(end) == ledgerId && entryIds.get(end) == entryId ? 1 : 0;
        if (end > 0) {
            remove(0, end);
        }
        return end;
    }

    /** The earliest due time, exactly; {@link DelayIndex#NEVER} if there is none. */
    long firstDueMillis() {
        if (firstDueIsStale) {
            firstDueMillis = dueMillis.least(count);
            firstDueIsStale = false;
        }
        return firstDueMillis;
    }

    /** The earliest due time, or an earlier one after that position was removed. O(1). */
    long firstDueAtEarliest() {
        return firstDueMillis;
    }

    /** Releases most of the unused room. */
    void trim() {
        ledgerIds.trim(count);
        entryIds.trim(count);
        dueMillis.trim(count);
    }

    /** Sets the head to the first position in (time, ledger, entry) order. */
    void look(Head head) {
        head.exists = count > 0;
        if (count > 0) {
            int at = indexOfFirstDue();
            head.set(firstDueMillis, ledgerIds.get(at), entryIds.get(at));
        }
    }

    /** Hands out the first position in (time, ledger, entry) order; there must be one. */
    void takeFirst(PositionSink sink) {
        int at = indexOfFirstDue();
        long ledgerId = ledgerIds.get(at);
        long entryId = entryIds.get(at);
        remove(at, at + 1);
        sink.accept(ledgerId, entryId);
    }

    /** Whether due positions were moved out of it {@link #MOST_MOVES} times, so that it is better sealed whole. */
    boolean isWorn() {
        return moves >= MOST_MOVES;
    }

    /** Takes out the earliest of the positions due at a time or before, about as many as given. Linear, some ns a position. */
    Scratch moveDue(long untilMillis, int most) {
        moves = (byte) Math.min(moves + 1, MOST_MOVES);
        DueShare due = dueShare(untilMillis, most, null);
        Scratch moved = Scratch.borrow(due.count());
        copyTo(moved, due);
        removeMarked(due.marks(), due.count());
        return moved;
    }

    /** The earliest of the positions due at a time or before, about as many as given, without those that have a mark. */
    DueShare dueShare(long untilMillis, int most, long[] without) {
        return new DueShare(dueMillis, count, untilMillis, most, without);
    }

    /** Appends the positions of a share to the scratch. */
    void copyTo(Scratch scratch, DueShare share) {
        share.forEach(i -> scratch.append(ledgerIds.get(i), entryIds.get(i), dueMillis.get(i)));
    }

    /** The earliest due time of the positions that have no mark; {@link DelayIndex#NEVER} if there is none. Linear. */
    long firstDueMillis(long[] without) {
        return dueMillis.leastUnmarked(count, without);
    }

    private void removeMarked(long[] marks, int marked) {
        if (marked == 0) {
            return;
        }
        int left = count - marked;
        ledgerIds.removeMarked(marks, count, left);
        entryIds.removeMarked(marks, count, left);
        dueMillis.removeMarked(marks, count, left);
        count = left;
        isRow = false;
        firstDueIsStale = count > 0;
        firstDueMillis = count > 0 ? firstDueMillis : DelayIndex.NEVER;
    }

    /** A copy without the positions that have a mark. Linear, some ns a position. */
    Tail without(long[] marks, int marked) {
        Tail copy = new Tail();
        copy.ledgerIds = ledgerIds.copy(count);
        copy.entryIds = entryIds.copy(count);
        copy.dueMillis = dueMillis.copy(count);
        copy.count = count;
        copy.lastLedgerId = lastLedgerId;
        copy.lastEntryId = lastEntryId;
        copy.firstDueMillis = firstDueMillis;
        copy.removeMarked(marks, marked);
        return copy;
    }

    /** Copies some positions, by their indexes, at least one. Linear in them. */
    Tail rows(int from, int to) {
        Tail rows = new Tail();
        rows.ledgerIds = ledgerIds.rows(from, to);
        rows.entryIds = entryIds.rows(from, to);
        rows.dueMillis = dueMillis.rows(from, to);
        rows.count = to - from;
        rows.lastLedgerId = ledgerIds.get(to - 1);
        rows.lastEntryId = entryIds.get(to - 1);
        rows.firstDueMillis = firstDueMillis;
        rows.firstDueIsStale = true;
        return rows;
    }

    /** Appends all positions to a tail whose positions lie before them. */
    void appendTo(Tail other) {
        forEach(other::append);
    }

    /** Passes on all positions. */
    void forEach(RowSink sink) {
        for (int i = 0; i < count; i++) {
            sink.accept(dueMillis.get(i), ledgerIds.get(i), entryIds.get(i));
        }
    }

    void copyTo(Scratch scratch) {
        ledgerIds.copyTo(scratch.ledgerIds, scratch.count, count);
        entryIds.copyTo(scratch.entryIds, scratch.count, count);
        dueMillis.copyTo(scratch.dueMillis, scratch.count, count);
        scratch.count += count;
    }

    void countDueBy(long[] untilMillis, long[] counts) {
        countDueBy(untilMillis, counts, null);
    }

    /** The same without the positions that have a mark. */
    void countDueBy(long[] untilMillis, long[] counts, long[] without) {
        for (int i = 0; i < count; i++) {
            boolean isLeft = without == null || (without[i >>> 6] & 1L << i) == 0;
            for (int j = 0; isLeft && j < untilMillis.length; j++) {
                counts[j] += dueMillis.get(i) <= untilMillis[j] ? 1 : 0;
            }
        }
    }

    /** Takes in the latest of the positions. */
    void noteLatest(LatestDue latest) {
        for (int i = 0; i < count; i++) {
            if (latest.isReached(dueMillis.get(i))) {
                latest.note(dueMillis.get(i), ledgerIds.get(i), entryIds.get(i));
            }
        }
    }

    long retainedBytes() {
        return OBJECT_BYTES + ledgerIds.retainedBytes() + entryIds.retainedBytes() + dueMillis.retainedBytes();
    }

    void validate() {
        long earliest = DelayIndex.NEVER;
        for (int i = 0; i < count; i++) {
            earliest = Math.min(earliest, dueMillis.get(i));
            if (i > 0 && compare(i - 1, ledgerIds.get(i), entryIds.get(i)) >= 0) {
                throw new IllegalStateException("tail: positions ascend, but not at " + i);
            }
        }
        if (firstDueMillis > earliest) {
            throw new IllegalStateException("tail: nothing is due before " + firstDueMillis + ", found " + earliest);
        }
        if (count > 0 && compare(count - 1, lastLedgerId, lastEntryId) > 0) {
            throw new IllegalStateException("tail: the last position is " + lastLedgerId + ":" + lastEntryId);
        }
    }

    private int indexOfFirstDue() {
        long earliest = firstDueMillis();
        int at = 0;
        while (dueMillis.get(at) != earliest) {
            at++;
        }
        return at;
    }

    private void remove(int from, int to) {
        for (int i = from; i < to && !firstDueIsStale; i++) {
            firstDueIsStale = dueMillis.get(i) == firstDueMillis;
        }
        ledgerIds.remove(from, to, count);
        entryIds.remove(from, to, count);
        dueMillis.remove(from, to, count);
        count -= to - from;
        isRow = false;
        if (count == 0) {
            firstDueMillis = DelayIndex.NEVER;
            firstDueIsStale = false;
        }
    }

    long dueMillis(int index) {
        return dueMillis.get(index);
    }

    long ledgerId(int index) {
        return ledgerIds.get(index);
    }

    long entryId(int index) {
        return entryIds.get(index);
    }

    /** A walk through the positions; it goes on behind the last one, with any changes in between. */
    PositionWalk walk() {
        long[] last = {-1, -1};
        return (budget, sink) -> passBehind(last, budget, sink) == budget;
    }

    /**
     * Passes on the positions behind the given one, up to a limit, and puts the last one in its place.
     *
     * @param last ledger id and entry id
     * @return how many there were
     */
    int passBehind(long[] last, int limit, PositionSink sink) {
        int from = ceiling(last[0], last[1]);
        from += from < count && compare(from, last[0], last[1]) == 0 ? 1 : 0;
        int end = (int) Math.min(count, (long) from + limit);
        for (int i = from; i < end; i++) {
            last[0] = ledgerIds.get(i);
            last[1] = entryIds.get(i);
            sink.accept(last[0], last[1]);
        }
        return end - from;
    }

    /** Whether the position at an index lies behind the given one. */
    boolean isAfter(int index, long ledgerId, long entryId) {
        return compare(index, ledgerId, entryId) > 0;
    }

    /** The index of a position, or -1. */
    int indexOf(long ledgerId, long entryId) {
        return Math.max(-1, placeOf(ledgerId, entryId));
    }

    /** The first index whose position is not before the given one. */
    private int ceiling(long ledgerId, long entryId) {
        int from = isBehind(CLOSE, ledgerId, entryId) ? count - CLOSE : isBehind(NEAR, ledgerId, entryId) ? count - NEAR : 0;
        int ofLedger = ledgerIds.ceiling(from, count, ledgerId);
        return entryIds.ceiling(ofLedger, endOfLedger(ofLedger, ledgerId), entryId);
    }

    /** Whether a position lies behind the one before that number of last ones. */
    private boolean isBehind(int last, long ledgerId, long entryId) {
        return count > last && compare(count - last - 1, ledgerId, entryId) < 0;
    }

    /** The index behind the positions of a ledger, which begin at an index, if there are any. O(1) with one, or of the last. */
    private int endOfLedger(int from, long ledgerId) {
        if (ledgerId == lastLedgerId) {
            return count;
        }
        int reach = 1;
        while (from + reach <= count && ledgerIds.get(from + reach - 1) == ledgerId) {
            reach <<= 1;
        }
        return ledgerIds.ceiling(from + (reach >> 1), Math.min(count, from + reach - 1), ledgerId + 1);
    }

    private int compare(int index, long ledgerId, long entryId) {
        int byLedger = Long.compare(ledgerIds.get(index), ledgerId);
        return byLedger != 0 ? byLedger : Long.compare(entryIds.get(index), entryId);
    }
}
