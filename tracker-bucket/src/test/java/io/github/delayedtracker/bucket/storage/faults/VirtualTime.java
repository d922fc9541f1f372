/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import io.github.delayedtracker.bucket.storage.Awaiting;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Virtual time for tests of the storage alone: events of one moment run in an order drawn from the seed. */
final class VirtualTime implements Later, Awaiting {

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final SplittableRandom random;
    private long nowMillis;
    private long number;

    VirtualTime(long seed) {
        random = new SplittableRandom(seed);
    }

    private record Event(long atMillis, int order, long number, Runnable run) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atMillis, other.atMillis);
            int byOrder = byTime != 0 ? byTime : Integer.compare(order, other.order);
            return byOrder != 0 ? byOrder : Long.compare(number, other.number);
        }
    }

    @Override
    public void after(long delayMillis, Runnable event) {
        events.add(new Event(nowMillis + delayMillis, random.nextInt(), number++, event));
    }

    @Override
    public long nowMillis() {
        return nowMillis;
    }

    /** Runs what is due until a moment, which it then is. */
    void runUntil(long millis) {
        while (!events.isEmpty() && events.peek().atMillis() <= millis) {
            runNext();
        }
        nowMillis = Math.max(nowMillis, millis);
    }

    /** Runs until nothing is left to run. */
    void runAll() {
        while (!events.isEmpty()) {
            runNext();
        }
    }

    private void runNext() {
        Event next = events.poll();
        nowMillis = next.atMillis();
        next.run().run();
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
