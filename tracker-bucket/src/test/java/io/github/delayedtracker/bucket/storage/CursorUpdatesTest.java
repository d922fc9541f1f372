/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.junit.jupiter.api.Test;

/** Updates of one cursor wait for each other, and for no other cursor's. */
class CursorUpdatesTest {

    private final ManagedCursor cursor = mock(ManagedCursor.class);
    private final List<String> begun = new ArrayList<>();
    private final CompletableFuture<Void> givenUp = new CompletableFuture<>();

    @CanIgnoreReturnValue
    private CompletableFuture<Void> update(ManagedCursor of, String name, CompletableFuture<Void> answer) {
        return CursorUpdates.inOrder(of, givenUp, () -> {
            begun.add(name);
            return answer;
        });
    }

    @Test
    void anUpdateBeginsWhenTheOneBeforeHasEndedWellOrNot() {
        CompletableFuture<Void> first = new CompletableFuture<>();
        CompletableFuture<Void> second = new CompletableFuture<>();
        update(cursor, "first", first);
        CompletableFuture<Void> answer = update(cursor, "second", second);
        CompletableFuture<Void> last = update(cursor, "third", CompletableFuture.completedFuture(null));
        assertEquals(List.of("first"), begun);
        first.completeExceptionally(new IllegalStateException("for the test"));
        assertEquals(List.of("first", "second"), begun);
        second.complete(null);
        assertEquals(List.of("first", "second", "third"), begun);
        assertTrue(answer.isDone());
        assertTrue(last.isDone());
    }

    @Test
    void anUpdateThatIsGivenUpHoldsUpNoOther() {
        update(cursor, "first", new CompletableFuture<>());
        update(cursor, "second", new CompletableFuture<>());
        givenUp.cancel(false);
        assertEquals(List.of("first", "second"), begun);
    }

    @Test
    void anotherCursorDoesNotWait() {
        update(cursor, "first", new CompletableFuture<>());
        update(mock(ManagedCursor.class), "another", new CompletableFuture<>());
        assertEquals(List.of("first", "another"), begun);
    }

    @Test
    void anUpdateThatThrowsHoldsUpNoOther() {
        CompletableFuture<Void> failed = CursorUpdates.inOrder(cursor, givenUp, () -> {
            throw new IllegalStateException("for the test");
        });
        update(cursor, "next", CompletableFuture.completedFuture(null));
        assertTrue(failed.isCompletedExceptionally());
        assertEquals(List.of("next"), begun);
    }
}
