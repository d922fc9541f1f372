/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.index.PositionSink;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/** A subscription that is a lock and nothing else. It times the background work under the lock. */
final class LockedHost implements IndexHost {

    private final ReentrantLock lock = new ReentrantLock();
    private final CallTimes background = new CallTimes();

    /** The times of background work under the lock. */
    CallTimes background() {
        return background;
    }

    /** Makes a call of the dispatcher. */
    <T> T call(Supplier<T> call) {
        lock.lock();
        try {
            return call.get();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public <T> T change(Function<PositionSink, T> change) {
        return read(() -> change.apply((ledgerId, entryId) -> { }));
    }

    @Override
    public <T> T read(Supplier<T> look) {
        lock.lock();
        try {
            long before = System.nanoTime();
            T answer = look.get();
            background.count(System.nanoTime() - before);
            return answer;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void askAlways(boolean always) {
        // nothing is asked here
    }

    @Override
    public void markDelete(PositionSink sink) {
        // nothing is acknowledged here
    }
}
