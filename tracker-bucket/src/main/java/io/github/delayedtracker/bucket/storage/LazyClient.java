/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.bookkeeper.client.api.BookKeeper;

/**
 * The BookKeeper client: made when first needed, made again after it could not be made, closed once. The lock is a leaf: it
 * covers fields, no foreign call.
 */
final class LazyClient {

    private final Supplier<? extends CompletableFuture<? extends BookKeeper>> maker;
    private final Executor blocking;
    private final Object lock = new Object();
    @GuardedBy("lock")
    private CompletableFuture<BookKeeper> client;
    @GuardedBy("lock")
    private CompletableFuture<Void> end;

    LazyClient(Supplier<? extends CompletableFuture<? extends BookKeeper>> maker, Executor blocking) {
        this.maker = maker;
        this.blocking = blocking;
    }

    /** The client; CLOSED after the end, UNAVAILABLE while it cannot be made. */
    CompletableFuture<BookKeeper> get() {
        CompletableFuture<BookKeeper> made;
        synchronized (lock) {
            if (end != null) {
                return StorageException.failed(StorageException.Kind.CLOSED, "the snapshot storage is closed");
            }
            if (client != null && !client.isCompletedExceptionally()) {
                return client;
            }
            made = new CompletableFuture<>();
            client = made;
        }
        make(made);
        return made;
    }

    private void make(CompletableFuture<BookKeeper> made) {
        try {
            Futures.whenDone(maker.get(), (value, failure) -> {
                if (failure == null) {
                    made.complete(value);
                } else {
                    made.completeExceptionally(unavailable(failure));
                }
            });
        } catch (Throwable e) {
            made.completeExceptionally(unavailable(e));
        }
    }

    private static StorageException unavailable(Throwable failure) {
        return new StorageException(StorageException.Kind.UNAVAILABLE, "no BookKeeper client could be made: " + failure, failure);
    }

    /** Closes the client, made or being made. Its close blocks, so it runs where blocking is allowed. */
    CompletableFuture<Void> close() {
        CompletableFuture<Void> done;
        CompletableFuture<BookKeeper> made;
        synchronized (lock) {
            if (end != null) {
                return end;
            }
            done = new CompletableFuture<>();
            end = done;
            made = client;
        }
        if (made == null) {
            done.complete(null);
            return done;
        }
        Futures.whenDone(made, (value, failure) -> {
            if (failure != null) {
                done.complete(null);
            } else {
                Futures.pass(ForeignCalls.block(blocking, "closing the BookKeeper client", () -> {
                    value.close();
                    return null;
                }), done);
            }
        });
        return done;
    }
}
