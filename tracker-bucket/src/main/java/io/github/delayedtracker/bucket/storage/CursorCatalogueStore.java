/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.bucket.storage.CatalogueStore.CursorRecords;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.AsyncCallbacks.MarkDeleteCallback;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.impl.ManagedCursorImpl;

/**
 * The catalogue in the properties of a managed cursor. The prefix keeps it from users, whose own updates leave internal
 * properties alone, and from the stock bucket tracker, which takes every property under its own prefix for one of its snapshots.
 *
 * <p>Each update rewrites the record at the version the cursor knows, once the cursor has a {@link CursorLedger}. A conflict is
 * tried again at once a few times: the cursor's own writes bump the version too. One update of a cursor runs at a time, besides
 * given-up updates that the broker has not answered. The lock is a leaf and covers the queue only.
 */
public final class CursorCatalogueStore implements CatalogueStore {

    /** Tries of one update that meets conflicts. */
    static final int MAX_TRIES = 4;

    private final ManagedCursor cursor;
    private final CursorRecords records;
    private final String prefix;
    private final boolean makesLedger;
    private final Object lock = new Object();
    @GuardedBy("lock")
    private final Queue<Update> waiting = new ArrayDeque<>();
    @GuardedBy("lock")
    private boolean busy;
    /** The number of calls that the cursor has not answered. */
    @GuardedBy("lock")
    private int underWay;
    /** The answer of close, null before; completes when the cursor has answered all. */
    @GuardedBy("lock")
    private CompletableFuture<Void> idle;

    /** The catalogue of a durable cursor. */
    public CursorCatalogueStore(ManagedCursor cursor, CursorRecords records) {
        this(cursor, records, PROPERTY_PREFIX);
    }

    /** The properties of a durable cursor with another prefix, such as that of the stock bucket tracker. */
    public CursorCatalogueStore(ManagedCursor cursor, CursorRecords records, String prefix) {
        this(cursor, records, prefix, true);
    }

    /**
     * The properties of a durable cursor with a prefix.
     *
     * @param makesLedger whether an update has the cursor make its ledger first; else an update fails while it has none
     */
    public CursorCatalogueStore(ManagedCursor cursor, CursorRecords records, String prefix, boolean makesLedger) {
        this.makesLedger = makesLedger;
        this.cursor = cursor;
        this.records = records;
        this.prefix = prefix;
    }

    private record Update(String what, Supplier<CompletableFuture<Void>> call, CompletableFuture<Void> answer) {
    }

    @Override
    public CompletableFuture<Map<String, String>> readAll() {
        try {
            Map<String, String> all = cursor.getCursorProperties();
            return CompletableFuture.completedFuture(all == null ? Map.of() : ours(all));
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(new StorageException(Kind.UNEXPECTED,
                    "reading the properties of cursor " + cursor.getName() + " failed: " + e, e));
        }
    }

    @Override
    public CompletableFuture<Map<String, String>> readStored() {
        return records.propertiesOf(cursor.getManagedLedger().getName(), cursor.getName()).thenApply(this::ours);
    }

