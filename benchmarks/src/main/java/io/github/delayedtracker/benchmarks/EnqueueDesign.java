/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * A place where requests wait for their completion or their timeout. It has a timer for the timeouts and a list of the watchers
 * for completions, from which requests that are over have to be purged. The design is how both are done.
 */
abstract class EnqueueDesign implements AutoCloseable {

    /** The number of requests that may be over and still held before a purge. */
    static final int PURGE_INTERVAL = 10_000;

    private final List<EnqueueRequest> watchers = new ArrayList<>();

    /** The design of that name: {@code delay-queue} or {@code wheel}. */
    static EnqueueDesign open(String name, long timeoutMillis) {
        return switch (name) {
            case "delay-queue" -> new EnqueueDelayQueue();
            case "wheel" -> new EnqueueWheel(timeoutMillis);
            default -> throw new IllegalArgumentException("the design must be delay-queue or wheel: '" + name + "'");
        };
    }

    /** Takes in a request. */
    abstract void add(EnqueueRequest request);

    /** Completes a request; nothing happens if its time was up. */
    abstract void complete(EnqueueRequest request);

    /** The number of requests held by the timer, completed or not. */
    abstract int heldByTimer();

    @Override
    public abstract void close();

    final void watch(EnqueueRequest request) {
        synchronized (watchers) {
            watchers.add(request);
        }
    }

    /** Drops the watched requests that are over. Costs a look at each. */
    final void purgeWatchers() {
        synchronized (watchers) {
            watchers.removeIf(EnqueueRequest::isOver);
        }
    }

    static Thread start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
