/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.storage.Awaiting;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.faults.Later;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.LongUnaryOperator;

/** Virtual time: storage, timer and worker on one thread, events of one moment in an order drawn from a seed. */
public final class JobTime implements Later, Awaiting, WakeUpTimer, Executor {

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Set<Event> armed = new HashSet<>();
    /** Still in the queue, and never at its head. */
    private final Set<Event> cancelled = new HashSet<>();
    private final SplittableRandom random;
    private Runnable afterEach = () -> { };
    private boolean failsNextArming;
    private long nowMillis;
    private long number;
    private long ran;

    /** At time 0. */
    public JobTime(long seed) {
        random = new SplittableRandom(seed);
    }

    private record Event(long atMillis, int order, long number, Runnable run) implements Comparable<Event> {
        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atMillis, other.atMillis);
            int byOrder = byTime != 0 ? byTime : Integer.compare(order, other.order);
            return byOrder != 0 ? byOrder : Long.compare(number, other.number);
        }
    }

    private Event add(long delayMillis, Runnable run) {
        Event event = new Event(nowMillis + delayMillis, random.nextInt(), number++, run);
        events.add(event);
        return event;
    }

    @Override
    public void after(long delayMillis, Runnable event) {
        add(delayMillis, event);
    }

    /** Has the next arming fail, once, as for want of memory. */
    public void failNextArming() {
        failsNextArming = true;
    }

    @Override
    public void execute(Runnable rest) {
        add(0, rest);
    }

    @Override
    public Armed arm(long delayMillis, Runnable task) {
        if (failsNextArming) {
            failsNextArming = false;
            throw new InternalError("the next arming fails, for the test");
        }
        Event[] event = new Event[1];
        event[0] = add(delayMillis, () -> {
            armed.remove(event[0]);
            task.run();
        });
        armed.add(event[0]);
        return () -> {
            if (armed.remove(event[0])) {
                cancelled.add(event[0]);
                dropCancelled();
            }
        };
    }

    private void dropCancelled() {
        while (!events.isEmpty() && cancelled.remove(events.peek())) {
            events.poll();
        }
    }

    @Override
    public int armedCount() {
        return armed.size();
    }

    @Override
    public void close() {
        cancelled.addAll(armed);
        armed.clear();
        dropCancelled();
    }

    /** Storage is asked in this time. */
    public Retries retries(LongUnaryOperator jitter, JobLimits limits) {
        return new Retries(this, this, jitter, limits, this::nowMillis, this::nowMillis);
    }

    /** Looks at the state after each event from now on. */
    void afterEach(Runnable look) {
        afterEach = look;
    }

    /** What time it is. */
    @Override
    public long nowMillis() {
        return nowMillis;
    }

    /** Events that were run so far. */
    public long eventsRun() {
        return ran;
    }

    /** When the next event is, or never. */
    public long nextMillis() {
        return events.isEmpty() ? Long.MAX_VALUE : events.peek().atMillis();
    }

    /** Runs so many events, or all there are. */
    public void run(long most) {
        for (long i = 0; i < most && !events.isEmpty(); i++) {
            runNext();
        }
    }

    /** Runs what is due until a moment, which it then is. */
    public void runUntil(long millis) {
        while (!events.isEmpty() && events.peek().atMillis() <= millis) {
            runNext();
        }
        nowMillis = Math.max(nowMillis, millis);
    }

    /** Runs until nothing is left to run. */
    public void runAll() {
        run(Long.MAX_VALUE);
    }

    private void runNext() {
        Event next = events.poll();
        dropCancelled();
        nowMillis = next.atMillis();
        ran++;
        next.run().run();
        afterEach.run();
    }

    @Override
    public <T> T get(CompletableFuture<T> answer) throws Exception {
        while (!answer.isDone()) {
            if (events.isEmpty()) {
                throw new AssertionError("no answer and nothing left to run at " + nowMillis + " ms");
            }
            runNext();
        }
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        }
    }
}
