/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.record.StockRanges;
import io.github.delayedtracker.bucket.snapshot.CorruptSnapshotException;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.snapshot.SnapshotHead.NewerSnapshotException;
import io.github.delayedtracker.bucket.snapshot.SnapshotHead;
import io.github.delayedtracker.bucket.steps.SnapshotSegments.SegmentForm;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.RecoveredSnapshot;
import io.github.delayedtracker.bucket.steps.StockForm.StockHead;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.timebucket.CorruptSegmentException;
import io.github.delayedtracker.timebucket.NewerSegmentException;
import io.github.delayedtracker.timebucket.SealedSegment;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The reading of snapshots. The owner of a ledger stands in its metadata and is asked before the ledger is opened, since opening
 * a ledger that is being written ends it. The head has to name the same owner. All bytes read are checked; damage is CORRUPT,
 * with the ledger, the part and the rule that is broken.
 *
 * <p>Handles: {@link #segment} opens and closes one for itself; an {@link OpenSnapshot} and a {@link #segments source} hold at
 * most one, until closed. So a subscription has one open handle for each load under way and four for a merge, and no others.
 *
 * @param stock the snapshots in the stock form
 */
record ReadSnapshot(SnapshotStorage storage, SnapshotOwner owner, Retries retries, StockRanges stock) {

    /** Opens a snapshot and reads its head. The caller closes it. */
    CompletableFuture<OpenSnapshot> open(long ledgerId) {
        String what = "reading the head of ledger " + ledgerId;
        return Futures.step(what, () -> retries.repeat(what, () -> attempt(ledgerId), StorageException::isRetryable));
    }

    /** The segments of a snapshot whose head is known; opened by the first read. The caller closes them. */
    SegmentSource segments(long ledgerId, List<SegmentEntry> table) {
        return new SnapshotSegments(storage, retries, ledgerId,
                stock.contains(ledgerId) ? StockForm.of(table) : new SealedForm(table));
    }

    /** Reads one segment of a snapshot whose head is known; number from 0. Nothing is left open. */
    CompletableFuture<SegmentColumns> segment(long ledgerId, List<SegmentEntry> table, int number) {
        SegmentSource source = segments(ledgerId, table);
        return Futures.step("loading", () -> source.read(number).whenComplete((columns, failure) -> source.close()));
    }

    private CompletableFuture<OpenSnapshot> attempt(long ledgerId) {
        return retries.once("asking whose ledger " + ledgerId + " is", () -> storage.ownerOf(ledgerId))
                .thenCompose(found -> found.filter(owner::isSameSubscription).isPresent()
                        ? retries.once("opening ledger " + ledgerId, () -> storage.open(ledgerId))
                        : StorageException.<SnapshotReader>foreign(ledgerId, found, owner))
                .thenCompose(reader -> Futures.begun(() -> opened(reader)).whenComplete((head, failure) -> {
                    if (failure != null) {
                        Futures.close(reader);
                    }
                }));
    }

    private CompletableFuture<OpenSnapshot> opened(SnapshotReader reader) {
        return stock.contains(reader.ledgerId()) ? openedStock(reader)
                : head(reader).thenCompose(head -> opened(reader, head));
    }

    private CompletableFuture<OpenSnapshot> openedStock(SnapshotReader reader) {
        PositionSet positions = new PositionSet();
        stock.length(reader.ledgerId(), reader.lengthBytes());
        return StockHead.read(retries, reader, positions::add).thenCompose(table -> {
            try {
                SnapshotHead head = new SnapshotHead(owner.topic(), owner.cursor(), 0,
                        StockForm.entries(table, reader.lengthBytes()), positions);
                SnapshotSegments segments = new SnapshotSegments(storage, retries, reader.ledgerId(),
                        new StockForm(table, reader.lengthBytes()));
                segments.adopt(reader);
                return CompletableFuture.completedFuture(new OpenSnapshot(head, 1, segments));
            } catch (IllegalArgumentException e) {
                return CompletableFuture.failedFuture(asCorrupt(reader, e));
            }
        });
    }

    private CompletableFuture<OpenSnapshot> opened(SnapshotReader reader, SnapshotHead head) {
        long ledgerId = reader.ledgerId();
        if (!head.topic().equals(owner.topic()) || !head.cursor().equals(owner.cursor())) {
            return StorageException.foreign(ledgerId, Optional.of(head.topic() + ", " + head.cursor()), owner);
        }
        SnapshotSegments segments = new SnapshotSegments(storage, retries, ledgerId, new SealedForm(head.segments()));
        segments.adopt(reader);
        long firstSegmentEntry = reader.lastEntryId() + 1 - head.segments().size();
        return CompletableFuture.completedFuture(new OpenSnapshot(head, firstSegmentEntry, segments));
    }

    private CompletableFuture<SnapshotHead> head(SnapshotReader reader) {
        String what = "reading the head of ledger " + reader.ledgerId();
        if (reader.lastEntryId() < 1) {
            return CompletableFuture.failedFuture(corrupt(reader, "there is a head and a segment, found entries "
                    + (reader.lastEntryId() + 1), null));
        }
        return retries.once(what, () -> reader.read(0)).thenCompose(first -> {
            int parts;
            try {
                parts = headEntries(reader, first.nioBuffer());
            } catch (CorruptSnapshotException | StorageException e) {
                first.release();
                return CompletableFuture.failedFuture(asCorrupt(reader, e));
            } catch (Throwable e) {
                first.release();
                throw e;
            }
            return parts == 1 ? decoded(reader, first, List.of()) : retries.once(what, () -> reader.read(1, parts - 1L))
                    .whenComplete((rest, failure) -> {
                        if (failure != null) {
                            first.release();
                        }
                    }).thenCompose(rest -> decoded(reader, first, rest));
        });
    }

    /** The number of entries of the head: all but the last are as long as the first. */
    private static int headEntries(SnapshotReader reader, ByteBuffer first) throws CorruptSnapshotException, StorageException {
        int headBytes = SnapshotHead.lengthOf(first);
        int entries = SnapshotEntries.headEntries(headBytes, first.remaining());
        if (headBytes > reader.lengthBytes() || entries > reader.lastEntryId()) {
            throw corrupt(reader, "its length is within the ledger's " + reader.lengthBytes() + " bytes and "
                    + (reader.lastEntryId() + 1) + " entries, found " + headBytes, null);
        }
        return entries;
    }

    /** Decodes a head and releases all its parts. */
    private static CompletableFuture<SnapshotHead> decoded(SnapshotReader reader, ByteBuf first, List<ByteBuf> rest) {
        try {
            SnapshotHead head = SnapshotHead.decode(joined(first, rest), reader.lengthBytes());
            if (1 + rest.size() + head.segments().size() != reader.lastEntryId() + 1) {
                throw corrupt(reader, 1 + rest.size() + " entries of the head and " + head.segments().size()
                        + " of segments are all there are, found " + (reader.lastEntryId() + 1), null);
            }
            for (int i = 1; i < head.segments().size(); i++) {
                if (head.segments().get(i).firstDueMillis() < head.segments().get(i - 1).lastDueMillis()) {
                    throw corrupt(reader, "segments follow each other in time, found one that begins at "
                            + head.segments().get(i).firstDueMillis(), null);
                }
            }
            return CompletableFuture.completedFuture(head);
        } catch (NewerSnapshotException e) {
            return CompletableFuture.failedFuture(
                    StorageException.newer("the head of ledger " + reader.ledgerId(), e.getMessage(), e));
        } catch (CorruptSnapshotException | StorageException | RuntimeException e) {
            return CompletableFuture.failedFuture(asCorrupt(reader, e));
        } finally {
            first.release();
            rest.forEach(ByteBuf::release);
        }
    }

    private static ByteBuffer joined(ByteBuf first, List<ByteBuf> rest) {
        if (rest.isEmpty()) {
            return first.nioBuffer();
        }
        ByteBuffer whole = ByteBuffer.allocate(
                first.readableBytes() + rest.stream().mapToInt(ByteBuf::readableBytes).sum());
        whole.put(first.nioBuffer());
        for (ByteBuf part : rest) {
            whole.put(part.nioBuffer());
        }
        return whole.flip();
    }

    private static StorageException corrupt(SnapshotReader reader, String rule, Throwable cause) {
        return StorageException.corrupt("the head of ledger " + reader.ledgerId(), rule, cause);
    }

    private static StorageException asCorrupt(SnapshotReader reader, Exception failure) {
        return failure instanceof StorageException known ? known : corrupt(reader, String.valueOf(failure.getMessage()), failure);
    }

    /**
     * A snapshot of this subscription whose head was read.
     *
     * @param head its head; the set of positions is handed over
     * @param firstSegmentEntry the number of the entry in which the first segment stands
     * @param segments to read on; holds a handle open until it is closed
     */
    record OpenSnapshot(SnapshotHead head, long firstSegmentEntry, SegmentSource segments) {

        /** The ledger of the snapshot. */
        public long ledgerId() {
            return segments.ledgerId();
        }

        /** Closes the handle. Idempotent. */
        public void close() {
            segments.close();
        }
    }

    /**
     * The plugin's own form: the sealed form of the time-bucket index. The bytes read are checked against the head.
     */
    static final class SealedForm implements SegmentForm {

        private final List<SegmentEntry> table;

        SealedForm(List<SegmentEntry> table) {
            this.table = List.copyOf(table);
        }

        @Override
        public int count() {
            return table.size();
        }

        @Override
        public long positions() {
            return table.stream().mapToLong(SegmentEntry::positions).sum();
        }

        @Override
        public int bytes(int number) {
            return table.get(number).bytes();
        }

        @Override
        public SegmentColumns decode(int number, ByteBuf bytes) throws DamagedException, NewerException {
            SegmentEntry expected = table.get(number);
            try {
                check("the bytes", expected.bytes(), bytes.readableBytes());
                SealedSegment segment = SealedSegment.read(bytes.nioBuffer());
                check("the positions", expected.positions(), segment.positions());
                check("the first due time", expected.firstDueMillis(), segment.firstDueMillis());
                check("the last due time", expected.lastDueMillis(), segment.lastDueMillis());
                return SegmentColumns.of(segment);
            } catch (NewerSegmentException e) {
                throw new NewerException(e);
            } catch (CorruptSegmentException e) {
                throw new DamagedException(e.getMessage(), e);
            }
        }

        private static void check(String rule, long inHead, long found) throws DamagedException {
            if (inHead != found) {
                throw new DamagedException(rule + " are " + inHead + " by the head, found " + found, null);
            }
        }
    }

    /**
     * The recovery of a recorded snapshot. The positions of its head remain, less the positions that mark-delete has passed, and
     * less the due positions, since the cursor was rewound and reads them itself. To find these, each segment that begins in the
     * past is read once, unless no position is left. The {@link StorageException#consequence} of a failure says what to do about
     * it.
     */
    static final class RecoverBucket {

        private final ReadSnapshot reads;

        /** Recovers buckets of one subscription. */
        RecoverBucket(ReadSnapshot reads) {
            this.reads = reads;
        }

        /**
         * Recovers one bucket; nothing is left open.
         *
         * @param nowMillis positions due by then are in the past
         * @param markDeleteLedgerId with {@code markDeleteEntryId} the mark-delete position; -1 and -1 if it is not known
         */
        CompletableFuture<RecoveredSnapshot> recover(long ledgerId, long nowMillis, long markDeleteLedgerId,
                long markDeleteEntryId) {
            return Futures.step("recovering ledger " + ledgerId, () -> reads.open(ledgerId).thenCompose(snapshot -> {
                PositionSet sleeping = snapshot.head().positions();
                return Futures.begun(() -> {
                    sleeping.removeUpTo(markDeleteLedgerId, markDeleteEntryId);
                    return subtractPast(snapshot, nowMillis, sleeping);
                }).whenComplete((done, failure) -> snapshot.close())
                        .thenApply(done -> new RecoveredSnapshot(ledgerId, snapshot.head().segments(), sleeping, nowMillis));
            }));
        }

        private static CompletableFuture<Void> subtractPast(OpenSnapshot snapshot, long nowMillis, PositionSet sleeping) {
            List<SegmentEntry> table = snapshot.head().segments();
            int[] next = {0};
            return Futures.whileTrue(() -> {
                while (next[0] < table.size() && table.get(next[0]).firstDueMillis() > nowMillis) {
                    next[0]++;
                }
                if (next[0] == table.size() || sleeping.isEmpty()) {
                    return Futures.NO_MORE;
                }
                return snapshot.segments().read(next[0]++).thenApply(columns -> {
                    subtract(columns, nowMillis, sleeping);
                    return true;
                });
            });
        }

        private static void subtract(SegmentColumns columns, long nowMillis, PositionSet sleeping) {
            for (int i = 0; i < columns.count() && columns.dueMillis(i) <= nowMillis; i++) {
                sleeping.remove(columns.ledgerId(i), columns.entryId(i));
            }
        }
    }
}
