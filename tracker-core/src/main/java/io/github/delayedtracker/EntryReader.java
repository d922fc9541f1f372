/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.bookkeeper.mledger.AsyncCallbacks.ReadEntryCallback;
import org.apache.bookkeeper.mledger.Entry;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;

/** Reads single entries of a topic, for commands. The entry is released whatever comes of it. */
final class EntryReader {

    private static final int READS_AT_A_TIME = 32;

    private EntryReader() {
    }

    /** Takes what became of each entry, on any thread. */
    @FunctionalInterface
    interface Each<T> {

        /** The entry of a number was read, or the failure is not null. */
        void ended(int number, T value, Throwable failure);
    }

    /**
     * Reads entries, {@value #READS_AT_A_TIME} at a time. It ends after so many seconds at the latest, and never fails: an entry
     * of which nothing is heard by then was not read in time.
     */
    static <T> CompletableFuture<Void> readAll(ManagedLedger topic, List<Position> positions, Function<ByteBuf, T> decode,
            int seconds, Executor worker, Each<T> each) {
        AtomicInteger next = new AtomicInteger();
        List<CompletableFuture<Void>> lanes = new ArrayList<>();
        for (int lane = 0; lane < Math.min(READS_AT_A_TIME, positions.size()); lane++) {
            lanes.add(readOn(topic, positions, decode, worker, each, next));
        }
        return CompletableFuture.allOf(lanes.toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, seconds, TimeUnit.SECONDS).whenComplete((done, failure) -> next.set(positions.size()));
    }

    private static <T> CompletableFuture<Void> readOn(ManagedLedger topic, List<Position> positions,
            Function<ByteBuf, T> decode, Executor worker, Each<T> each, AtomicInteger next) {
        int number = next.getAndIncrement();
        if (number >= positions.size()) {
            return CompletableFuture.completedFuture(null);
        }
        return read(topic, positions.get(number), decode).handle((value, failure) -> {
            each.ended(number, value, failure);
            return null;
        // From another thread, or a thousand answers from a cache would stand on one stack.
        }).thenComposeAsync(done -> readOn(topic, positions, decode, worker, each, next), worker);
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
                } catch (RuntimeException | Error e) {
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
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }
}
