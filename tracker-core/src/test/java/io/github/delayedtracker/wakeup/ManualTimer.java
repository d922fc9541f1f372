/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A timer for tests: time moves only by {@link #advanceTo}, tasks run in the order of their deadlines. */
public final class ManualTimer implements WakeUpTimer {

    private final List<Entry> entries = new ArrayList<>();
    private long nowMillis;
    private int armings;
    private boolean closed;
    private boolean failsNext;

    /** Starts at the given time. */
    public ManualTimer(long nowMillis) {
        this.nowMillis = nowMillis;
    }

    @Override
    public synchronized Armed arm(long delayMillis, Runnable task) {
        if (closed) {
            return () -> { };
        }
        if (delayMillis < 0) {
            throw new IllegalArgumentException("delayMillis must be 0 or more: " + delayMillis);
        }
        if (failsNext) {
            failsNext = false;
            throw new InternalError("the next arming fails, for the test");
        }
        armings++;
        Entry entry = new Entry(nowMillis + delayMillis, task);
        entries.add(entry);
        return () -> cancel(entry);
    }

    /** Has the next arming fail, once, as for want of memory. */
    public synchronized void failNext() {
        failsNext = true;
    }

    private synchronized void cancel(Entry entry) {
        entries.remove(entry);
    }

    @Override
    public synchronized int armedCount() {
        return entries.size();
    }

    @Override
    public synchronized void close() {
        closed = true;
        entries.clear();
    }

    /** How many tasks were ever armed. */
    public synchronized int armings() {
        return armings;
    }

    /** When the next task falls due; Long.MAX_VALUE if nothing is armed. */
    public synchronized long nextMillis() {
        return entries.stream().mapToLong(Entry::atMillis).min().orElse(Long.MAX_VALUE);
    }

    /** The time now. */
    public synchronized long nowMillis() {
        return nowMillis;
    }

    /** Moves time on and runs what falls due on the way, each at its own moment. */
    public void advanceTo(long millis) {
        while (true) {
            Entry next;
            synchronized (this) {
                next = entries.stream().min(Comparator.comparingLong(Entry::atMillis)).orElse(null);
                if (next == null || next.atMillis() > millis) {
                    nowMillis = Math.max(nowMillis, millis);
                    return;
                }
                entries.remove(next);
                nowMillis = Math.max(nowMillis, next.atMillis());
            }
            next.task().run();
        }
    }

    // Identity matters: two tasks may be armed for the same moment.
    private static final class Entry {
        private final long atMillis;
        private final Runnable task;

        Entry(long atMillis, Runnable task) {
            this.atMillis = atMillis;
            this.task = task;
        }

        long atMillis() {
            return atMillis;
        }

        Runnable task() {
            return task;
        }
    }
}
