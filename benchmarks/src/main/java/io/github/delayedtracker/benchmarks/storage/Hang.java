/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A hang of a storage: from its begin to its end no call about the ledgers of one cursor is answered, neither well nor with a
 * failure, and every call about others is. Calls that came meanwhile are done at its end. Thread safe.
 */
final class Hang {

    @GuardedBy("this")
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
    @GuardedBy("this")
    private String hungCursor;

    synchronized void begin(String cursor) {
        hungCursor = cursor;
    }

    /** Has everything answered; returns the number of calls that had waited. */
    int end() {
        List<CompletableFuture<Void>> late;
        synchronized (this) {
            hungCursor = null;
            late = List.copyOf(waiting);
            waiting.clear();
        }
        late.forEach(call -> call.complete(null));
        return late.size();
    }

    /** Does a call about a ledger of an owner, also if the caller has given it up by the end of the hang. */
    <T> CompletableFuture<T> call(SnapshotOwner owner, Supplier<CompletableFuture<T>> call) {
        synchronized (this) {
            if (owner.cursor().equals(hungCursor)) {
                CompletableFuture<Void> end = new CompletableFuture<>();
                waiting.add(end);
                return end.thenCompose(done -> call.get()).copy();
            }
        }
        return call.get();
    }
}
