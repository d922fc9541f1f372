/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.bucket.orphans.SharedValues.SharedText;
import io.github.delayedtracker.bucket.orphans.SharedValues.Versioned;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The id of the cluster, for the labels of new ledgers. It is read when first needed. A broker that finds none makes one; of
 * several that do so at once the first wins. Until the id is known it is looked for again with back-off, as long as the broker
 * runs. An id that cannot be understood is never replaced.
 *
 * <p>A caller that needs a label waits for the end of the first look, for seconds at most, and never fails by it. Thread safe.
 */
public final class ClusterIdentity {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterIdentity.class);
    private static final long LONGEST_WAIT_MILLIS = 5_000;

    /** The stage of the look for the id. */
    private enum Looking { NOT_BEGUN, LOOKING, RESTING, KNOWN, CLOSED }

    private final SharedValues values;
    private final WakeUpTimer timer;
    private final Executor threads;
    private final LongUnaryOperator jitter;
    private final Retries calls;
    private final ClusterId made;
    /** Completes once nobody has to wait any more. */
    private final CompletableFuture<Void> firstLook = new CompletableFuture<>();
    private volatile Optional<ClusterId> known = Optional.empty();
    @GuardedBy("this")
    private Looking looking = Looking.NOT_BEGUN;
    @GuardedBy("this")
    private int failures;

    /**
     * An identity that nobody has asked for yet.
     *
     * @param values the values that the brokers of the cluster share
     * @param threads run each step
     * @param jitter gives a random number below a bound
     * @param calls the time that a call may take, and the back-off
     * @param newId makes an id that no other cluster has
     */
    public ClusterIdentity(SharedValues values, Executor threads, WakeUpTimer timer, LongUnaryOperator jitter, Retries calls,
            Supplier<UUID> newId) {
        this.values = values;
        this.timer = timer;
        this.threads = threads;
        this.jitter = jitter;
        this.calls = calls.fresh();
        this.made = new ClusterId(newId.get());
    }

    /** Begins to look, if nobody has. Returns at once, never throws. */
    public void begin() {
        if (!known.isPresent() && moved(Looking.NOT_BEGUN, Looking.LOOKING)) {
            try {
                timer.arm(LONGEST_WAIT_MILLIS, () -> onAThread(() -> firstLook.complete(null)));
                onAThread(() -> read(true));
            } catch (Throwable e) {
                again(e);
            }
        }
    }

    /** The id for a label, or empty if it cannot be known now. Answers within seconds, and does not fail. */
    public CompletableFuture<Optional<String>> forLabel() {
        begin();
        return firstLook.isDone() ? CompletableFuture.completedFuture(text()) : firstLook.thenApply(over -> text());
    }

    private Optional<String> text() {
        return known.map(ClusterId::toString);
    }

    private void read(boolean mayMake) {
        then(calls.once("reading the id of the cluster", () -> values.get(ClusterId.NAME)), (Optional<Versioned> found) -> {
            if (found.isPresent()) {
                take(ClusterId.decode(found.get().text()));
            } else if (mayMake) {
                make();
            } else {
                throw new StorageException(Kind.UNAVAILABLE, "another broker writes the id of the cluster");
            }
        }, this::again);
    }

    /**
     * Writes a new id. Until the store has confirmed it the id is not ours: another broker may be first, or this one a moment
     * ago.
     */
    private void make() {
        then(calls.once("writing the id of the cluster", () -> values.put(ClusterId.NAME, made.encode(), OptionalLong.empty())),
                version -> {
                    LOG.info("This cluster had no id for the labels of its ledgers; from now on it is {}", made);
                    take(made);
                }, failure -> {
                    if (failure instanceof StorageException known && known.kind() == Kind.CONFLICT) {
                        read(false);
                    } else {
                        again(failure);
                    }
                });
    }

    private void take(ClusterId id) {
        known = Optional.of(id);
        moved(Looking.LOOKING, Looking.KNOWN);
        firstLook.complete(null);
    }

    /** A step with the answer of the store. */
    private interface Taking<T> {
        void take(T value) throws StorageException;
    }

    private <T> void then(CompletableFuture<T> answer, Taking<T> good, Consumer<Throwable> bad) {
        Futures.whenDone(answer, (value, failure) -> {
            try {
                if (failure != null) {
                    bad.accept(Futures.cause(failure));
                } else {
                    good.take(value);
                }
            } catch (Throwable e) {
                again(e);
            }
        });
    }

    private void again(Throwable failure) {
        int count;
        synchronized (this) {
            if (looking != Looking.LOOKING) {
                return;
            }
            looking = Looking.RESTING;
            count = ++failures;
        }
        if (count == 1) {
            LOG.warn("The id of this cluster is not known; ledgers written without it are never taken for orphans. It is looked"
                    + " for again, without another line here: {}", failure.toString());
        }
        firstLook.complete(null);
        try {
            timer.arm(jitter.applyAsLong(calls.limits().backOffMillis(count)) + calls.limits().backOffMillis(count) / 2, () -> {
                if (moved(Looking.RESTING, Looking.LOOKING)) {
                    onAThread(() -> read(true));
                }
            });
        } catch (Throwable e) {
            // The next ledger begins to look again.
            moved(Looking.RESTING, Looking.NOT_BEGUN);
        }
    }

    private void onAThread(Runnable step) {
        try {
            threads.execute(step);
        } catch (Throwable e) {
            again(e);
        }
    }

    private synchronized boolean moved(Looking from, Looking to) {
        boolean moves = looking == from;
        if (moves) {
            looking = to;
        }
        return moves;
    }

    /** Ends the look for the id. */
    public void close() {
        synchronized (this) {
            looking = Looking.CLOSED;
        }
        calls.abandon();
        firstLook.complete(null);
    }

    /**
     * The id that tells a cluster from every other, of whatever name: random, made once, never changed.
     *
     * @param uuid the id
     */
    record ClusterId(UUID uuid) {

        /** The name of the value that the brokers of the cluster share. */
        static final String NAME = "cluster-id";

        private static final String WHAT = "the id of the cluster";

        String encode() {
            return SharedText.of(uuid.toString());
        }

        /** Reads the text of an id. Fails with NEWER_VERSION or CORRUPT. */
        static ClusterId decode(String text) throws StorageException {
            List<String> words = SharedText.words(WHAT, text);
            try {
                UUID uuid = UUID.fromString(words.get(0));
                if (words.size() == 1 && uuid.toString().equals(words.get(0))) {
                    return new ClusterId(uuid);
                }
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                // Told below.
            }
            throw SharedText.corrupt(WHAT, text);
        }

        /** The id as labels have it. */
        @Override
        public String toString() {
            return uuid.toString();
        }
    }
}
