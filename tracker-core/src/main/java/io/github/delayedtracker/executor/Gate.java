/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A gate that decides between entering and closing: a caller that has entered is waited for, a caller that comes after
 * {@link #close} is turned away, and none is both or neither. One word holds the number inside and whether the gate is closed.
 * Thread safe, without a lock.
 */
final class Gate {

    private static final long CLOSED = Long.MIN_VALUE;

    private final AtomicLong inside = new AtomicLong();
    private final CompletableFuture<Void> empty = new CompletableFuture<>();

    /** Lets a caller in, which must {@link #leave} once; false when the gate is closed. */
    boolean enter() {
        long seen = inside.get();
        while (seen >= 0) {
            if (inside.compareAndSet(seen, seen + 1)) {
                return true;
            }
            seen = inside.get();
        }
        return false;
    }

    /** Lets a caller out. The last to leave through a closed gate completes {@link #empty}, on its own thread. */
    void leave() {
        if (inside.decrementAndGet() == CLOSED) {
            empty.complete(null);
        }
    }

    /** Lets nobody in from now on. */
    void close() {
        if (inside.getAndUpdate(seen -> seen | CLOSED) == 0) {
            empty.complete(null);
        }
    }

    /** Completes when the gate is closed and nobody is inside. */
    CompletableFuture<Void> empty() {
        return empty;
    }
}
