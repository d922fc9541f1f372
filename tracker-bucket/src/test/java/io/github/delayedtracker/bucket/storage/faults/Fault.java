/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import io.github.delayedtracker.bucket.storage.StorageException;

/**
 * What goes wrong with one call.
 *
 * @param kind what goes wrong
 * @param millis how late, virtual time, for the kinds that are late
 * @param error what the caller is told, for the kinds that fail
 */
public record Fault(Kind kind, long millis, StorageException.Kind error) {

    /** The ways to go wrong. Effect: what becomes durable, or the value that is read. */
    public enum Kind {
        /** Nothing. */
        NONE,
        /** Effect and answer inside the call. */
        AT_ONCE,
        /** The effect comes late, then the answer. */
        DELAY,
        /** The effect comes in time, the answer late. */
        ANSWER_LATE,
        /** Held back until another call of the same broker life, begun later, has answered. */
        REORDER,
        /** No effect and no answer, until the storage heals. */
        HANG_BEFORE,
        /** The effect, but no answer until the storage heals. */
        HANG_AFTER,
        /** A failure, and no effect. */
        FAIL_BEFORE,
        /** The effect, and a failure. */
        FAIL_AFTER,
        /** Another update of the cursor record came between. */
        CONFLICT,
        /** A failure first; the effect and a second, good answer late. */
        ANSWER_TWICE,
        /** What is opened or read is lost for good; what is appended is lost once acknowledged. */
        LOSE,
        /** What is read is found to be damaged, for good; what is appended is found so when read. */
        CORRUPT,
        /** What is read differs in one bit and nobody says so. */
        GARBLE,
        /** Something is thrown inside the call, an Error or an exception that is not the storage's; no effect, no answer. */
        THROW,
        /** The broker died while the call was under way; whether it took effect is drawn. Injected by a crash only. */
        CRASH;

        /** Whether it makes sense for an operation. */
        boolean suits(Operation operation) {
            return switch (this) {
                case CONFLICT -> operation.isUpdate();
                case LOSE -> operation == Operation.OPEN || operation == Operation.OWNER_OF || operation == Operation.READ
                        || operation == Operation.APPEND;
                case CORRUPT -> operation == Operation.READ || operation == Operation.APPEND;
                case GARBLE -> operation == Operation.READ;
                case CRASH -> false;
                default -> true;
            };
        }
    }

    /** No fault. */
    public static final Fault NONE = new Fault(Kind.NONE, 0, null);

    /** Effect and answer inside the call. */
    public static Fault atOnce() {
        return new Fault(Kind.AT_ONCE, 0, null);
    }

    /** A late effect. */
    public static Fault delay(long millis) {
        return new Fault(Kind.DELAY, millis, null);
    }

    /** A late answer to an effect in time. */
    public static Fault answerLate(long millis) {
        return new Fault(Kind.ANSWER_LATE, millis, null);
    }

    /** Overtaken by a later call, or late by so much if none comes. */
    public static Fault reorder(long atMostMillis) {
        return new Fault(Kind.REORDER, atMostMillis, null);
    }

    /** No effect and no answer. */
    public static Fault hangBefore() {
        return new Fault(Kind.HANG_BEFORE, 0, null);
    }

    /** The effect, but no answer. */
    public static Fault hangAfter() {
        return new Fault(Kind.HANG_AFTER, 0, null);
    }

    /** A failure without effect. */
    public static Fault failBefore(StorageException.Kind error) {
        return new Fault(Kind.FAIL_BEFORE, 0, error);
    }

    /** A failure although it took effect. */
    public static Fault failAfter(StorageException.Kind error) {
        return new Fault(Kind.FAIL_AFTER, 0, error);
    }

    /** A conflict of versions, without effect. */
    public static Fault conflict() {
        return new Fault(Kind.CONFLICT, 0, StorageException.Kind.CONFLICT);
    }

    /** A failure, and the effect with a second answer so much later. */
    public static Fault answerTwice(long lateMillis) {
        return new Fault(Kind.ANSWER_TWICE, lateMillis, StorageException.Kind.UNAVAILABLE);
    }

    /** Thrown inside the call, without effect. */
    public static Fault thrown() {
        return new Fault(Kind.THROW, 0, null);
    }

    /** Lost for good. */
    public static Fault lose() {
        return new Fault(Kind.LOSE, 0, null);
    }

    /** Damaged for good, and found to be. */
    public static Fault corrupt() {
        return new Fault(Kind.CORRUPT, 0, null);
    }

    /** Damaged, and nobody says so. */
    public static Fault garble() {
        return new Fault(Kind.GARBLE, 0, null);
    }
}
