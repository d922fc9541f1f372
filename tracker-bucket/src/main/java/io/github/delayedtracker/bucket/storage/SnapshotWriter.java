/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;

/**
 * The one writer of a new ledger. One thread at a time.
 *
 * <p>After the first failed append every later one fails too: the snapshot is to be abandoned and written anew.
 */
public interface SnapshotWriter {

    /** The ledger's id. */
    long ledgerId();

    /**
     * Appends one entry and answers its number: 0, 1, 2, ... in the order of the calls. Several may be under way; they answer in
     * order. Once it answers, the entry survives a crash. The buffer is released by the storage, whatever the outcome.
     */
    CompletableFuture<Long> append(ByteBuf entry);

    /**
     * Waits for the appends under way and seals the ledger; from then on every reader sees exactly the appended entries. Fails
     * as the append failed if one did, and the ledger is not sealed. After any other failure it may be sealed or not: open it to
     * know. Later appends fail with CLOSED.
     */
    CompletableFuture<Void> close();

    /**
     * Gives the snapshot up: closes the handle and deletes the ledger. Answers as the deletion does; after a failure call
     * {@link SnapshotStorage#delete} again.
     */
    CompletableFuture<Void> abandon();
}
