/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.page;

import org.apache.pulsar.common.util.collections.TripleLongPriorityQueue;

/**
 * The memory that the stock in-memory tracker of 4.0 takes for as many messages: its own queue, filled and emptied to the same
 * number, and asked. Of more than {@link #MOST} messages the size is scaled, so that this job's memory stays bounded; the queue
 * grows by half at a time, so that may be wrong by a third. One for each subscription; not thread safe.
 */
final class StockHeap implements AutoCloseable {

    static final long MOST = 100_000;

    private final TripleLongPriorityQueue queue = new TripleLongPriorityQueue();
    private long added;

    /** The bytes of its buffers with that many messages. */
    long bytesAt(long messages) {
        long held = Math.min(messages, MOST);
        while (queue.size() < held) {
            queue.add(added, 1, added);
            added++;
        }
        while (queue.size() > held) {
            queue.pop();
        }
        return held == messages ? queue.bytesCapacity() : Math.round((double) queue.bytesCapacity() / held * messages);
    }

    @Override
    public void close() {
        queue.close();
    }
}
