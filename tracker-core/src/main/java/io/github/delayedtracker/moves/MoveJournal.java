/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.moves;

import io.github.delayedtracker.acks.DamagedJournalException;
import io.github.delayedtracker.acks.JournalFrame;
import io.github.delayedtracker.acks.JournalHead;
import io.github.delayedtracker.acks.JournalLedgers;
import io.github.delayedtracker.acks.JournalLedgers.JournalException;
import io.github.delayedtracker.index.PositionTimes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Writes the due times that commands have given to messages of one cursor: a ledger with all of them, to which each command
 * appends its own. A time is a fact about a message, whatever is acknowledged, so no fence is needed.
 *
 * <p>The ledger is written anew after a load, when it has grown long, and after a failure: all times first, then its name in
 * place of that of the old one, which is deleted. A crash in between leaves a ledger without a name to the sweeper. When no time
 * is left there is no ledger. One step at a time, in the order of the calls; thread safe.
 */
public final class MoveJournal {

    private static final long LEAST_DELTA_BYTES = 1 << 16;
    /** So many deltas are few beside any base. */
    private static final int FEW_ENTRIES = 1_000;
    /** The ledger is long when its deltas are as many times as long as its base, or as many entries. */
    private static final int DELTAS_OF_BASE = 2;
    private static final String DELETED = "the times are being deleted";
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final JournalLedgers ledgers;
    private final JournalHead head;
    private final Object order = new Object();
    /** The last step, which never fails. Guarded by the order. */
    private CompletableFuture<Void> last = DONE;
    /** The fields below belong to the step under way. */
    private volatile boolean isLoaded;
    private volatile Optional<OpenLedger> open = Optional.empty();
    private volatile boolean isBehind;
    private volatile boolean closed;
    /** The ledger that may be named, as the call did not tell: to be deleted when another naming has succeeded. */
    private volatile List<Long> doubtful = List.of();
    /** The times that a load reads; given up by a clear. */
    private volatile CompletableFuture<PositionTimes> reading = new CompletableFuture<>();
    private final AtomicInteger clears = new AtomicInteger();

    /** Nothing is read yet. */
    public MoveJournal(JournalLedgers ledgers, JournalHead head) {
        this.ledgers = ledgers;
        this.head = head;
    }

    /** The ledger that is written. */
    private static final class OpenLedger {
        final JournalLedgers.Writer writer;
        private final int mostBytes;
        private long baseBytes;
        private long baseEntries;
        private long deltaBytes;
        private long deltaEntries;

        OpenLedger(JournalLedgers.Writer writer, int mostBytes) {
            this.writer = writer;
            this.mostBytes = mostBytes;
        }

        CompletableFuture<Void> begin(JournalHead head, PositionTimes all) {
            return writer.append(JournalFrame.head(head)).thenCompose(done -> append(all)).thenRun(() -> {
                baseBytes = deltaBytes;
                baseEntries = deltaEntries;
                deltaBytes = 0;
                deltaEntries = 0;
            });
        }

        CompletableFuture<Void> append(PositionTimes times) {
            List<CompletableFuture<Long>> appends = new ArrayList<>();
            for (ByteBuffer entry : MoveEntry.entries(times, mostBytes)) {
                deltaBytes += entry.remaining();
                deltaEntries++;
                appends.add(writer.append(entry));
            }
            return CompletableFuture.allOf(appends.toArray(CompletableFuture[]::new));
        }

        boolean isLong() {
            return deltaEntries > Math.max(FEW_ENTRIES, DELTAS_OF_BASE * baseEntries)
                    || deltaBytes > Math.max(LEAST_DELTA_BYTES, DELTAS_OF_BASE * baseBytes);
        }
    }

    private <T> CompletableFuture<T> inTurn(Supplier<CompletableFuture<T>> step) {
        synchronized (order) {
            CompletableFuture<T> mine = last.thenCompose(done -> closed ? failed("the topic is closed") : step.get());
            last = mine.handle((done, failure) -> null);
            return mine;
        }
    }

    private static <T> CompletableFuture<T> failed(String why) {
        return CompletableFuture.failedFuture(JournalException.failed(why));
    }

    /** Whether the cursor's record names a ledger, or may. */
    public boolean isNamed() {
        return !ledgers.named().isEmpty() || !doubtful.isEmpty();
    }

    /** Whether what is stored is known, so that commands may add to it. */
    public boolean isLoaded() {
        return isLoaded || ledgers.named().isEmpty();
    }

    /**
     * Reads all that is stored, and has it taken over. Commands may add to it after that only: a ledger that is written anew has
     * all times that the caller knows.
     *
     * @param taker takes them over, on the worker
     * @return it fails with a {@link JournalException} if storage does, and may be called again; with a
     *     {@link DamagedJournalException} if the times cannot be read: a newer version's stay, and nothing is added; others are
     *     given up
     */
    public CompletableFuture<Void> load(Consumer<PositionTimes> taker, Executor worker) {
        return inTurn(() -> readUnlessCleared().thenAcceptAsync(taker, worker)
                .whenComplete((taken, failure) -> {
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    isLoaded |= failure == null || cause instanceof DamagedJournalException damaged && !damaged.isNewer()
                            || cause instanceof JournalException known && known.isGone();
                }));
    }

    private CompletableFuture<PositionTimes> readUnlessCleared() {
        CompletableFuture<PositionTimes> mine = new CompletableFuture<>();
        reading = mine;
        if (clears.get() > 0) {
            return failed(DELETED);
        }
        CompletableFuture<Void> unused = read(List.copyOf(ledgers.named()), 0, PositionTimes.NONE).handle((times, failure) -> {
            boolean unusedToo = failure == null ? mine.complete(times) : mine.completeExceptionally(failure);
            return null;
        });
        return mine;
    }

