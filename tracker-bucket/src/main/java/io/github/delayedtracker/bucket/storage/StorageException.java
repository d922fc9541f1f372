/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

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

    /** What follows for a snapshot from the failure of a step that reads it. */
    public enum Consequence {
        /** Nothing: the storage is not there now. The same step later. */
        TRY_LATER,
        /** It is gone or damaged for good: forget the bucket, let its positions be read again, delete the ledger. */
        LOST,
        /** It is somebody else's: forget it and never delete it. */
        FOREIGN,
        /** It is whole, and of a newer version: forget the bucket, let its positions be read again, never delete it. */
        NEWER,
        /** Nothing: this side closed or gave up. */
        GIVEN_UP
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

    /** What follows for a snapshot that was read. One that fails for an unknown reason is not given up for it. */
    public Consequence consequence() {
        return switch (kind) {
            case NO_SUCH_LEDGER, NO_SUCH_ENTRY, CORRUPT -> Consequence.LOST;
            case UNAUTHORIZED -> Consequence.FOREIGN;
            case NEWER_VERSION -> Consequence.NEWER;
            case CLOSED -> Consequence.GIVEN_UP;
            case CONFLICT, UNAVAILABLE, OUTCOME_UNKNOWN, UNEXPECTED, TOO_LARGE, FENCED -> Consequence.TRY_LATER;
        };
    }

    /** A failure however wrapped; what has no kind yet is a defect of the plugin, UNEXPECTED. */
    public static StorageException of(Throwable failure, String what) {
        Throwable cause = Futures.cause(failure);
        return cause instanceof StorageException known ? known
                : new StorageException(Kind.UNEXPECTED, what + " failed: " + cause, cause);
    }

    /** This side ended it. */
    public static StorageException closed(String what) {
        return new StorageException(Kind.CLOSED, what + " was given up");
    }

    /** Bytes that are not what was written. */
    public static StorageException corrupt(String what, String rule, Throwable cause) {
        return new StorageException(Kind.CORRUPT, what + " is damaged: " + rule, cause);
    }

    /** Bytes that a newer version of the plugin has written. */
    public static StorageException newer(String what, String found, Throwable cause) {
        return new StorageException(Kind.NEWER_VERSION, what + " is of a newer version: " + found, cause);
    }

    /** The answer of a call that fails. */
    public static <T> CompletableFuture<T> failed(Kind kind, String message) {
        return CompletableFuture.failedFuture(new StorageException(kind, message));
    }

    /** The answer where a ledger is somebody else's: it is neither used nor deleted. */
    public static <T> CompletableFuture<T> foreign(long ledgerId, Optional<?> owner, Object wanted) {
        return failed(Kind.UNAUTHORIZED, "ledger " + ledgerId + " belongs to "
                + owner.map(Object::toString).orElse("somebody else") + ", not to " + wanted);
    }

    /** Whether this side ended it. */
    public static boolean isClosed(Throwable failure) {
        return Futures.cause(failure) instanceof StorageException known && known.kind == Kind.CLOSED;
    }
}
