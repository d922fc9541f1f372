/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.jobs;

import io.github.delayedtracker.bucket.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.storage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.timebucket.CorruptSegmentException;
import io.github.delayedtracker.timebucket.SealedSegment;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Reads the segments of a snapshot through at most one open handle. It is opened by the first read, kept for the next ones, and
 * closed by {@link #close} and by every failure: a handle may know bookies that have since been replaced, so the next attempt
 * opens a new one. What is read is checked against what the head says of it.
 */
final class SnapshotSegments implements SegmentSource {

    private final SnapshotStorage storage;
    private final Retries retries;
    private final long ledgerId;
    private final List<SegmentEntry> table;
    private final AtomicReference<SnapshotReader> open = new AtomicReference<>();
    private volatile Optional<StorageException> failure = Optional.empty();

    SnapshotSegments(SnapshotStorage storage, Retries retries, long ledgerId, List<SegmentEntry> table) {
        this.storage = storage;
        this.retries = retries;
        this.ledgerId = ledgerId;
        this.table = List.copyOf(table);
    }

    /** Takes over a handle that is open already. */
    void adopt(SnapshotReader reader) {
        open.set(reader);
    }

    @Override
    public long ledgerId() {
        return ledgerId;
    }

    @Override
    public List<SegmentEntry> segments() {
        return table;
    }

    @Override
    public CompletableFuture<SegmentColumns> read(int number) {
        String what = "segment " + number + " of ledger " + ledgerId;
        return Chain.step("reading " + what, () -> {
            SegmentEntry expected = table.get(number);
            return retries.repeat("reading " + what, () -> attempt(what, number), StorageException::isRetryable)
                    .thenCompose(bytes -> decoded(what, bytes, expected))
                    .whenComplete((columns, notRead) -> {
                        failure = Optional.ofNullable(notRead).map(known -> Failures.of(known, "reading " + what));
                        if (notRead != null) {
                            close();
                        }
                    });
        });
    }

    @Override
    public Optional<StorageException> failure() {
        return failure;
    }

    private CompletableFuture<ByteBuf> attempt(String what, int number) {
        return reader().thenCompose(reader -> {
            long entryId = reader.lastEntryId() + 1 - table.size() + number;
            return entryId <= number
                    ? CompletableFuture.failedFuture(Failures.corrupt(what, "the ledger has an entry for each of " + table.size()
                            + " segments and the head, found " + (reader.lastEntryId() + 1), null))
                    : retries.once("reading " + what, () -> reader.read(entryId));
        }).whenComplete((bytes, notRead) -> {
            if (notRead != null) {
                close();
            }
        });
    }

    private CompletableFuture<SnapshotReader> reader() {
        SnapshotReader held = open.get();
        return held != null ? CompletableFuture.completedFuture(held)
                : retries.once("opening ledger " + ledgerId, () -> storage.open(ledgerId)).thenApply(reader -> {
                    open.set(reader);
                    return reader;
                });
    }

    private static CompletableFuture<SegmentColumns> decoded(String what, ByteBuf bytes, SegmentEntry expected) {
        try {
            check(what, "the bytes", expected.bytes(), bytes.readableBytes());
            SealedSegment segment = SealedSegment.read(bytes.nioBuffer());
            check(what, "the positions", expected.positions(), segment.positions());
            check(what, "the first due time", expected.firstDueMillis(), segment.firstDueMillis());
            check(what, "the last due time", expected.lastDueMillis(), segment.lastDueMillis());
            return CompletableFuture.completedFuture(SegmentColumns.of(segment));
        } catch (CorruptSegmentException | RuntimeException e) {
            return CompletableFuture.failedFuture(Failures.corrupt(what, String.valueOf(e.getMessage()), e));
        } catch (StorageException e) {
            return CompletableFuture.failedFuture(e);
        } finally {
            bytes.release();
        }
    }

    private static void check(String what, String rule, long inHead, long found) throws StorageException {
        if (inHead != found) {
            throw Failures.corrupt(what, rule + " are " + inHead + " by the head, found " + found, null);
        }
    }

    @Override
    public void close() {
        SnapshotReader held = open.getAndSet(null);
        if (held != null) {
            held.close();
        }
    }
}
