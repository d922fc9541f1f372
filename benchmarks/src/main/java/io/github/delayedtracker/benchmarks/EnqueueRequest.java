/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A request that waits until it is completed or its time is up, whichever comes first. It carries 100 bytes. */
final class EnqueueRequest implements Delayed {

    private static final int PAYLOAD_BYTES = 100;

    private final long deadlineNanos;
    private final AtomicBoolean over = new AtomicBoolean();
    private final byte[] payload = new byte[PAYLOAD_BYTES];
    private WakeUpTimer.Armed timeout;

    EnqueueRequest(long deadlineNanos) {
        this.deadlineNanos = deadlineNanos;
    }

    /** Ends the request; false if it had ended already. */
    boolean end() {
        return over.compareAndSet(false, true);
    }

    boolean isOver() {
        return over.get();
    }

    int payloadBytes() {
        return payload.length;
    }

    WakeUpTimer.Armed timeout() {
        return timeout;
    }

    void timeout(WakeUpTimer.Armed armed) {
        timeout = armed;
    }

    @Override
    public long getDelay(TimeUnit unit) {
        return unit.convert(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
        return Long.signum(deadlineNanos - ((EnqueueRequest) other).deadlineNanos);
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
