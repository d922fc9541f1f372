/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.DeleteLedgers;
import io.github.delayedtracker.bucket.storage.DeleteLedgers.Deletions;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/**
 * The keeper of the record of one cursor, which deletes ledgers by it. A failed update has no known outcome. Every ledger that
 * the old record or an attempted record names is kept until a later update succeeds, which writes the newest wish. By a record,
 * only the ledgers that the last successful one dooms are deleted. A ledger that a successful record leaves out without having
 * doomed it goes to the {@link Leftovers}.
 *
 * <p>The record may name ledgers that were deleted since; the next update leaves them out. A record that cannot be read stays as
 * it is until somebody calls {@link #replace} or removes everything; the ledgers that it names are left to the sweeper then. One
 * call at a time; reading the state is safe from any thread.
 */
public final class CatalogueKeeper {

    /** The name of the property. */
    public static final String PROPERTY = "index";

    /** The longest wait of a deletion for which nobody waits, while there are more urgent calls. */
    private static final long DELETION_WAITS_MILLIS = 60_000;

    private final CatalogueStore store;
    private final SnapshotStorage storage;
    private final SnapshotOwner owner;
    private final Retries retries;
    /** The retries of deletions, apart from the updates': ledgers that nobody names may be deleted while the keeper closes. */
    private final Retries deletions;
    private final DeleteLedgers doomedPasses;
    private final DeleteLedgers leftoverPasses;
    private final Leftovers leftovers;
    /** The state of the record; null until it was read. */
    private volatile RecordState state;
    /** Whether the durable record cannot be read and nothing was written over it yet. */
    private volatile boolean replacing;
    private volatile boolean closed;

    /**
     * A keeper that has read nothing yet.
     *
     * @param retries give the policy; the keeper ends with {@link #close} alone, not when the retries are abandoned
     */
    public CatalogueKeeper(CatalogueStore store, SnapshotStorage storage, SnapshotOwner owner, Retries retries,
            Leftovers leftovers) {
        this.store = store;
        this.storage = storage;
        this.owner = owner;
        this.retries = retries.fresh();
        this.deletions = retries.fresh();
        this.doomedPasses = new DeleteLedgers(storage, owner, deletions.wantedWithin(DELETION_WAITS_MILLIS));
        this.leftoverPasses = new DeleteLedgers(storage, owner, deletions.wantedWithin(DELETION_WAITS_MILLIS));
        this.leftovers = leftovers;
    }

    /**
     * Reads the record, empty if there is none. Fails with CORRUPT if it is damaged, with NEWER_VERSION if a newer version of the
     * plugin wrote it. Once read it is not read again: the broker's copy says nothing about an update of unknown outcome.
     */
    public CompletableFuture<CatalogueRecord> load() {
        RecordState now = state;
        return now != null ? CompletableFuture.completedFuture(now.written())
                : Futures.step("reading the record", () -> load(retries));
    }

    /** Gives up a durable record that cannot be read, as if there were none; the next update writes over it. */
    public CompletableFuture<CatalogueRecord> replace() {
        return Futures.step("replacing the record", () -> replace(retries));
    }

    private CompletableFuture<CatalogueRecord> load(Retries policy) {
        return policy.call("reading the record", store::readAll).thenCompose(this::known);
    }

    private CompletableFuture<CatalogueRecord> replace(Retries policy) {
        return policy.call("reading the record", () -> store.readAllBut(PROPERTY)).thenCompose(properties -> {
            replacing = true;
            return known(properties);
        });
    }

    private CompletableFuture<CatalogueRecord> known(Map<String, String> properties) {
        CatalogueRecord record;
        try {
            record = CatalogueRecord.in(properties);
        } catch (StorageException e) {
            return unreadable(e);
        }
        state = RecordState.read(record);
        return CompletableFuture.completedFuture(record);
    }

    private <T> CompletableFuture<T> unreadable(StorageException why) {
        return CompletableFuture.failedFuture(new StorageException(why.kind(),
                "the record of " + owner + " cannot be read: " + why.getMessage(), why));
    }

    /** The last record that was read or written successfully; empty before. */
    public Optional<CatalogueRecord> written() {
        RecordState now = state;
        return now == null ? Optional.empty() : Optional.of(now.written());
    }

    /** The record that the next update begins with: the last wish, whether it could be written or not. */
    public Optional<CatalogueRecord> wish() {
        RecordState now = state;
        return now == null ? Optional.empty() : Optional.of(now.wish());
    }

    /** The ledgers that the last successful record dooms, less the ones deleted since or owned by somebody else. A copy. */
    public Set<Long> doomed() {
        RecordState now = state;
        Set<Long> doomed = new HashSet<>();
        if (now != null) {
            doomed.addAll(now.written().doomed());
            doomed.removeAll(now.gone());
        }
        return doomed;
    }

