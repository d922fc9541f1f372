/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import io.github.delayedtracker.bucket.storage.StorageException;

/** What one call does to the durable world, apart from when and whether. */
abstract class Work<T> {

    /** A fault of the kinds that change what is stored or read, just before the effect. */
    void strike(Fault.Kind kind) {
        throw new IllegalArgumentException(kind + " does not suit this call");
    }

    /** The effect, and the value to answer. */
    abstract T take() throws StorageException;

    /** The effect after a failure was answered already. */
    T takeLate() throws StorageException {
        return take();
    }

    /** The call has failed, with or without effect. */
    void failed(StorageException failure) {
    }

    /** Something was thrown inside the call, which has no effect. */
    void thrown() {
    }

    /** A last word before the answer: a failure of another call that makes this one fail too, or null. */
    StorageException objection() {
        return null;
    }

    /** The answer was good, whether anybody still waited or not. */
    void accepted() {
    }

    /** Clears away a value that nobody took. */
    void dispose(T value) {
    }

    /** The call is over for good: lets go what the caller handed in. */
    void over() {
    }
}