    private Map<String, String> ours(Map<String, String> all) {
        Map<String, String> ours = new HashMap<>();
        all.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                ours.put(key.substring(prefix.length()), value);
            }
        });
        return ours;
    }

    @Override
    public CompletableFuture<Void> put(String name, String value) {
        return enqueue("setting " + name, () -> cursor.putCursorProperty(prefix + name, value));
    }

    @Override
    public CompletableFuture<Void> remove(String name) {
        return enqueue("removing " + name, () -> cursor.removeCursorProperty(prefix + name));
    }

    private CompletableFuture<Void> enqueue(String what, Supplier<CompletableFuture<Void>> call) {
        Update update = new Update(what + " in the record of cursor " + cursor.getName(), call, new CompletableFuture<>());
        synchronized (lock) {
            if (idle != null) {
                return closed(update.what());
            }
            waiting.add(update);
        }
        beginNext();
        return update.answer();
    }

    private static CompletableFuture<Void> closed(String what) {
        return StorageException.failed(Kind.CLOSED, what + " was not begun: the store is closed");
    }

    /** Begins the next update unless one is under way. An update that was given up while it waited is dropped. */
    private void beginNext() {
        Update next;
        synchronized (lock) {
            if (busy) {
                return;
            }
            next = waiting.poll();
            while (next != null && next.answer().isDone()) {
                next = waiting.poll();
            }
            busy = next != null;
        }
        if (next != null) {
            Futures.whenDone(next.answer(), (done, failure) -> ended());
            attempt(next, 1);
        }
    }

    private void attempt(Update update, int tries) {
        Futures.whenDone(begun(update), (done, failure) -> {
            if (failure == null) {
                update.answer().complete(null);
                return;
            }
            StorageException translated = ForeignFailures.ofUpdate(failure, update.what());
            boolean again = translated.kind() == Kind.CONFLICT && tries < MAX_TRIES && !update.answer().isDone() && !isClosed();
            if (again) {
                attempt(update, tries + 1);
            } else {
                update.answer().completeExceptionally(translated);
            }
        });
    }

    private CompletableFuture<Void> begun(Update update) {
        synchronized (lock) {
            if (idle != null) {
                return closed(update.what());
            }
            underWay++;
        }
        CompletableFuture<Void> call;
        try {
            call = CursorUpdates.inOrder(cursor, update.answer(), () -> begin(update));
        } catch (Throwable e) {
            call = CompletableFuture.failedFuture(e);
        }
        Futures.whenDone(call, (done, failure) -> answered());
        return call;
    }

    private CompletableFuture<Void> begin(Update update) {
        if (!makesLedger && CursorLedger.isMissing(cursor)) {
            return StorageException.failed(Kind.UNAVAILABLE, update.what() + " waits until the cursor has a ledger");
        }
        return CursorLedger.make(cursor).thenCompose(ready -> update.answer().isDone() || isClosed() ? closed(update.what())
                : update.call().get());
    }

    private void answered() {
        CompletableFuture<Void> nowIdle;
        synchronized (lock) {
            underWay--;
            nowIdle = underWay == 0 ? idle : null;
        }
        if (nowIdle != null) {
            nowIdle.complete(null);
        }
    }

    private boolean isClosed() {
        synchronized (lock) {
            return idle != null;
        }
    }

    private void ended() {
        synchronized (lock) {
            busy = false;
        }
        beginNext();
    }

    @Override
    public CompletableFuture<Void> close() {
        Queue<Update> refused;
        CompletableFuture<Void> done;
        synchronized (lock) {
            if (idle != null) {
                return idle.copy();
            }
            idle = new CompletableFuture<>();
            refused = new ArrayDeque<>(waiting);
            waiting.clear();
            done = idle;
            if (underWay == 0) {
                done.complete(null);
            }
        }
        for (Update update : refused) {
            update.answer().completeExceptionally(new StorageException(Kind.CLOSED, update.what() + " was not begun"));
        }
        return done.copy();
    }

    /**
     * The ledger that a cursor persists positions to, made before its record is updated. A cursor makes that ledger with the
     * first acknowledgement, seek or clear after the topic was loaded, and then writes its record. A property update under way
     * makes that write fail with a bad version. Once there is a ledger the broker leaves the record alone for hours.
     *
     * <p>Implementation note: a mark-delete of the position that is mark-deleted already has the effect of the first
     * acknowledgement.
     */
    static final class CursorLedger {

        /** The states in which the cursor itself is about to write the record, or will with the next acknowledgement. */
        private static final Set<String> BEFORE = Set.of("NoLedger", "SwitchingLedger");

        private CursorLedger() {
        }

        static boolean isMissing(ManagedCursor cursor) {
            return cursor instanceof ManagedCursorImpl known && BEFORE.contains(known.getState());
        }

        /** Answers, never with a failure and on any thread, when the cursor has its ledger or could not get one. */
        static CompletableFuture<Void> make(ManagedCursor cursor) {
            CompletableFuture<Void> made = new CompletableFuture<>();
            Position markDelete = isMissing(cursor) ? cursor.getMarkDeletedPosition() : null;
            if (markDelete == null) {
                made.complete(null);
                return made;
            }
            cursor.asyncMarkDelete(markDelete, cursor.getProperties(), new MarkDeleteCallback() {
                @Override
                public void markDeleteComplete(Object context) {
                    made.complete(null);
                }

                @Override
                public void markDeleteFailed(ManagedLedgerException failure, Object context) {
                    // Overtaken by a later position, closed, or without bookies: the update that follows finds out.
                    made.complete(null);
                }
            }, null);
            return made;
        }
    }
}
