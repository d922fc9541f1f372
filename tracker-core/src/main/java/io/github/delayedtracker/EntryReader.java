/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.bookkeeper.mledger.AsyncCallbacks.ReadEntryCallback;
import org.apache.bookkeeper.mledger.Entry;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;

/** Reads single entries of a topic, for commands. The entry is released whatever comes of it. */
final class EntryReader {

    private EntryReader() {
    }

    /**
     * Reads one entry and takes from it what is wanted, on a thread of the broker; the buffer is not to be kept.
     *
     * @return fails with the broker's exception, or with what the entry could not be decoded for
     */
    static <T> CompletableFuture<T> read(ManagedLedger topic, Position position, Function<ByteBuf, T> decode) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        ReadEntryCallback callback = new ReadEntryCallback() {
            @Override
            public void readEntryComplete(Entry entry, Object context) {
                try {
                    answer.complete(decode.apply(entry.getDataBuffer()));
                } catch (RuntimeException e) {
                    answer.completeExceptionally(e);
                } finally {
                    entry.release();
                }
            }

            @Override
            public void readEntryFailed(ManagedLedgerException failure, Object context) {
                answer.completeExceptionally(failure);
            }
        };
        try {
            topic.asyncReadEntry(position, callback, null);
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }
}
