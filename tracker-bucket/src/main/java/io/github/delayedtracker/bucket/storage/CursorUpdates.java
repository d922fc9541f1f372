/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.ManagedCursor;

/**
 * The order of all updates of a cursor's properties, whichever store they come from. The broker takes the properties of a new
 * record from those that it knows, and the version after that: of two updates at a time one may undo the other. An update that
 * is given up holds up no other. Thread safe.
 */
final class CursorUpdates {

    /** The last update of each cursor that has one under way, by reference. */
    private static final Map<ManagedCursor, CompletableFuture<Void>> LAST = Collections.synchronizedMap(new IdentityHashMap<>());

    private CursorUpdates() {
    }

    /**
     * Begins an update when the one before has ended.
     *
     * @param givenUp done when nobody waits for the update any more
     */
    static CompletableFuture<Void> inOrder(ManagedCursor cursor, CompletableFuture<Void> givenUp,
            Supplier<CompletableFuture<Void>> update) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        CompletableFuture<Void> before = LAST.put(cursor, ended);
        CompletableFuture<Void> answer = (before == null ? Futures.DONE : before).thenCompose(done -> update.get());
        Futures.whenDone(answer, (done, failure) -> end(cursor, ended));
        Futures.whenDone(givenUp, (done, failure) -> end(cursor, ended));
        return answer;
    }

    private static void end(ManagedCursor cursor, CompletableFuture<Void> ended) {
        LAST.remove(cursor, ended);
        ended.complete(null);
    }
}
