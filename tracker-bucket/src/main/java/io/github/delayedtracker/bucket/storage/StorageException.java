/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

/** The only failure a storage future carries; its kind says what the caller may do about it. */
public final class StorageException extends Exception {

    /** What happened. */
    public enum Kind {
        /** The ledger does not exist, or none of its replicas does. */
        NO_SUCH_LEDGER(false),
        /** The entry lies outside the ledger, or all its replicas have lost it. */
        NO_SUCH_ENTRY(false),
        /** What was read is not what was written. */
        CORRUPT(false),
        /** What was read is whole, and written by a newer version of the plugin. */
        NEWER_VERSION(false),
        /** The ledger belongs to somebody with another password. */
        UNAUTHORIZED(false),
        /** The entry is larger than {@link SnapshotStorage#maxEntryBytes()}. */
        TOO_LARGE(false),
        /** Somebody opened the ledger to read while it was written: the writer is of no more use. */
        FENCED(false),
        /** The handle or the storage was closed by this side. */
        CLOSED(false),
        /** Another update of the same record came between; whether this one took effect is not proven either way. */
        CONFLICT(true),
        /** The storage cannot answer now. */
        UNAVAILABLE(true),
        /** The update failed and may have taken effect, or may still do so. */
        OUTCOME_UNKNOWN(true),
        /** A failure this plugin has no name for. Tried again a bounded number of times like any other. */
        UNEXPECTED(true);

        private final boolean retryable;

        Kind(boolean retryable) {
            this.retryable = retryable;
        }
    }

    private final Kind kind;

    /** A failure with the foreign exception behind it, or null. */
    public StorageException(Kind kind, String message, Throwable cause) {
        super(kind + ": " + message, cause);
        this.kind = kind;
    }

    /** A failure found by the plugin itself. */
    public StorageException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** What happened. */
    public Kind kind() {
        return kind;
    }

    /** Whether the same call may succeed later. False means: it never will. */
    public boolean isRetryable() {
        return kind.retryable;
    }
}
