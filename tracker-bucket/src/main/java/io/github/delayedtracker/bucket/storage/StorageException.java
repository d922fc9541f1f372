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

    /** The kind of a failure. */
    public enum Kind {
        /** The ledger does not exist, or none of its replicas does. */
        NO_SUCH_LEDGER(false),
        /** The entry lies outside the ledger, or all its replicas have lost it. */
        NO_SUCH_ENTRY(false),
        /** The bytes read are not the bytes written. */
        CORRUPT(false),
        /** The bytes read are whole, and written by a newer version of the plugin. */
        NEWER_VERSION(false),
        /** The ledger belongs to an owner with another password. */
        UNAUTHORIZED(false),
        /** The entry is larger than {@link SnapshotStorage#maxEntryBytes()}. */
        TOO_LARGE(false),
        /** A reader opened the ledger while it was written: the writer is of no more use. */
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

    /** The consequence for a snapshot of the failure of a step that reads it. */
    public enum Consequence {
        /** Nothing: the storage is not there now. The same step is to be tried later. */
        TRY_LATER,
        /** The snapshot is gone or damaged for good: forget the bucket, let its positions be read again, delete the ledger. */
        LOST,
        /** The snapshot has another owner: forget it and never delete it. */
        FOREIGN,
        /** The snapshot is whole, of a newer version: forget the bucket, let its positions be read again, never delete it. */
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

    /** The kind of this failure. */
    public Kind kind() {
        return kind;
    }

    /** Whether the same call may succeed later. False means: it never will. */
    public boolean isRetryable() {
        return kind.retryable;
    }

    /** The consequence for a snapshot that was read. A failure for an unknown reason is none to give the snapshot up for. */
    public Consequence consequence() {
        return switch (kind) {
            case NO_SUCH_LEDGER, NO_SUCH_ENTRY, CORRUPT -> Consequence.LOST;
            case UNAUTHORIZED -> Consequence.FOREIGN;
            case NEWER_VERSION -> Consequence.NEWER;
            case CLOSED -> Consequence.GIVEN_UP;
            case CONFLICT, UNAVAILABLE, OUTCOME_UNKNOWN, UNEXPECTED, TOO_LARGE, FENCED -> Consequence.TRY_LATER;
        };
    }

    /** The storage exception in a failure, without wrappers; a failure without a kind is a defect of the plugin, UNEXPECTED. */
    public static StorageException of(Throwable failure, String what) {
        Throwable cause = Futures.cause(failure);
        return cause instanceof StorageException known ? known
                : new StorageException(Kind.UNEXPECTED, what + " failed: " + cause, cause);
    }

    /** The failure of a call or step that this side gave up. */
    public static StorageException closed(String what) {
        return new StorageException(Kind.CLOSED, what + " was given up");
    }

    /** The failure of reading bytes that are not the bytes written. */
    public static StorageException corrupt(String what, String rule, Throwable cause) {
        return new StorageException(Kind.CORRUPT, what + " is damaged: " + rule, cause);
    }

    /** The failure of reading bytes that a newer version of the plugin has written. */
    public static StorageException newer(String what, String found, Throwable cause) {
        return new StorageException(Kind.NEWER_VERSION, what + " is of a newer version: " + found, cause);
    }

    /** The answer of a call that fails. */
    public static <T> CompletableFuture<T> failed(Kind kind, String message) {
        return CompletableFuture.failedFuture(new StorageException(kind, message));
    }

    /** The answer where a ledger has another owner: it is neither used nor deleted. */
    public static <T> CompletableFuture<T> foreign(long ledgerId, Optional<?> owner, Object wanted) {
        return failed(Kind.UNAUTHORIZED, "ledger " + ledgerId + " belongs to "
                + owner.map(Object::toString).orElse("somebody else") + ", not to " + wanted);
    }

    /** Whether a failure is one of kind CLOSED: this side ended the call or step. */
    public static boolean isClosed(Throwable failure) {
        return Futures.cause(failure) instanceof StorageException known && known.kind == Kind.CLOSED;
    }
}
