/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.netty.buffer.ByteBuf;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The segments of a snapshot, read through at most one open handle. The handle is opened by the first read, kept for the next
 * ones, and closed by {@link #close} and by every failure: a handle may know bookies that have since been replaced, so the next
 * attempt opens a new one. The bytes read are checked against the head.
 */
final class SnapshotSegments implements SegmentSource {

    private final SnapshotStorage storage;
    private final Retries retries;
    private final long ledgerId;
    private final SegmentForm form;
    private final AtomicReference<SnapshotReader> open = new AtomicReference<>();
    private volatile Optional<StorageException> failure = Optional.empty();

    SnapshotSegments(SnapshotStorage storage, Retries retries, long ledgerId, SegmentForm form) {
        this.storage = storage;
        this.retries = retries;
        this.ledgerId = ledgerId;
        this.form = form;
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
    public int segments() {
        return form.count();
    }

    @Override
    public long positions() {
        return form.positions();
    }

    @Override
    public int bytes(int number) {
        return form.bytes(number);
    }

    @Override
    public CompletableFuture<SegmentColumns> read(int number) {
        String what = "segment " + number + " of ledger " + ledgerId;
        return Futures.step("reading " + what, () -> {
            checkNumber(number);
            return retries.repeat("reading " + what, () -> attempt(what, number), StorageException::isRetryable)
                    .thenCompose(bytes -> decoded(what, number, bytes))
                    .whenComplete((columns, notRead) -> {
                        failure = Optional.ofNullable(notRead).map(known -> StorageException.of(known, "reading " + what));
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
            long entryId = reader.lastEntryId() + 1 - form.count() + number;
            return entryId <= number
                    ? CompletableFuture.failedFuture(StorageException.corrupt(what, "the ledger has an entry for each of "
                            + form.count() + " segments and the head, found " + (reader.lastEntryId() + 1), null))
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

    private void checkNumber(int number) {
        Objects.checkIndex(number, form.count());
    }

    private CompletableFuture<SegmentColumns> decoded(String what, int number, ByteBuf bytes) {
        try {
            return CompletableFuture.completedFuture(form.decode(number, bytes));
        } catch (SegmentForm.NewerException e) {
            return CompletableFuture.failedFuture(StorageException.newer(what, e.getMessage(), e));
        } catch (SegmentForm.DamagedException | RuntimeException e) {
            return CompletableFuture.failedFuture(StorageException.corrupt(what, String.valueOf(e.getMessage()), e));
        } finally {
            bytes.release();
        }
    }

    @Override
    public void close() {
        SnapshotReader held = open.getAndSet(null);
        if (held != null) {
            Futures.close(held);
        }
    }

    /** The form of the segments of a snapshot, one each in the last entries of its ledger. */
    interface SegmentForm {

        /** The failure of reading bytes that are not what the head promises. */
        final class DamagedException extends Exception {

            private static final long serialVersionUID = 1L;

            DamagedException(String rule, Throwable cause) {
                super(rule, cause);
            }
        }

        /** The failure of reading bytes that a newer version of the plugin has written. */
        final class NewerException extends Exception {

            private static final long serialVersionUID = 1L;

            NewerException(Throwable cause) {
                super(cause.getMessage(), cause);
            }
        }

        /** The number of segments. */
        int count();

        /** The number of positions in all segments. */
        long positions();

        /** The length of the entry of a segment, bytes, or an estimate. */
        int bytes(int number);

        /** The positions of a segment in (time, ledger, entry) order, checked. The bytes are not released. */
        SegmentColumns decode(int number, ByteBuf bytes) throws DamagedException, NewerException;
    }
}
