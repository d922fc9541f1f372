/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.concurrent.DelayQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The older design: each request is an entry of a DelayQueue until its time is up, also when it was completed long before. One
 * thread takes out expired requests. After {@link EnqueueDesign#PURGE_INTERVAL} new ones it looks at all for those that are over.
 */
final class EnqueueDelayQueue extends EnqueueDesign {

    private static final long POLL_MILLIS = 200;

    private final DelayQueue<EnqueueRequest> queue = new DelayQueue<>();
    private final AtomicInteger sincePurge = new AtomicInteger();
    private final Thread reaper;
    private volatile boolean closed;

    EnqueueDelayQueue() {
        reaper = start("enqueue-reaper", this::reap);
    }

    @Override
    void add(EnqueueRequest request) {
        sincePurge.incrementAndGet();
        watch(request);
        queue.add(request);
    }

    @Override
    void complete(EnqueueRequest request) {
        request.end();
    }

    @Override
    int heldByTimer() {
        return queue.size();
    }

    @Override
    public void close() {
        closed = true;
        reaper.interrupt();
    }

    private void reap() {
        try {
            while (!closed) {
                EnqueueRequest expired = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (expired != null) {
                    expired.end();
                }
                if (sincePurge.get() >= PURGE_INTERVAL) {
                    sincePurge.set(0);
                    purgeWatchers();
                    queue.removeIf(EnqueueRequest::isOver);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
