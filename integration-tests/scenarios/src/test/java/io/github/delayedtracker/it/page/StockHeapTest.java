/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.pulsar.common.util.collections.TripleLongPriorityQueue;
import org.junit.jupiter.api.Test;

class StockHeapTest {

    @Test
    void itTakesWhatTheStockQueueTakesWithAsManyMessages() {
        try (StockHeap heap = new StockHeap(); TripleLongPriorityQueue queue = new TripleLongPriorityQueue()) {
            for (int i = 0; i < 12_345; i++) {
                queue.add(i, i, i);
            }
            assertEquals(queue.bytesCapacity(), heap.bytesAt(12_345));
            while (queue.size() > 100) {
                queue.pop();
            }
            assertEquals(queue.bytesCapacity(), heap.bytesAt(100));
        }
    }

    @Test
    void ofVeryManyItTellsTheSizeWithoutTakingIt() {
        try (StockHeap heap = new StockHeap()) {
            long bytes = heap.bytesAt(1_000_000_000);
            assertTrue(bytes >= 24_000_000_000L && bytes <= 36_000_000_000L, () -> bytes + " bytes");
            assertTrue(heap.bytesAt(StockHeap.MOST) < 4_000_000);
        }
    }
}
