/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionWalk;
import java.util.List;

/**
 * A sealed segment and its state: which of its positions are still contained, and how far it was handed out.
 *
 * <p>Implementation note: contained are the head and the ranks that the cursor has not come to, but for those below
 * {@code deadBelow} and those that left out of order, which {@link GoneRanks} say while one of them is ahead in the due stream.
 * The part of that stream that was read is cut off from time to time.
 */
final class Segment {

    private static final int OBJECT_BYTES =
            Footprint.object(10 * Long.BYTES + 5 * Integer.BYTES + 5 + 5 * Footprint.REFERENCE);
    private static final long[] NO_WORDS = {};
    private static final int MAX_PASSED = 1 << 6;
    /** The fewest words whose cutting off is worth a copy. */
    private static final int MIN_CUT_WORDS = 32;
    /** The share of all words whose cutting off is worth a copy, as a power of two, and the share of many. */
    private static final int CUT_SHIFT = 5;
    private static final int CUT_OF_MANY_SHIFT = 3;
    /** The most words that are copied for the smaller share: it is done in a call. */
    private static final int MOST_COPIED_WORDS = 1 << 14;

    final long firstLedgerId;
    final long firstEntryId;
    final long lastLedgerId;
    final long lastEntryId;
    /** The largest last position of this and all segments before it; kept by {@link SegmentOrder}. */
    long reachLedgerId;
    long reachEntryId;
    /** The index in the {@link DueHeap}. */
    int heapIndex;
    /** Whether {@link SegmentList} counts it among those to be written anew. */
    boolean counted;
    /** Whether nobody has looked yet whether it is to be written anew with its neighbours. */
    boolean isNew;

    private final int positions;
    private final int dueStartWord;
    private final PositionDirectory directory;
    final DueSamples samples;
    private final DueCursor cursor;
    private long[] words;
    /** The ranks that have left out of order; null while none of those is ahead in the due stream. */
    private GoneRanks gone;
    private int deadBelow;
    private int size;
    private long retainedBytes;
    /** Whether the marks of the cursor, which are made once, are counted among the retained bytes. */
    private boolean cursorIsCounted;

    private boolean hasHead;
    /** Whether the head has left out of order. */
    private boolean headIsGone;
    private long headDueMillis;
    private long headLedgerId;
    private long headEntryId;

    /** A segment of the positions in the scratch. */
    static Segment of(Scratch scratch) {
        long[] words = SegmentEncoder.encode(scratch);
        return new Segment(words, DueSamples.of(scratch));
    }

    /** A segment that comes from elsewhere, of which nothing was handed out; not one that is numbered by offset. */
    static Segment of(long[] words) {
        return new Segment(words, DueSamples.of(SegmentFormat.of(words), words));
    }

    private Segment(long[] words, DueSamples samples) {
        this.words = words;
        this.samples = samples;
        SegmentFormat header = SegmentFormat.of(words);
        if (header.has(SegmentFormat.BY_OFFSET)) {
            throw new IllegalArgumentException("positions are looked up by rank, but this segment numbers them by offset");
        }
        positions = header.positions();
        size = positions;
        dueStartWord = header.dueStartWord();
        directory = new PositionDirectory(header);
        cursor = new DueCursor(header, words);
        firstLedgerId = directory.ledgerId(words, 0, 0);
        firstEntryId = directory.entryId(words, 0, 0);
        long lastOffset = directory.offset(words, positions - 1);
        int lastLedger = directory.ledger(words, lastOffset);
        lastLedgerId = directory.ledgerId(words, lastLedger, lastOffset);
        lastEntryId = directory.entryId(words, lastLedger, lastOffset);
        retainedBytes = OBJECT_BYTES + cursor.ownBytes() + cursor.sharedBytes() + directory.retainedBytes() + DueSamples.BYTES
                + Footprint.array(words.length, Long.BYTES);
        advance();
    }

    /** A copy of what it contains, to be read on another thread. It shares what does not change. */
    SegmentCopy copy() {
        long[] contained = new long[LeftRanks.words(positions)];
        for (int word = 0; word < contained.length; word++) {
            contained[word] = containedBits(word);
        }
        return new SegmentCopy(words, directory, new DueCursor(cursor), contained, size);
    }

    /** The number of positions that are contained. */
    int size() {
        return size;
    }

    /** The number of positions that it was made of. */
    int positions() {
        return positions;
    }

