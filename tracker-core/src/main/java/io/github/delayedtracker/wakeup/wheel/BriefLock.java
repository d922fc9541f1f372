/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock that is held for some memory accesses and nothing else: one atomic update to take it, none to give it back. A thread
 * that finds it taken tries again, and lets other threads go first once that has not helped for a while.
 *
 * <p>Not reentrant, not fair, not interruptible; it does not know its holder. Thread safe.
 */
final class BriefLock implements Lock {

    /** The most pauses at a time, about a microsecond or two. */
    private static final int MOST_PAUSES = 32;

    private final AtomicBoolean held = new AtomicBoolean();

    @Override
    public void lock() {
        if (!held.compareAndSet(false, true)) {
            lockLater();
        }
    }

    @Override
    public void unlock() {
        held.setRelease(false);
    }

    @Override
    public boolean tryLock() {
        return held.compareAndSet(false, true);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) {
        throw new UnsupportedOperationException("tryLock with a time");
    }

    @Override
    public void lockInterruptibly() {
        throw new UnsupportedOperationException("lockInterruptibly");
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("newCondition");
    }

    @SuppressWarnings("ThreadPriorityCheck") // the holder may be waiting for this very processor
    private void lockLater() {
        int pauses = 1;
        while (held.getOpaque() || !tryLock()) {
            if (pauses > MOST_PAUSES) {
                Thread.yield();
            } else {
                for (int i = 0; i < pauses; i++) {
                    Thread.onSpinWait();
                }
                pauses *= 2;
            }
        }
    }
}
