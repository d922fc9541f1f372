/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.bookkeeper.mledger.AsyncCallbacks.DeleteCallback;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.junit.jupiter.api.Test;

/** The record that a cursor is asked to write, and whether it was. */
class CursorViewTest {

    private final ManagedCursor cursor = mock(ManagedCursor.class);
    private final AtomicInteger written = new AtomicInteger();

    @Test
    void aRecordIsWrittenThatAnotherThreadAnswersBeforeTheCallReturns() {
        writeRecord(ForkJoinPool.commonPool());
        assertEquals(1, written.get());
    }

    /** So the broker answers where its limit of the rate has no permit. */
    @Test
    void aRecordIsNotWrittenThatTheCallItselfAnswers() {
        writeRecord(Runnable::run);
        assertEquals(0, written.get());
    }

    private void writeRecord(Executor answers) {
        when(cursor.getMarkDeletedPosition()).thenReturn(PositionFactory.create(1, 1));
        when(cursor.getTotalNonContiguousDeletedMessagesRange()).thenReturn(1);
        doAnswer(call -> {
            DeleteCallback callback = call.getArgument(1);
            CompletableFuture.runAsync(() -> callback.deleteComplete(null), answers).join();
            return null;
        }).when(cursor).asyncDelete(anyList(), any(DeleteCallback.class), any());
        JournalCursors.view(cursor).writeRecord(written::incrementAndGet);
    }
}
