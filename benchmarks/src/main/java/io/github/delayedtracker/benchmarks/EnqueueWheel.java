/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.wakeup.wheel.WheelTimer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The timing wheel: a completed request leaves the timer at once, so the timer's size is the number of pending requests. The list
 * of watchers is purged when an estimate of the distinct requests held exceeds that number by the interval.
 */
final class EnqueueWheel extends EnqueueDesign {

    private static final long LOOK_NANOS = 1_000_000;

    private final WheelTimer timer = new WheelTimer("enqueue-timer", 1, System::nanoTime, TimerKind::endProgram);
    private final AtomicInteger estimated = new AtomicInteger();
    private final long timeoutMillis;
    private volatile boolean closed;

    EnqueueWheel(long timeoutMillis) {
        this.timeoutMillis = timeoutMillis;
        start("enqueue-reaper", this::reap);
    }

    @Override
    void add(EnqueueRequest request) {
        estimated.incrementAndGet();
        watch(request);
        request.timeout(timer.arm(timeoutMillis, request::end));
    }

    @Override
    void complete(EnqueueRequest request) {
        if (request.end()) {
            request.timeout().cancel();
        }
    }

    @Override
    int heldByTimer() {
        return timer.armedCount();
    }

    @Override
    public void close() {
        closed = true;
        timer.close();
    }

    private void reap() {
        while (!closed) {
            int pending = timer.armedCount();
            if (estimated.get() - pending > PURGE_INTERVAL) {
                estimated.set(pending);
                purgeWatchers();
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
