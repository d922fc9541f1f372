/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.concurrent.CompletableFuture;

/** The edge of the steps: everything that goes wrong in one, as a storage exception with a kind. */
public final class Failures {

    private Failures() {
    }

    /** A failure however wrapped; what has no kind yet is a defect of the plugin, UNEXPECTED. */
    public static StorageException of(Throwable failure, String what) {
        Throwable cause = Futures.cause(failure);
        return cause instanceof StorageException known ? known
                : new StorageException(Kind.UNEXPECTED, what + " failed: " + cause, cause);
    }

    public static StorageException closed(String what) {
        return new StorageException(Kind.CLOSED, what + " was given up");
    }

    public static <T> CompletableFuture<T> failed(Kind kind, String message) {
        return CompletableFuture.failedFuture(new StorageException(kind, message));
    }

    /** Bytes that are not what was written. */
    public static StorageException corrupt(String what, String rule, Throwable cause) {
        return new StorageException(Kind.CORRUPT, what + " is damaged: " + rule, cause);
    }

    /** Bytes that a newer version of the plugin has written. */
    public static StorageException newer(String what, String found, Throwable cause) {
        return new StorageException(Kind.NEWER_VERSION, what + " is of a newer version: " + found, cause);
    }

    /** A ledger of somebody else, which is neither used nor deleted. */
    public static <T> CompletableFuture<T> foreign(long ledgerId, Object owner, Object wanted) {
        return failed(Kind.UNAUTHORIZED, "ledger " + ledgerId + " belongs to " + owner + ", not to " + wanted);
    }

    /** Whether this side ended it. */
    public static boolean isClosed(Throwable failure) {
        return Futures.cause(failure) instanceof StorageException known && known.kind() == Kind.CLOSED;
    }
}