    private CompletableFuture<PositionTimes> read(List<Long> named, int next, PositionTimes before) {
        return next == named.size() ? CompletableFuture.completedFuture(before)
                : ledgers.read(named.get(next)).thenCompose(entries -> {
                    try {
                        return read(named, next + 1, before.plus(times(entries)));
                    } catch (DamagedJournalException e) {
                        return CompletableFuture.failedFuture(e);
                    }
                });
    }

    private PositionTimes times(List<ByteBuffer> entries) throws DamagedJournalException {
        if (entries.isEmpty()) {
            throw DamagedJournalException.damaged("a ledger of times begins with a head", "no entry");
        }
        JournalHead found = JournalFrame.readHead(entries.get(0));
        if (!found.equals(head)) {
            throw DamagedJournalException.damaged("a ledger of times is of " + head, found);
        }
        PositionTimes times = PositionTimes.NONE;
        for (ByteBuffer entry : entries.subList(1, entries.size())) {
            times = times.plus(MoveEntry.read(entry));
        }
        return times;
    }

    /**
     * Makes times durable.
     *
     * @param all all times that count, these among them, asked for if the ledger is written anew
     * @return it fails with a {@link JournalException}, durable or not
     */
    public CompletableFuture<Void> append(PositionTimes more, Supplier<PositionTimes> all) {
        return inTurn(() -> DONE.thenCompose(now -> write(more, all)).whenComplete((done, failure) -> {
            if (failure != null) {
                isBehind = true;
                letGo();
            }
        }));
    }

    private CompletableFuture<Void> write(PositionTimes more, Supplier<PositionTimes> all) {
        if (!isLoaded()) {
            return failed("the times given before are not known");
        }
        return open.isPresent() && !open.get().isLong() ? open.get().append(more)
                : settled().thenCompose(done -> begin(all.get()));
    }

    /** So that there is one doubtful ledger at most, however long no naming succeeds. */
    private CompletableFuture<Void> settled() {
        return doubtful.isEmpty() ? DONE : ledgers.name(ledgers.named()).thenCompose(done -> deleteDoubtful());
    }

    /** Whether times were appended that may not be stored, so that the ledger is to be written anew. */
    public boolean isBehind() {
        return isBehind || !isNamed();
    }

    private CompletableFuture<Void> begin(PositionTimes all) {
        return ledgers.create().thenCompose(writer -> {
            OpenLedger made = new OpenLedger(writer, ledgers.mostBytes());
            List<Long> old = ledgers.named();
            return DONE.thenCompose(now -> made.begin(head, all)).whenComplete((done, failure) -> {
                if (failure != null) {
                    CompletableFuture<Void> unused = writer.close().handle((closing, failed) -> null)
                            .thenCompose(closing -> delete(List.of(writer.ledgerId())));
                }
            }).thenCompose(done -> named(writer).thenCompose(named -> {
                letGo();
                open = Optional.of(made);
                isLoaded = true;
                isBehind = false;
                return delete(old);
            }));
        });
    }

    private CompletableFuture<Void> named(JournalLedgers.Writer writer) {
        return ledgers.name(List.of(writer.ledgerId())).whenComplete((done, failure) -> {
            if (failure != null) {
                doubtful = List.of(writer.ledgerId());
                CompletableFuture<Void> unused = writer.close();
            }
        });
    }

    /** After a naming that has succeeded: it is not named. */
    private CompletableFuture<Void> deleteDoubtful() {
        List<Long> all = doubtful;
        doubtful = List.of();
        return delete(all);
    }

    /** A ledger that is named no more and not deleted is the sweeper's. */
    private CompletableFuture<Void> delete(List<Long> ids) {
        return CompletableFuture.allOf(ids.stream().map(ledgers::delete).toArray(CompletableFuture[]::new))
                .handle((done, failure) -> null);
    }

    private void letGo() {
        open.ifPresent(before -> {
            CompletableFuture<Void> unused = before.writer.close();
        });
        open = Optional.empty();
    }

    /**
     * Deletes the ledger: no time counts any more, or the cursor is about to be deleted. Times appended later begin another one.
     *
     * @param isWanted whether it still is to be deleted, asked when all earlier calls have ended
     * @return it fails if the ledger's name could not be taken away, and may be called again
     */
    public CompletableFuture<Void> clear(BooleanSupplier isWanted) {
        clears.incrementAndGet();
        reading.completeExceptionally(JournalException.failed(DELETED));
        return inTurn(() -> {
            if (!isWanted.getAsBoolean()) {
                return DONE;
            }
            List<Long> old = ledgers.named();
            letGo();
            return !isNamed() ? DONE : ledgers.name(List.of()).whenComplete((done, failure) -> isBehind |= failure != null)
                    .thenCompose(done -> CompletableFuture.allOf(delete(old), deleteDoubtful()));
        }).whenComplete((done, failure) -> clears.decrementAndGet());
    }

    /**
     * Ends: nothing is begun any more.
     *
     * @return done once the step under way and the ledger have ended; never fails
     */
    public CompletableFuture<Void> close() {
        synchronized (order) {
            CompletableFuture<Void> ended = last.thenCompose(done -> open.map(ledger -> ledger.writer.close()).orElse(DONE))
                    .handle((done, failure) -> null);
            closed = true;
            last = ended;
            return ended;
        }
    }
}
