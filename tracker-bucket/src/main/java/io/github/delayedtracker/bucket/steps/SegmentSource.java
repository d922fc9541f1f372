/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The segments of one snapshot, to be read one at a time. */
public interface SegmentSource {

    /** The ledger of the snapshot. */
    long ledgerId();

    /** The number of segments; they follow each other in time. */
    int segments();

    /** The number of positions that the snapshot was written with. */
    long positions();

    /** The length of the entry of a segment, bytes; an estimate where it is not known before it is read. */
    int bytes(int number);

    /** Reads the segment of a number, from 0, in (time, ledger, entry) order. One read at a time. */
    CompletableFuture<SegmentColumns> read(int number);

    /** The failure of the last read, if it failed. It tells which of several sources is to blame. */
    Optional<StorageException> failure();

    /** Closes the open handle, once no read is under way; a later read opens one again. Idempotent. */
    void close();
}
