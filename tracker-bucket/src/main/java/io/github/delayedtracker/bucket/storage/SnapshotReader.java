/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A sealed ledger, opened to read. Thread safe. To be closed by whoever opened it. */
public interface SnapshotReader {

    /** The ledger's id. */
    long ledgerId();

    /** The number of the last entry; -1 if there is none. */
    long lastEntryId();

    /** Bytes of all entries, without what storage adds. */
    long lengthBytes();

    /** One entry, exactly as written. The caller releases it. */
    CompletableFuture<ByteBuf> read(long entryId);

    /**
     * The entries of a range, both ends included, all or none. The caller releases each. A number outside the ledger fails with
     * NO_SUCH_ENTRY.
     */
    CompletableFuture<List<ByteBuf>> read(long firstEntryId, long lastEntryId);

    /** Lets the handle go; the second time does nothing. Reads under way may still answer. Never fails. */
    void close();
}
