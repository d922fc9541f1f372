/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import io.github.delayedtracker.acks.World.Life;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The ledgers of one cursor's journals on storage that is late, fails or loses an answer, as one broker sees them. */
final class ModelLedgers implements JournalLedgers {

    /** What is durable, and shared by all brokers. */
    static final class Durable {
        final TreeMap<Long, List<ByteBuffer>> ledgers = new TreeMap<>();
        final List<Long> sealed = new ArrayList<>();
        List<Long> named = List.of();
        long nextId = 100;
        /** The owner whose names count: others have an older version of the record. */
        Life owner;
    }

    private static final int MOST_BYTES = 8_328;

    private final World world;
    private final Life life;
    private final Durable durable;
    private final double failures;

    ModelLedgers(World world, Life life, Durable durable, double failures) {
        this.world = world;
        this.life = life;
        this.durable = durable;
        this.failures = failures;
    }

    private interface Effect<T> {
        T run() throws JournalException;
    }

    private <T> CompletableFuture<T> later(Effect<T> effect) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        CompletableFuture<T> result = new CompletableFuture<>();
        boolean fails = world.chance(failures);
        boolean takesEffect = !fails || world.chance(0.5);
        world.later(life, () -> {
            try {
                T done = takesEffect ? effect.run() : null;
                if (fails) {
                    result.completeExceptionally(new JournalException("storage is away", JournalException.Kind.AWAY, null));
                } else {
                    result.complete(done);
                }
            } catch (JournalException e) {
                result.completeExceptionally(e);
            }
        }, () -> {
            CompletableFuture<T> unused = result.whenComplete((done, failure) -> {
                if (failure == null) {
                    answer.complete(done);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
        });
        return answer;
    }

    @Override
    public int mostBytes() {
        return MOST_BYTES;
    }

    @Override
    public CompletableFuture<Writer> create() {
        return later(() -> {
            long id = durable.nextId++;
            durable.ledgers.put(id, new ArrayList<>());
            return new ModelWriter(id);
        });
    }

    @Override
    public CompletableFuture<List<ByteBuffer>> read(long ledgerId) {
        return later(() -> {
            if (!durable.ledgers.containsKey(ledgerId)) {
                throw new JournalException("no ledger " + ledgerId, JournalException.Kind.GONE, null);
            }
            durable.sealed.add(ledgerId);
            return durable.ledgers.get(ledgerId).stream().map(ByteBuffer::duplicate).toList();
        });
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        return later(() -> {
            durable.ledgers.remove(ledgerId);
            return null;
        });
    }

    @Override
    public List<Long> named() {
        return durable.named;
    }

    @Override
    public CompletableFuture<Void> name(List<Long> ledgerIds) {
        return later(() -> {
            if (durable.owner != life) {
                throw JournalException.failed("another broker has written the record");
            }
            durable.named = List.copyOf(ledgerIds);
            return null;
        });
    }

    private final class ModelWriter implements Writer {

        private final long id;
        private long next;
        private boolean failed;
        private CompletableFuture<?> before = CompletableFuture.completedFuture(null);

        ModelWriter(long id) {
            this.id = id;
        }

        @Override
        public long ledgerId() {
            return id;
        }

        /** In order: each waits for the one before. */
        @Override
        public CompletableFuture<Long> append(ByteBuffer entry) {
            CompletableFuture<Long> appended = before.thenCompose(done -> later(() -> {
                List<ByteBuffer> ledger = durable.ledgers.get(id);
                if (failed || ledger == null || durable.sealed.contains(id)) {
                    failed = true;
                    throw JournalException.failed("ledger " + id + " takes no more");
                }
                ledger.add(entry);
                return next++;
            }));
            before = appended;
            return appended;
        }

        @Override
        public CompletableFuture<Void> close() {
            return later(() -> {
                durable.sealed.add(id);
                return null;
            });
        }
    }
}