    /** Whether the durable record cannot be read, and is to be written over with the next update. */
    public boolean isReplacing() {
        return replacing;
    }

    /** Whether the outcome of the last update is unknown, so that another one is needed; its change may be the identity. */
    public boolean isUnsettled() {
        RecordState now = state;
        return now != null && now.unsettled();
    }

    /**
     * Changes the record, and answers with it once it is durable. After a failure the change stands in the wish: call again, with
     * the identity or with the next change. Writes nothing if there is nothing new. Once closed it fails, and deletes the ledgers
     * of the change that were made here and that no record has named so far.
     */
    public CompletableFuture<CatalogueRecord> update(UnaryOperator<CatalogueRecord> change) {
        return Futures.step("updating the record of " + owner, () -> {
            RecordState before = state;
            if (before == null) {
                return StorageException.failed(Kind.UNEXPECTED, "the record of " + owner + " is written before it was read");
            }
            if (closed) {
                return refused(before, change.apply(before.wish()));
            }
            CatalogueRecord changed = change.apply(before.wish());
            List<Long> gone = changed.doomed().stream().filter(before.gone()::contains).toList();
            CatalogueRecord wish = gone.isEmpty() ? changed : changed.deleted(gone);
            if (!before.unsettled() && wish.equals(before.written())) {
                return CompletableFuture.completedFuture(wish);
            }
            return write(before, wish);
        });
    }

    /** Fails an update. Ledgers made here that it would have been the first to name are deleted, unawaited. */
    private CompletableFuture<CatalogueRecord> refused(RecordState before, CatalogueRecord wish) {
        Set<Long> ids = RecordState.namedBy(wish);
        ids.retainAll(leftovers.all());
        ids.removeAll(before.named());
        ids.forEach(leftovers::unwanted);
        Futures.whenDone(new DeleteLedgers(storage, owner, retries.fresh()).deleteAll(ids), (gone, failure) -> noted(gone));
        return CompletableFuture.failedFuture(StorageException.closed("updating the record"));
    }

    private CompletableFuture<CatalogueRecord> write(RecordState before, CatalogueRecord wish) {
        RecordState writing = before.writing(wish);
        state = writing;
        String text = wish.encode();
        AtomicBoolean asked = new AtomicBoolean();
        CompletableFuture<Void> put = retries.call("updating the record of " + owner, () -> {
            if (closed) {
                return CompletableFuture.failedFuture(StorageException.closed("updating the record"));
            }
            asked.set(true);
            return store.put(PROPERTY, text);
        });
        return Futures.either(put, done -> CompletableFuture.completedFuture(written(writing)),
                failure -> asked.get() ? CompletableFuture.failedFuture(failure) : neverAsked(before, wish));
    }

    private CatalogueRecord written(RecordState writing) {
        CatalogueRecord wish = writing.wish();
        Set<Long> leftOut = new HashSet<>(writing.named());
        leftOut.removeAll(RecordState.namedBy(wish));
        leftOut.forEach(leftovers::unwanted);
        RecordState.namedBy(wish).forEach(leftovers::settled);
        state = writing.succeeded();
        replacing = false;
        return wish;
    }

    /** Refuses an update that waited for its turn while the keeper was closed: the durable record names nothing new. */
    private CompletableFuture<CatalogueRecord> neverAsked(RecordState before, CatalogueRecord wish) {
        state = before.withGone(state.gone());
        return refused(before, wish);
    }

    /**
     * Deletes the ledgers that the last successful record dooms, none once closed. Never fails; the next call tries the remaining
     * ledgers again.
     */
    public CompletableFuture<Deletions> deleteDoomed() {
        return deleteDoomed(Set.of());
    }

    /**
     * Deletes doomed ledgers, except some that are to stay for now. Deletes none unless the metadata store has the record that
     * was written last: otherwise somebody else owns the topic, and may need ledgers that this side has doomed. Each ledger is
     * tried once, if there is time.
     */
    public CompletableFuture<Deletions> deleteDoomed(Set<Long> held) {
        Set<Long> doomed = doomed();
        doomed.removeAll(held);
        if (doomed.isEmpty() || closed) {
            return CompletableFuture.completedFuture(Deletions.NONE);
        }
        return outcome(deletions.once("reading the record again", store::readStored).thenCompose(this::isLastWritten))
                .thenCompose(doubt -> doubt.isEmpty() && !closed
                        ? doomedPasses.tryOnce(doomed, () -> !closed).thenApply(this::noted)
                        : CompletableFuture.completedFuture(Deletions.none(doomed, doubt.orElseGet(() ->
                                StorageException.closed("deleting ledgers")))));
    }