    /**
     * The due time of the head. The head is the first position in (time, ledger, entry) order that was contained when it was
     * reached. Where many that are not contained lie before that, it is one of them.
     */
    long headDueMillis() {
        return headDueMillis;
    }

    long headLedgerId() {
        return headLedgerId;
    }

    long headEntryId() {
        return headEntryId;
    }

    boolean headIsContained() {
        return hasHead && !headIsGone && cursor.rank() >= deadBelow;
    }

    /** Whether its first position is the given one or lies before it. */
    boolean beginsUpTo(long ledgerId, long entryId) {
        return firstLedgerId < ledgerId || firstLedgerId == ledgerId && firstEntryId <= entryId;
    }

    /** Whether its last position is the given one or lies behind it. */
    boolean endsFrom(long ledgerId, long entryId) {
        return lastLedgerId > ledgerId || lastLedgerId == ledgerId && lastEntryId >= entryId;
    }

    /** Whether this or a segment before it may hold the position. */
    boolean reaches(long ledgerId, long entryId) {
        return reachLedgerId > ledgerId || reachLedgerId == ledgerId && reachEntryId >= entryId;
    }

    boolean contains(long ledgerId, long entryId) {
        int rank = directory.rankOf(words, ledgerId, entryId);
        return rank >= 0 && isAlive(rank);
    }

    /** Removes a position; true if it was contained. */
    boolean remove(long ledgerId, long entryId) {
        int rank = directory.rankOf(words, ledgerId, entryId);
        if (rank < 0 || !isAlive(rank)) {
            return false;
        }
        kill(rank);
        return true;
    }

    /** Removes every position up to the given one; returns their number. */
    int removeUpTo(long ledgerId, long entryId) {
        int end = directory.countUpTo(words, ledgerId, entryId);
        int before = size;
        for (int word = deadBelow >>> 6; word << 6 < end; word++) {
            long below = end - (word << 6) < Long.SIZE ? (1L << end) - 1 : -1L;
            size -= Long.bitCount(containedBits(word) & below);
        }
        deadBelow = Math.max(deadBelow, end);
        return before - size;
    }

    /** Removes the head, which must be contained, and moves to the next; {@link #size} tells whether there is one. */
    void takeHead() {
        size--;
        advance();
    }

    /** Moves to the next contained position behind the head, past a limited number of others. */
    void advance() {
        hasHead = false;
        int passed = 0;
        while (size > 0 && cursor.left() > 0) {
            cursor.next(words, directory);
            boolean contained = !passGone() && cursor.rank() >= deadBelow;
            passed++;
            if (!cursorIsCounted && cursor.markBytes() > 0) {
                cursorIsCounted = true;
                retainedBytes += cursor.markBytes();
            }
            if (passed > MAX_PASSED || contained) {
                headIsGone = !contained;
                long offset = cursor.offset(words, directory);
                int ledger = directory.ledger(words, offset);
                headLedgerId = directory.ledgerId(words, ledger, offset);
                headEntryId = directory.entryId(words, ledger, offset);
                headDueMillis = cursor.dueMillis();
                hasHead = true;
                return;
            }
        }
    }

    /** Gives up the part of the due stream that was read, if it is worth it; that copies the rest. Whether it did. */
    boolean cutOff() {
        int read = cursor.word() - dueStartWord;
        int share = words.length >>> (words.length > MOST_COPIED_WORDS ? CUT_OF_MANY_SHIFT : CUT_SHIFT);
        if (read < MIN_CUT_WORDS || read < share) {
            return false;
        }
        retainedBytes -= Footprint.array(words.length, Long.BYTES);
        long[] rest = new long[words.length - read];
        System.arraycopy(words, 0, rest, 0, dueStartWord);
        System.arraycopy(words, dueStartWord + read, rest, dueStartWord, rest.length - dueStartWord);
        words = rest;
        cursor.cutOff(read);
        retainedBytes += Footprint.array(words.length, Long.BYTES);
        return true;
    }

    /** The positions that the stream has from the head on, contained or not. */
    int ahead() {
        return cursor.left() + 1;
    }

    /** The bits of the due stream that are ahead. */
    long aheadBits() {
        return ((long) words.length - 1 << 6) - cursor.bit();
    }

    /** Whether there are marks of what has left out of order. */
    boolean hasGone() {
        return gone != null;
    }

    /** The bits of the directory. */
    long directoryBits() {
        return (long) (dueStartWord - SegmentFormat.HEADER_WORDS) << 6;
    }

