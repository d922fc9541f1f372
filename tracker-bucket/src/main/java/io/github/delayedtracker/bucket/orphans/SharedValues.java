/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * A few short values that all brokers of a cluster share, each under a name. No call blocks or throws; every failure is a
 * {@link StorageException} in the future, which completes on any thread. There is no timeout here. Calls may come from any
 * thread.
 */
public interface SharedValues {

    /**
     * A value as it was read.
     *
     * @param text the value
     * @param version changes with each {@link #put}
     */
    record Versioned(String text, long version) {
    }

    /** The value; empty if there is none. May be older than the last put of another broker. */
    CompletableFuture<Optional<Versioned>> get(String name);

    /**
     * Replaces a value at its version, or makes one where there is none, and answers the new version. CONFLICT if it has another
     * version, or is there already; as the answer to a call that was repeated on the way this may be the call's own effect. After
     * any other failure it may have taken effect, or may still do so.
     */
    CompletableFuture<Long> put(String name, String text, OptionalLong version);
}
