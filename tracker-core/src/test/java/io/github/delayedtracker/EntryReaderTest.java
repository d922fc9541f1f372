/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.bookkeeper.mledger.AsyncCallbacks.ReadEntryCallback;
import org.apache.bookkeeper.mledger.Entry;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.junit.jupiter.api.Test;

/** An entry that is read ends, whatever is thrown on the way. */
class EntryReaderTest {

    private static final Position AT = PositionFactory.create(1, 2);

    private final ManagedLedger topic = mock(ManagedLedger.class);
    private final Entry entry = mock(Entry.class);

    private void answers() {
        doAnswer(call -> {
            call.<ReadEntryCallback>getArgument(1).readEntryComplete(entry, null);
            return null;
        }).when(topic).asyncReadEntry(any(), any(), any());
    }

    private static Throwable failure(CompletableFuture<?> read) {
        return assertThrows(ExecutionException.class, read::get).getCause();
    }

    @Test
    void anErrorWhileAnEntryIsDecodedFailsItsReadAndLetsTheEntryGo() {
        answers();
        Error thrown = new StackOverflowError("deep");
        Function<ByteBuf, String> decode = buffer -> {
            throw thrown;
        };
        assertSame(thrown, failure(EntryReader.read(topic, AT, decode)));
        verify(entry).release();
    }

    @Test
    void anErrorWhereTheReadBeginsFailsIt() {
        Error thrown = new OutOfMemoryError("no buffer");
        doThrow(thrown).when(topic).asyncReadEntry(any(), any(), any());
        assertSame(thrown, failure(EntryReader.read(topic, AT, buffer -> "read")));
    }

    @Test
    void anEntryThatCannotBeDecodedDoesNotHoldUpTheOthers() throws Exception {
        answers();
        List<String> ended = new ArrayList<>();
        Function<ByteBuf, String> decode = buffer -> {
            if (ended.isEmpty()) {
                throw new StackOverflowError("deep");
            }
            return "read";
        };
        EntryReader.readAll(topic, List.of(AT, AT, AT), decode, 60, Runnable::run,
                (number, value, failure) -> ended.add(failure == null ? value : "failed")).get();
        assertEquals(List.of("failed", "read", "read"), ended);
    }
}
