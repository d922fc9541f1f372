/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import io.github.delayedtracker.bucket.orphans.SharedValues.SharedText;
import io.github.delayedtracker.bucket.orphans.SharedValues.Versioned;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * The place up to which the ledgers have been looked at.
 *
 * @param afterLedgerId all ledgers up to this one have been looked at in this round; -1 between rounds
 * @param sinceMillis when the round began; between rounds, when the last round ended; broker wall time, epoch milliseconds
 * @param by a random name of the sweep that has come to this place, which makes its texts its own
 */
record SweepPlace(long afterLedgerId, long sinceMillis, String by) {

    /** The name of the value that the brokers of the cluster share. */
    static final String NAME = "sweep-place";
    static final long BEFORE_THE_FIRST = -1;

    private static final String WHAT = "the place of the sweep";
    private static final int WORDS = 3;

    boolean isBetweenRounds() {
        return afterLedgerId == BEFORE_THE_FIRST;
    }

    String encode() {
        return SharedText.of(Long.toString(afterLedgerId), Long.toString(sinceMillis), by);
    }

    /** Reads the text of a place. Fails with NEWER_VERSION or CORRUPT. */
    static SweepPlace decode(String text) throws StorageException {
        List<String> words = SharedText.words(WHAT, text);
        if (words.size() != WORDS) {
            throw SharedText.corrupt(WHAT, text);
        }
        long afterLedgerId = SharedText.number(WHAT, words.get(0));
        if (afterLedgerId < BEFORE_THE_FIRST) {
            throw SharedText.corrupt(WHAT, text);
        }
        return new SweepPlace(afterLedgerId, SharedText.number(WHAT, words.get(1)), words.get(2));
    }

    /**
     * The place of the sweep as the brokers of the cluster share it. It is replaced only at the version that this sweep has read
     * or written itself: of several sweeps at once, one goes on, and none skips ledgers that it has not looked at. A damaged
     * place counts as none; a place of a newer version is left as it is.
     *
     * <p>One call at a time.
     */
    static final class SharedPlace {

        private final SharedValues values;
        private final Retries calls;
        private OptionalLong version = OptionalLong.empty();

        SharedPlace(SharedValues values, Retries calls) {
            this.values = values;
            this.calls = calls;
        }

        /**
         * Reads the place that the last sweep has come to; empty if there is none or it is damaged. Fails if the store does, or
         * if the place is of a newer version.
         */
        CompletableFuture<Optional<SweepPlace>> read() {
            return stored().thenCompose(found -> {
                version = found.isPresent() ? OptionalLong.of(found.get().version()) : OptionalLong.empty();
                try {
                    return CompletableFuture.completedFuture(found.isEmpty() ? Optional.empty()
                            : Optional.of(SweepPlace.decode(found.get().text())));
                } catch (StorageException e) {
                    return e.kind() == Kind.CORRUPT ? CompletableFuture.completedFuture(Optional.empty())
                            : CompletableFuture.failedFuture(e);
                }
            });
        }

        /** Moves on to a place; CONFLICT if another sweep has moved it. */
        CompletableFuture<Void> save(SweepPlace place) {
            String text = place.encode();
            return calls.repeat("saving the place of the sweep", () -> attempt(text), failure -> failure.isRetryable()
                    && failure.kind() != Kind.CONFLICT);
        }

        private CompletableFuture<Void> attempt(String text) {
            return calls.once("writing the place of the sweep", () -> values.put(SweepPlace.NAME, text, version))
                    .thenApply(OptionalLong::of)
                    .exceptionallyCompose(failure -> settled(text, failure))
                    .thenAccept(written -> version = written);
        }

        /** The fate of an update that failed: it took effect, or not (yet), or another sweep was first. */
        private CompletableFuture<OptionalLong> settled(String text, Throwable failure) {
            return stored().thenCompose(found -> {
                OptionalLong foundVersion = found.isPresent() ? OptionalLong.of(found.get().version()) : OptionalLong.empty();
                if (found.isPresent() && found.get().text().equals(text)) {
                    return CompletableFuture.completedFuture(foundVersion);
                }
                return CompletableFuture.failedFuture(foundVersion.equals(version)
                        ? new StorageException(Kind.UNAVAILABLE, "writing the place of the sweep failed: " + failure, failure)
                        : new StorageException(Kind.CONFLICT, "another sweep has moved the place of the sweep"));
            });
        }

        private CompletableFuture<Optional<Versioned>> stored() {
            return calls.once("reading the place of the sweep", () -> values.get(SweepPlace.NAME));
        }
    }
}