    /** Adds to each count the number of positions due by the time; too high by a sixteenth of the segment at most. */
    void countDueBy(long[] untilMillis, long[] counts) {
        samples.countDueBy(untilMillis, counts, positions - ahead(), size);
    }

    /** A walk through the contained positions. */
    PositionWalk walk() {
        int[] next = {0};
        return (budget, sink) -> {
            int end = size == 0 ? positions : (int) Math.min(positions, (long) next[0] + budget);
            for (int rank = next[0]; rank < end; rank++) {
                if (size > 0 && isAlive(rank)) {
                    directory.pass(words, rank, sink);
                }
            }
            next[0] = end;
            return end < positions;
        };
    }

    /** Adds a run of the positions due in a time, if there may be any. */
    void addRun(long fromMillis, long untilMillis, List<? super SegmentRun> runs) {
        if (size > 0 && (hasHead || cursor.left() > 0) && SegmentFormat.of(words).lastDueMillis() >= fromMillis
                && (!hasHead || headDueMillis <= untilMillis)) {
            runs.add(new SegmentRun(words, directory, new DueCursor(cursor), headIsContained(), gone, deadBelow,
                    fromMillis, untilMillis));
        }
    }

    /** Removes all positions and releases the words. */
    void clear() {
        size = 0;
        hasHead = false;
        words = NO_WORDS;
        gone = null;
    }

    long retainedBytes() {
        return retainedBytes;
    }

    /** One bit for each of 64 ranks that is contained. */
    long containedBits(int word) {
        if (size == 0 || deadBelow >= word + 1 << 6) {
            return 0;
        }
        long bits = cursor.aheadBits(word) & (gone == null ? -1L : ~gone.bits(word));
        if (deadBelow >>> 6 == word) {
            bits &= -1L << deadBelow;
        }
        return headIsContained() && cursor.rank() >>> 6 == word ? bits | 1L << cursor.rank() : bits;
    }

    /** The bytes of the part that tells which positions are contained. */
    long positionSetBytes() {
        return directory.retainedBytes() + (directoryBits() >>> 3) + markBytes();
    }

    /** The bytes of the marks that say which positions were handed out and which have left out of order. */
    long markBytes() {
        return cursor.markBytes() + (gone == null ? 0 : GoneRanks.bytes(positions));
    }

    /** Checks every invariant, for tests. Linear. */
    void validate() {
        int counted = 0;
        int goneAhead = 0;
        boolean[] ahead = new boolean[positions];
        if (hasHead) {
            ahead[cursor.rank()] = true;
        }
        DueCursor rest = new DueCursor(cursor);
        while (rest.left() > 0) {
            rest.next(words, directory);
            ahead[rest.rank()] = true;
            goneAhead += hasLeft(rest.rank()) ? 1 : 0;
        }
        if (gone != null && (goneAhead == 0 || goneAhead != gone.ahead())) {
            throw new IllegalStateException("segment: some ranks ahead have left: " + gone.ahead() + " for " + goneAhead);
        }
        for (int rank = 0; rank < positions; rank++) {
            counted += isAlive(rank) ? 1 : 0;
            if (isAlive(rank) && !ahead[rank]) {
                throw new IllegalStateException("segment: a contained position is ahead, rank " + rank + " is not");
            }
        }
        if (counted != size) {
            throw new IllegalStateException("segment: its size is the number contained: " + size + " for " + counted);
        }
    }

    private boolean isAlive(int rank) {
        return cursor.rank() == rank ? headIsContained() : rank >= deadBelow && cursor.isAhead(rank) && !hasLeft(rank);
    }

    private boolean hasLeft(int rank) {
        return gone != null && gone.has(rank);
    }

    /** Whether the position that the cursor has come to has left; with the last of those ahead they are forgotten. */
    private boolean passGone() {
        if (!hasLeft(cursor.rank())) {
            return false;
        }
        gone.pass();
        if (gone.ahead() == 0) {
            gone = null;
            retainedBytes -= GoneRanks.bytes(positions);
        }
        return true;
    }

    private void kill(int rank) {
        size--;
        if (rank == cursor.rank()) {
            headIsGone = true;
        } else if (gone == null && rank == deadBelow) {
            deadBelow++;
        } else {
            if (gone == null) {
                gone = new GoneRanks(positions);
                retainedBytes += GoneRanks.bytes(positions);
            }
            gone.add(rank);
        }
    }
}
