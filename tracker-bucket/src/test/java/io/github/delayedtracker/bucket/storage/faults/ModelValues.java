/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import io.github.delayedtracker.bucket.orphans.SharedValues;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The values that the brokers of a cluster share, in memory, on virtual time, with faults. */
public final class ModelValues implements SharedValues {

    private static final int LONGEST_MILLIS = 20;

    private final Later later;
    private final SplittableRandom random;
    private final Map<String, Versioned> values = new TreeMap<>();
    private int faultsOf1000;
    private boolean hangs;
    private long nextVersion;
    private int puts;

    /** No values. */
    public ModelValues(Later later, SplittableRandom random) {
        this.later = later;
        this.random = random;
    }

    /** From now on so many of a thousand calls fail; of the puts that do, some take effect. */
    public void faults(int of1000) {
        faultsOf1000 = of1000;
    }

    /** From now on no call answers, until it is said otherwise; those under way then never do. */
    public void hang(boolean doesHang) {
        hangs = doesHang;
    }

    /** What stands there. */
    public Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name)).map(Versioned::text);
    }

    /** Somebody else writes a value. */
    public void set(String name, String text) {
        values.put(name, new Versioned(text, nextVersion++));
    }

    /** Somebody deletes a value. */
    public void delete(String name) {
        values.remove(name);
    }

    /** How many puts have taken effect. */
    public int puts() {
        return puts;
    }

    @Override
    public CompletableFuture<Optional<Versioned>> get(String name) {
        return answered(() -> Optional.ofNullable(values.get(name)), false);
    }

    @Override
    public CompletableFuture<Long> put(String name, String text, OptionalLong version) {
        return answered(() -> {
            Versioned there = values.get(name);
            if (there == null ? version.isPresent() : version.isEmpty() || version.getAsLong() != there.version()) {
                throw new StorageException(Kind.CONFLICT, name + " is " + there + ", not of version " + version);
            }
            set(name, text);
            puts++;
            return values.get(name).version();
        }, random.nextBoolean());
    }

    private interface Work<T> {
        T run() throws StorageException;
    }

    private <T> CompletableFuture<T> answered(Work<T> work, boolean inSpiteOfAFault) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        boolean fails = random.nextInt(1_000) < faultsOf1000;
        later.after(random.nextLong(LONGEST_MILLIS), () -> {
            try {
                T value = fails && !inSpiteOfAFault || hangs ? null : work.run();
                if (fails) {
                    answer.completeExceptionally(new StorageException(Kind.UNAVAILABLE, "no metadata store"));
                } else if (!hangs) {
                    answer.complete(value);
                }
            } catch (StorageException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }
}
