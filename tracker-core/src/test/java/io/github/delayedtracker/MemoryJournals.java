/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.acks.JournalLedgers;
import io.github.delayedtracker.backend.JournalStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.mledger.ManagedCursor;

/** Journals of one cursor in memory: all at once, never, or with a failure. */
final class MemoryJournals implements JournalStore, JournalLedgers {

    /** How calls are answered. */
    enum Answer {
        AT_ONCE,
        NEVER,
        FAILS,
        /** With a failure, once it is told to. */
        FAILS_LATE
    }

    final TreeMap<Long, List<ByteBuffer>> ledgers = new TreeMap<>();
    List<Long> named = List.of();
    Answer answer = Answer.AT_ONCE;
    boolean closed;
    /** Before it is closed. */
    Runnable onClose = () -> { };
    final List<Runnable> late = new ArrayList<>();
    private long nextId = 100;

    /** The journals of moves, once there are some. */
    private MemoryJournals moves;

    /** The journals of one content. */
    MemoryJournals of(Content content) {
        if (content == Content.ACKNOWLEDGEMENTS) {
            return this;
        }
        moves = moves == null ? new MemoryJournals() : moves;
        return moves;
    }

    private interface Effect<T> {
        T run();
    }

    private <T> CompletableFuture<T> answered(Effect<T> effect) {
        return switch (answer) {
            case AT_ONCE -> CompletableFuture.completedFuture(effect.run());
            case NEVER -> new CompletableFuture<>();
            case FAILS_LATE -> {
                CompletableFuture<T> failing = new CompletableFuture<>();
                late.add(() -> failing.completeExceptionally(JournalException.failed("late, for the test")));
                yield failing;
            }
            case FAILS -> CompletableFuture.failedFuture(JournalException.failed("for the test"));
        };
    }

    @Override
    public boolean isNamed(ManagedCursor cursor, Content content) {
        return !of(content).named.isEmpty();
    }

    @Override
    public Optional<JournalLedgers> open(ManagedCursor cursor, Content content) {
        return Optional.of(of(content));
    }

    @Override
    public CompletableFuture<Void> removeAll(ManagedCursor cursor) {
        ledgers.clear();
        named = List.of();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public int mostBytes() {
        return 1 << 20;
    }

    @Override
    public CompletableFuture<Writer> create() {
        return answered(() -> {
            long id = nextId++;
            ledgers.put(id, new ArrayList<>());
            return new MemoryWriter(id);
        });
    }

    @Override
    public CompletableFuture<List<ByteBuffer>> read(long ledgerId) {
        return ledgers.containsKey(ledgerId) || answer == Answer.FAILS_LATE
                ? answered(() -> ledgers.get(ledgerId).stream().map(ByteBuffer::duplicate).toList())
                : CompletableFuture.failedFuture(new JournalException("no ledger " + ledgerId, JournalException.Kind.GONE, null));
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        return answered(() -> {
            ledgers.remove(ledgerId);
            return null;
        });
    }

    @Override
    public List<Long> named() {
        return named;
    }

    @Override
    public CompletableFuture<Void> name(List<Long> ledgerIds) {
        return answered(() -> {
            named = List.copyOf(ledgerIds);
            return null;
        });
    }

    @Override
    public CompletableFuture<Void> close() {
        onClose.run();
        closed = true;
        return CompletableFuture.completedFuture(null);
    }

    private final class MemoryWriter implements Writer {

        private final long id;

        MemoryWriter(long id) {
            this.id = id;
        }

        @Override
        public long ledgerId() {
            return id;
        }

        @Override
        public CompletableFuture<Long> append(ByteBuffer entry) {
            return answered(() -> {
                ledgers.get(id).add(entry);
                return ledgers.get(id).size() - 1L;
            });
        }

        @Override
        public CompletableFuture<Void> close() {
            return answered(() -> null);
        }
    }
}
