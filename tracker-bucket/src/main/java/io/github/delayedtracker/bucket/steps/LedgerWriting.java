/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The writing of one ledger: it is made, filled and sealed. After a failure in between the ledger is abandoned, and the next
 * attempt begins with a new one. A ledger stands in the {@link Leftovers} from the moment it exists until a record names it or it
 * is deleted. No caller waits for the abandoning.
 *
 * @param maker makes a ledger of an owner
 */
record LedgerWriting(Function<SnapshotOwner, CompletableFuture<SnapshotWriter>> maker, SnapshotOwner owner, Retries retries,
        Leftovers leftovers, LongSupplier clockMillis) {

    private static final int ABANDONS = 2;

    /**
     * Writes one ledger.
     *
     * @param fill appends everything; called anew for each attempt
     * @param mayRepeat whether filling again may help; asked after a failure that a new ledger may cure
     * @return the id of the sealed ledger
     */
    CompletableFuture<Long> write(String what, Function<AppendWindow, CompletableFuture<Void>> fill,
            Predicate<StorageException> mayRepeat) {
        return retries.repeat(what, () -> attempt(fill), failure -> newLedgerMayHelp(failure) && mayRepeat.test(failure));
    }

    /** Whether a new ledger may help: the failure may pass, or lies with the ledger that was being written and with no other. */
    private static boolean newLedgerMayHelp(StorageException failure) {
        return failure.isRetryable() || failure.kind() == Kind.FENCED || failure.kind() == Kind.NO_SUCH_LEDGER
                || failure.kind() == Kind.NO_SUCH_ENTRY;
    }

    private CompletableFuture<Long> attempt(Function<AppendWindow, CompletableFuture<Void>> fill) {
        SnapshotOwner now = new SnapshotOwner(owner.topic(), owner.cursor(), clockMillis.getAsLong());
        return retries.once("making a ledger for " + now, () -> maker.apply(now)).thenCompose(writer -> {
            AppendWindow window = new AppendWindow(writer, retries);
            CompletableFuture<Void> sealed = Futures.begun(() -> {
                leftovers.made(writer.ledgerId());
                return fill.apply(window);
            }).thenCompose(filled -> window.drained())
                    .thenCompose(filled -> retries.next("sealing ledger " + writer.ledgerId(), writer::close));
            return sealed.whenComplete((done, failure) -> {
                if (failure != null) {
                    window.giveUp();
                    abandon(writer, ABANDONS);
                }
            }).thenApply(done -> writer.ledgerId());
        });
    }

    /**
     * Abandons a ledger, which stays among the leftovers if this fails. Nobody else can release the writer, so a call that threw
     * instead of answering is tried again at once.
     */
    private void abandon(SnapshotWriter writer, int tries) {
        leftovers.unwanted(writer.ledgerId());
        Futures.whenDone(retries.lastly("abandoning ledger " + writer.ledgerId(), writer::abandon), (done, failure) -> {
            if (failure == null) {
                leftovers.settled(writer.ledgerId());
            } else if (tries > 1 && StorageException.of(failure, "abandoning").kind() == Kind.UNEXPECTED) {
                abandon(writer, tries - 1);
            }
        });
    }

    /**
     * The appends to one ledger, {@code appendsUnderWay} at a time: if the window is full, the next append waits for the oldest.
     * The storage answers in order and fails all appends after a failed one, so the oldest answer tells. An entry that could not
     * be made was never appended, and the storage knows nothing of it: the ledger may be sealed once {@link #drained} has
     * answered without failure. One caller at a time.
     */
    static final class AppendWindow {

        private final SnapshotWriter writer;
        private final Retries retries;
        private final ArrayDeque<CompletableFuture<Long>> underWay = new ArrayDeque<>();

        AppendWindow(SnapshotWriter writer, Retries retries) {
            this.writer = writer;
            this.retries = retries;
        }

        /**
         * Appends one entry. Answers when the next may be appended, which is before this one is durable.
         *
         * @param entry makes the entry, or is never asked
         */
        CompletableFuture<Void> append(Supplier<ByteBuf> entry) {
            underWay.add(retries.next("appending to ledger " + writer.ledgerId(), () -> writer.append(entry.get())));
            return underWay.size() < retries.limits().appendsUnderWay() ? Futures.DONE
                    : underWay.poll().thenApply(number -> null);
        }

        /** Appends entries one after the other, each made when there is room for it. */
        CompletableFuture<Void> appendEach(Stream<Supplier<ByteBuf>> entries) {
            Iterator<Supplier<ByteBuf>> left = entries.iterator();
            return Futures.whileTrue(() -> left.hasNext() ? append(left.next()).thenApply(done -> true) : Futures.NO_MORE);
        }

        /** Appends several entries, and releases those that are not appended because one before them failed. */
        CompletableFuture<Void> appendAll(List<ByteBuf> entries) {
            ArrayDeque<ByteBuf> left = new ArrayDeque<>(entries);
            return Futures.whileTrue(() -> left.isEmpty() ? Futures.NO_MORE : append(left::poll).thenApply(done -> true))
                    .whenComplete((done, failure) -> left.forEach(ByteBuf::release));
        }

        /** Answers when all appends have answered; fails as the first append that failed. */
        CompletableFuture<Void> drained() {
            CompletableFuture<Void> all = Futures.DONE;
            for (CompletableFuture<Long> append : underWay) {
                all = all.thenCompose(before -> append.thenApply(number -> null));
            }
            return all;
        }

        /** Waits for no append any more. */
        void giveUp() {
            underWay.forEach(append -> append.cancel(false));
            underWay.clear();
        }
    }
}
