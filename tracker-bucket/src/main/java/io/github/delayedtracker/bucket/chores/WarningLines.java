/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Writes what {@link Warnings} lets through. A failure that storage is known to have is one line; one that nobody expected
 * carries its stack trace. What this side has ended itself is no warning. Thread safe.
 */
final class WarningLines {

    private final Warnings warnings = new Warnings();
    private final LongSupplier wallMillis;

    WarningLines(LongSupplier wallMillis) {
        this.wallMillis = wallMillis;
    }

    void write(Logger log, Warnings.Own own, Object whose, String what, Throwable failure) {
        if (StorageException.isClosed(failure)) {
            return;
        }
        Throwable cause = Futures.cause(failure);
        boolean isUnexpected = !(cause instanceof StorageException known) || known.kind() == StorageException.Kind.UNEXPECTED;
        OptionalLong heldBack = warnings.admit(own, isUnexpected, wallMillis.getAsLong());
        if (heldBack.isEmpty()) {
            return;
        }
        String before = heldBack.getAsLong() == 0 ? "" : " (" + heldBack.getAsLong() + " like it were not written)";
        if (isUnexpected) {
            log.warn("[{}] {}{}", whose, what, before, cause);
        } else {
            log.warn("[{}] {}{}: {}", whose, what, before, cause.toString());
        }
    }
}
