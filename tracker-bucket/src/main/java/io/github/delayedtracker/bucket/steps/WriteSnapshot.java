/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.snapshot.SnapshotHead;
import io.github.delayedtracker.bucket.steps.LedgerWriting.AppendWindow;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.timebucket.CutRule;
import io.github.delayedtracker.timebucket.SealedSegment;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * A writer of positions as a new snapshot: cut by time, head first, then the segments in the order of their times. Positions are
 * cut and encoded once, on the calling thread, for any number of tries. Entries are made one by one as they are appended.
 *
 * <p>After a crash a ledger may be left that no record names. After a failure too, and the {@link Leftovers} name it.
 */
final class WriteSnapshot implements SnapshotWriting, SnapshotWriting.Merged {

    /** An upper bound of the bytes of a position in the longest form of a segment, and of a segment without positions. */
    private static final int MOST_BYTES_A_POSITION = 64;

    private final SnapshotStorage storage;
    private final SnapshotOwner owner;
    private final CutRule segments;
    private final ByteBufAllocator allocator;
    private final LongSupplier clockMillis;
    private final LedgerWriting ledgers;

    /**
     * Writes snapshots of one subscription.
     *
     * @param segments the rule where a segment ends
     */
    WriteSnapshot(SnapshotStorage storage, SnapshotOwner owner, CutRule segments, Retries retries, Leftovers leftovers,
            ByteBufAllocator allocator, LongSupplier clockMillis) {
        this.storage = storage;
        this.owner = owner;
        this.segments = segments;
        this.allocator = allocator;
        this.clockMillis = clockMillis;
        this.ledgers = new LedgerWriting(storage::create, owner, retries, leftovers, clockMillis);
    }

    @Override
    public CompletableFuture<WrittenSnapshot> write(SegmentColumns live) {
        String what = "writing a snapshot of " + live.count() + " positions";
        return Futures.step(what, () -> live.count() > 0 ? begin(what, live.ascending())
                : StorageException.failed(Kind.UNEXPECTED, "a snapshot holds at least one position, got none"));
    }

    private CompletableFuture<WrittenSnapshot> begin(String what, SegmentColumns ascending) {
        List<SealedSegment> cut = ascending.cut(rule(ascending.count()));
        List<SegmentEntry> table = cut.stream().map(this::entryOf).toList();
        PositionSet positions = new PositionSet();
        for (int i = 0; i < ascending.count(); i++) {
            positions.add(ascending.ledgerId(i), ascending.entryId(i));
        }
        return write(what, table, positions,
                window -> window.appendEach(cut.stream().map(segment -> () -> bytesOf(segment))), failure -> true);
    }

    /** A rule with fewer positions a segment where an entry of the storage is too short. */
    static CutRule fitting(CutRule rule, int maxEntryBytes) {
        return rule.atMost(Math.max(1, maxEntryBytes / MOST_BYTES_A_POSITION - 1));
    }

    @Override
    public CutRule rule(long positions) {
        return fitting(segments, storage.maxEntryBytes()).ofBucket(positions);
    }

    @Override
    public SegmentEntry entryOf(SealedSegment segment) {
        return new SegmentEntry(segment.firstDueMillis(), segment.lastDueMillis(), segment.positions(), segment.bytes());
    }

    @Override
    public ByteBuf bytesOf(SealedSegment segment) {
        return SnapshotEntries.filled(allocator, segment.bytes(), segment::writeTo);
    }

    /** The head needs only the table of segments, so nothing else is kept of them. */
    @Override
    public Merged merged(List<Long> ledgerIds) {
        return this;
    }

    @Override
    public CompletableFuture<Void> describe(SealedSegment segment, long positionsSoFar) {
        return Futures.DONE;
    }

    @Override
    public CompletableFuture<WrittenSnapshot> write(String what, List<SegmentEntry> table, PositionSet positions,
            Function<AppendWindow, CompletableFuture<Void>> copy, Predicate<StorageException> mayRepeat) {
        SnapshotHead head = new SnapshotHead(owner.topic(), owner.cursor(), clockMillis.getAsLong(), table, positions);
        SnapshotEntries entries = new SnapshotEntries(head, storage.maxEntryBytes());
        return ledgers.write(what, window -> window.appendAll(entries.head(allocator)).thenCompose(done -> copy.apply(window)),
                mayRepeat).thenApply(ledgerId -> new WrittenSnapshot(ledgerId, head.segments(), positions, entries.bytes()));
    }
}