    private CompletableFuture<Void> isLastWritten(Map<String, String> stored) {
        RecordState now = state;
        try {
            return !now.unsettled() && now.written().namesAsMuchAs(CatalogueRecord.in(stored)) ? Futures.DONE
                    : StorageException.failed(Kind.CONFLICT, "the record of " + owner
                            + " is not the one that was written here last");
        } catch (StorageException e) {
            return unreadable(e);
        }
    }

    /** Deletes the unwanted leftovers that no possibly durable record names; once closed, for the last time. Never fails. */
    public CompletableFuture<Deletions> deleteLeftovers() {
        RecordState now = state;
        Set<Long> ids = new HashSet<>(leftovers.unwanted());
        ids.removeAll(now == null ? Set.of() : now.named());
        return (closed ? new DeleteLedgers(storage, owner, deletions).deleteAll(ids) : leftoverPasses.tryOnce(ids, () -> !closed))
                .thenApply(this::noted);
    }

    private Deletions noted(Deletions deletions) {
        Set<Long> settled = new HashSet<>(deletions.gone());
        settled.addAll(deletions.foreign());
        settled.forEach(leftovers::settled);
        RecordState now = state;
        if (now != null) {
            settled.retainAll(now.named());
            state = now.withGone(settled);
        }
        return deletions;
    }

    /**
     * Removes everything of a deleted subscription: every ledger that a possibly durable record names, every leftover, then the
     * property. Reads the record first if it was not read. A record that is damaged or of a newer version is removed, and the
     * ledgers that it names are left to the sweeper. Never fails, and answers in bounded time whatever the storage does.
     *
     * @param withinMillis the time after which the rest is left
     */
    public CompletableFuture<Removal> removeAll(long withinMillis) {
        Retries bounded = retries.fresh();
        WakeUpTimer.Armed deadline = bounded.abandonAfter(withinMillis);
        CompletableFuture<Optional<StorageException>> read = state != null
                ? CompletableFuture.completedFuture(Optional.empty()) : outcome(loadToRemove(bounded));
        return read.thenCompose(unread -> {
            RecordState now = state;
            Set<Long> recorded = now == null ? Set.of() : now.named();
            Set<Long> ids = new HashSet<>(leftovers.all());
            ids.addAll(recorded);
            return new DeleteLedgers(storage, owner, bounded).deleteAll(ids).thenApply(this::noted)
                    .thenCompose(deletions -> unread.isPresent()
                            ? CompletableFuture.completedFuture(new Removal(deletions, unread))
                            : removeRecord(bounded, recorded, deletions));
        }).whenComplete((removal, failure) -> deadline.cancel());
    }

    private CompletableFuture<CatalogueRecord> loadToRemove(Retries policy) {
        return load(policy).exceptionallyCompose(failure -> switch (StorageException.of(failure, "reading the record").kind()) {
            case CORRUPT, NEWER_VERSION -> replace(policy);
            default -> CompletableFuture.failedFuture(failure);
        });
    }

    private CompletableFuture<Removal> removeRecord(Retries bounded, Set<Long> recorded, Deletions deletions) {
        Optional<StorageException> kept = deletions.left().entrySet().stream()
                .filter(left -> recorded.contains(left.getKey())).map(Map.Entry::getValue).findFirst();
        if (kept.isPresent()) {
            return CompletableFuture.completedFuture(new Removal(deletions, kept));
        }
        return outcome(bounded.call("removing the record of " + owner, () -> store.remove(PROPERTY))).thenApply(failure -> {
            if (failure.isEmpty()) {
                state = RecordState.read(CatalogueRecord.EMPTY);
                replacing = false;
            }
            return new Removal(deletions, failure);
        });
    }

    private static CompletableFuture<Optional<StorageException>> outcome(CompletableFuture<?> step) {
        return step.handle((done, failure) ->
                Optional.ofNullable(failure).map(known -> StorageException.of(known, "the record")));
    }

    /**
     * Ends the updates: none begins after this, and none is tried again. Answers when the broker has answered the updates that
     * were begun, perhaps never; does not fail. From any thread.
     */
    public CompletableFuture<Void> close() {
        closed = true;
        retries.abandon();
        return Futures.closed(store);
    }

    /** Gives up deletions by the record that may still be under way after {@link #close}. */
    public void end() {
        deletions.abandon();
    }

    /**
     * The remains of the snapshots of a deleted subscription.
     *
     * @param ledgers the fate of the known ledgers
     * @param recordFailure the reason why the record is still there; empty if it is gone. It is kept while a ledger that it names
     *     is left, and when the store does not give it
     */
    public record Removal(Deletions ledgers, Optional<StorageException> recordFailure) {

        /** Whether nothing is left. */
        public boolean isComplete() {
            return ledgers.left().isEmpty() && recordFailure.isEmpty();
        }
    }
}
