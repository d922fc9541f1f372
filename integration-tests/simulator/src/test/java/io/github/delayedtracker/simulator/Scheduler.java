/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.bucket.storage.faults.Later;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Virtual time and the events in it. One thread runs everything; events of one moment run in an order drawn from the seed.
 *
 * <p>Two clocks: the monotonic one that only moves with events, and the wall clock, which stands apart from it by an offset
 * that a scenario may change.
 */
public final class Scheduler {

    /** Wall time when a scenario starts. */
    public static final long START_WALL_MILLIS = 1_700_000_000_000L;

    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private final SplittableRandom random;
    private long nowMillis;
    private long wallOffsetMillis = START_WALL_MILLIS;
    private boolean wasWallClockSet;
    private long scheduled;
    private long run;
    private boolean inside;

    Scheduler(SplittableRandom random) {
        this.random = random;
    }

    /** An event to come. */
    public static final class Event implements Comparable<Event> {
        private final long atMillis;
        private final int order;
        private final long number;
        private final boolean unlocked;
        private final Runnable task;
        private boolean cancelled;

        private Event(long atMillis, int order, long number, boolean unlocked, Runnable task) {
            this.atMillis = atMillis;
            this.order = order;
            this.number = number;
            this.unlocked = unlocked;
            this.task = task;
        }

        /** Keeps it from running. */
        public void cancel() {
            cancelled = true;
        }

        long atMillis() {
            return atMillis;
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atMillis, other.atMillis);
            if (byTime != 0) {
                return byTime;
            }
            return order != other.order ? Integer.compare(order, other.order) : Long.compare(number, other.number);
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }
    }

    /** Runs a task later, alone, as under the dispatcher's monitor. */
    public Event after(long delayMillis, Runnable task) {
        return add(delayMillis, false, task);
    }

    /** This time as the storage needs it. */
    Later later() {
        return new Later() {
            @Override
            public void after(long delayMillis, Runnable event) {
                Scheduler.this.after(delayMillis, event);
            }

            @Override
            public long nowMillis() {
                return nowMillis;
            }
        };
    }

    /** Runs a task later, possibly in the middle of another event's work: what a broker calls without its monitor. */
    public Event unlockedAfter(long delayMillis, Runnable task) {
        return add(delayMillis, true, task);
    }

    private Event add(long delayMillis, boolean unlocked, Runnable task) {
        long atMillis = nowMillis + delayMillis;
        Event event = new Event(atMillis < nowMillis ? Long.MAX_VALUE : atMillis, random.nextInt(), scheduled++, unlocked, task);
        queue.add(event);
        return event;
    }

    /** Runs the next event; false if there is none up to the given moment. */
    boolean step(long untilMillis) {
        while (true) {
            Event next = queue.peek();
            if (next == null || next.atMillis > untilMillis) {
                return false;
            }
            queue.poll();
            if (!next.cancelled) {
                nowMillis = Math.max(nowMillis, next.atMillis);
                run++;
                next.task.run();
                return true;
            }
        }
    }

    /** A point inside an event at which other threads may get in: runs what is due now and needs no monitor, sometimes. */
    void preempt() {
        Event next = queue.peek();
        if (!inside && next != null && next.unlocked && next.atMillis <= nowMillis && random.nextInt(3) == 0) {
            queue.poll();
            if (!next.cancelled) {
                inside = true;
                run++;
                next.task.run();
                inside = false;
            }
        }
    }

    /** Moves the monotonic clock to a moment no event stands before. */
    void idleUntil(long millis) {
        nowMillis = Math.max(nowMillis, millis);
    }

    long nowMillis() {
        return nowMillis;
    }

    /** The wall clock. */
    public long wallMillis() {
        return nowMillis + wallOffsetMillis;
    }

    /** The monotonic moment at which the wall clock shows a time, as it is set now. */
    long whenWallShows(long wallMillis) {
        long millis = wallMillis - wallOffsetMillis;
        return wallMillis > 0 && millis > wallMillis ? Long.MAX_VALUE : millis;
    }

    void stepWallClock(long byMillis) {
        wallOffsetMillis += byMillis;
        wasWallClockSet = true;
    }

    boolean wasWallClockSet() {
        return wasWallClockSet;
    }

    long eventsRun() {
        return run;
    }

    /** A number from 0 to the bound, both included. */
    public int draw(int bound) {
        return bound <= 0 ? 0 : random.nextInt(bound + 1);
    }

    boolean chance(int percent) {
        return percent > 0 && random.nextInt(100) < percent;
    }
}
