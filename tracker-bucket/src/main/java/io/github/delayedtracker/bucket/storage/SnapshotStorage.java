/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Ledgers that hold snapshots: written once, sealed, read, deleted.
 *
 * <p>No call blocks or throws; every failure is a {@link StorageException} in the future. Futures complete on any thread, also
 * inside the call. Calls may come from any thread.
 *
 * <p><b>Giving up.</b> There is no timeout here. A caller that no longer waits cancels the future it got. The storage clears away
 * a later answer: handles are closed, buffers released, a ledger that no caller heard of is deleted.
 */
public interface SnapshotStorage {

    /** The largest entry a ledger takes, bytes. */
    int maxEntryBytes();

    /**
     * Makes an empty ledger. After a failure a ledger may be left that no caller knows: it names its owner and is found by
     * {@link #list}.
     */
    CompletableFuture<SnapshotWriter> create(SnapshotOwner owner);

    /**
     * Opens a ledger to read. A ledger that was never sealed is sealed by this: it ends after the last entry whose append had
     * answered or after a later one that was under way, and its writer's next append fails.
     */
    CompletableFuture<SnapshotReader> open(long ledgerId);

    /** Deletes a ledger; one that does not exist is deleted already. After a failure it may or may not be gone: call again. */
    CompletableFuture<Void> delete(long ledgerId);

    /** The owner of a ledger; empty if this plugin did not write it in this cluster; NO_SUCH_LEDGER if there is none. */
    CompletableFuture<Optional<SnapshotOwner>> ownerOf(long ledgerId);

    /**
     * Ids of existing ledgers of any owner, ascending, greater than an id, at most {@code limit}; fewer means there are no more.
     * Going on from the last id of the page before costs O(page); starting elsewhere costs O(ledgers before it).
     */
    CompletableFuture<List<Long>> list(long afterLedgerId, int limit);

    /** Refuses every later call with CLOSED and closes the connection. Handles that are still open fail from then on. */
    CompletableFuture<Void> close();

    /** A sealed ledger, opened to read. Thread safe. The caller that opened it closes it. */
    interface SnapshotReader {

        /** The ledger's id. */
        long ledgerId();

        /** The number of the last entry; -1 if there is none. */
        long lastEntryId();

        /** Bytes of all entries, without what storage adds. */
        long lengthBytes();

        /** One entry, exactly as written. The caller releases it. */
        CompletableFuture<ByteBuf> read(long entryId);

        /**
         * The entries of a range, both ends included, all or none. The caller releases each. A number outside the ledger fails
         * with NO_SUCH_ENTRY.
         */
        CompletableFuture<List<ByteBuf>> read(long firstEntryId, long lastEntryId);

        /** Closes the handle; the second time does nothing. Reads under way may still answer. Never fails. */
        void close();
    }

    /**
     * The one writer of a new ledger. One thread at a time.
     *
     * <p>After the first failed append every later one fails too: the snapshot is to be abandoned and written anew.
     */
    interface SnapshotWriter {

        /** The ledger's id. */
        long ledgerId();

        /**
         * Appends one entry and answers its number: 0, 1, 2, ... in the order of the calls. Several may be under way; they answer
         * in order. Once it answers, the entry survives a crash. The storage releases the buffer after any outcome.
         */
        CompletableFuture<Long> append(ByteBuf entry);

        /**
         * Waits for the appends under way and seals the ledger; from then on every reader sees exactly the appended entries.
         * Fails as the append failed if one did, and the ledger is not sealed. After any other failure it may be sealed or not:
         * open it to know. Later appends fail with CLOSED.
         */
        CompletableFuture<Void> close();

        /**
         * Gives the snapshot up: closes the handle and deletes the ledger. Answers as the deletion does; after a failure call
         * {@link SnapshotStorage#delete} again.
         */
        CompletableFuture<Void> abandon();
    }
}
