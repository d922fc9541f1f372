/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.storage.Futures;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;

/**
 * One source of a merge: its positions in order, with one of its segments decoded and the next one read ahead. It remembers the
 * chosen positions of each segment, one bit each, nothing where all or none were chosen. A segment without a chosen position is
 * not read a second time.
 */
final class MergeSource {

    /** The decision which positions of a segment are of interest. */
    interface Choice {
        CompletableFuture<BitSet> choose(SegmentColumns columns);
    }

    private final SegmentSource segments;
    /** The chosen positions of each segment; null where all were chosen, or where nothing is known yet. */
    private final BitSet[] chosen;
    private int next;
    /** The segment to come, or null where it is not being read yet. */
    private CompletableFuture<SegmentColumns> ahead;
    private SegmentColumns columns;
    private BitSet wanted;
    private int at = -1;
    private long beforeMillis;

    MergeSource(SegmentSource segments) {
        this.segments = segments;
        this.chosen = new BitSet[segments.segments()];
        rewind();
    }

    /** Goes back to the start and forgets the decoded segment. */
    void rewind() {
        next = 0;
        columns = null;
        wanted = null;
        at = -1;
        beforeMillis = Long.MIN_VALUE;
    }

    /** Whether it stands on a position. */
    boolean hasHead() {
        return at >= 0;
    }

    /** Whether a segment has to be read before the next position is known. */
    boolean wantsSegment() {
        return at < 0 && next < chosen.length;
    }

    /** Skips segments of which nothing was chosen in the pass before; does nothing while it stands on a position. */
    void passOver() {
        if (at < 0) {
            next = following();
        }
    }

    /** The number of the next segment of interest, or the number of segments if there is none. */
    private int following() {
        int number = next;
        while (number < chosen.length && chosen[number] != null && chosen[number].isEmpty()) {
            number++;
        }
        return number;
    }

    /** Skips as {@link #passOver} does, and begins to read the next segment of interest if that is not done. */
    void readAhead() {
        passOver();
        int number = following();
        if (ahead == null && number < chosen.length) {
            ahead = segments.read(number);
        }
    }

    /** The length of the next segment, bytes. */
    int nextBytes() {
        return segments.bytes(next);
    }

    /** Takes the next segment and stands on the first position of interest in it, if there is one. */
    CompletableFuture<Void> readNext(Choice choice) {
        readAhead();
        int number = next++;
        CompletableFuture<SegmentColumns> now = ahead;
        ahead = null;
        return now.thenCompose(read -> choice.choose(read).thenCompose(interesting -> {
            if (interesting.length() > read.count()) {
                return CompletableFuture.failedFuture(new IndexOutOfBoundsException("segment " + number + " of ledger "
                        + segments.ledgerId() + " has " + read.count() + " positions, to be kept is the one at "
                        + (interesting.length() - 1)));
            }
            columns = read;
            wanted = (BitSet) interesting.clone();
            return stand(0);
        }));
    }

    /** The positions of the current segment that the first pass chose. */
    BitSet chosenOfCurrent(SegmentColumns read) {
        BitSet kept = chosen[next - 1];
        if (kept != null) {
            return kept;
        }
        BitSet all = new BitSet(read.count());
        all.set(0, read.count());
        return all;
    }

    /** Goes on to the next position; a position that was refused counts as not chosen. */
    CompletableFuture<Void> advance(boolean refused) {
        if (refused) {
            wanted.clear(at);
        }
        return stand(at + 1);
    }

    private CompletableFuture<Void> stand(int from) {
        int found = wanted.nextSetBit(from);
        if (found < 0) {
            chosen[next - 1] = wanted.cardinality() == columns.count() ? null : wanted.isEmpty() ? new BitSet(0) : wanted;
            columns = null;
            wanted = null;
            at = -1;
            return Futures.DONE;
        }
        at = found;
        if (dueMillis() < beforeMillis) {
            return CompletableFuture.failedFuture(new IllegalStateException("segments follow each other in time, in ledger "
                    + segments.ledgerId() + " comes " + dueMillis() + " after " + beforeMillis));
        }
        beforeMillis = dueMillis();
        return Futures.DONE;
    }

    long dueMillis() {
        return columns.dueMillis(at);
    }

    long ledgerId() {
        return columns.ledgerId(at);
    }

    long entryId() {
        return columns.entryId(at);
    }

    /** Whether its position comes before another one's. */
    boolean isBefore(MergeSource other) {
        int byTime = Long.compare(dueMillis(), other.dueMillis());
        int byLedger = byTime != 0 ? byTime : Long.compare(ledgerId(), other.ledgerId());
        return (byLedger != 0 ? byLedger : Long.compare(entryId(), other.entryId())) < 0;
    }

    /** Answers when nothing is being read any more; the handle is closed then. */
    CompletableFuture<Void> close() {
        CompletableFuture<?> last = ahead == null ? Futures.DONE : ahead;
        ahead = null;
        CompletableFuture<Void> closed = new CompletableFuture<>();
        Futures.whenDone(last, closed, (read, failure) -> {
            segments.close();
            closed.complete(null);
        });
        return closed;
    }
}
