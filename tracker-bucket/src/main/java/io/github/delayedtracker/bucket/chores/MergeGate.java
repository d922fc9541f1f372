/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds the merges of a broker, in number and, on average, in bytes a second each. Thread safe. */
public final class MergeGate {

    private static final long MILLIS_A_SECOND = 1_000;
    /** Shorter pauses are saved up. */
    private static final long LEAST_PAUSE_MILLIS = 10;

    private final Semaphore merges;
    private final long bytesASecond;
    private final WakeUpTimer timer;
    /** What was read and written since the last pause. */
    private final AtomicLong owedBytes = new AtomicLong();

    /**
     * A gate through which nothing has gone.
     *
     * @param merges how many may be under way
     * @param bytesASecond how much each may read and write
     */
    public MergeGate(int merges, long bytesASecond, WakeUpTimer timer) {
        this.merges = new Semaphore(merges);
        this.bytesASecond = bytesASecond;
        this.timer = timer;
    }

    boolean enter() {
        return merges.tryAcquire();
    }

    void leave() {
        merges.release();
    }

    /** Answers when so many bytes may be followed by more. */
    CompletableFuture<Void> pause(long bytes) {
        long owed = owedBytes.addAndGet(bytes);
        long delayMillis = owed * MILLIS_A_SECOND / bytesASecond;
        if (delayMillis < LEAST_PAUSE_MILLIS || !owedBytes.compareAndSet(owed, 0)) {
            return Futures.DONE;
        }
        CompletableFuture<Void> over = new CompletableFuture<>();
        timer.arm(delayMillis, () -> over.complete(null));
        return over;
    }
}
