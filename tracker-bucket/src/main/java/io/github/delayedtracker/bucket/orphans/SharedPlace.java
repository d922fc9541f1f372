/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import io.github.delayedtracker.bucket.orphans.SharedValues.Versioned;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * The place of the sweep as the brokers of the cluster share it. It is replaced only at the version that this sweep has read or
 * written itself: of several that sweep at once, one goes on, and none goes over ledgers that it has not looked at. A place that
 * is damaged is none; one of a newer version is left as it is.
 *
 * <p>One call at a time.
 */
final class SharedPlace {

    private final SharedValues values;
    private final Retries calls;
    private OptionalLong version = OptionalLong.empty();

    SharedPlace(SharedValues values, Retries calls) {
        this.values = values;
        this.calls = calls;
    }

    /** Where the last sweep has come to; empty if none has or it is damaged. Fails if the store does, or if it is newer. */
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

    /** What became of an update that failed: it took effect, or not (yet), or another sweep was first. */
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
