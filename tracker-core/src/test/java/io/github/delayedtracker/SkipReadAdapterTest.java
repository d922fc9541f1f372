/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static io.github.delayedtracker.FakeBroker.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import io.netty.util.IllegalReferenceCountException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.delayed.bucket.BucketDelayedDeliveryTracker;
import org.apache.pulsar.common.util.collections.TripleLongPriorityQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SkipReadAdapterTest {

    private final FakeBroker broker = new FakeBroker();

    private SkipReadAdapter adapter() throws Exception {
        return new SkipReadAdapter(broker.dispatcher, broker.tracker(true), 1_000, true);
    }

    @Test
    void itIsOfTheTypeTheBrokerAsksForSkipReads() throws Exception {
        BucketDelayedDeliveryTracker adapter = adapter();
        assertTrue(adapter.addMessage(1, 1, NOW + 5_000));
        assertTrue(adapter.containsMessage(1, 1));
        assertEquals(1, adapter.getNumberOfDelayedMessages());
        assertTrue(adapter.getBufferMemoryUsage() > 0);
        assertTrue(adapter.genTopicMetricMap().containsKey("pulsar_delayed_index_info"));
        adapter.close();
    }

    @Test
    @DisplayName("Trap 2: closeAsync, which brokers from 4.2 on call, closes this tracker")
    void closeAsyncReachesTheTracker() throws Exception {
        SkipReadAdapter adapter = adapter();
        adapter.addMessage(1, 1, NOW + 5_000);
        assertEquals(CompletableFuture.class, SkipReadAdapter.class.getMethod("closeAsync").getReturnType());
        assertTrue(adapter.closeAsync().isDone());
        assertEquals(0, adapter.getNumberOfDelayedMessages());
        assertEquals(0, broker.timer.armedCount());
    }

    @Test
    @DisplayName("#24578: the stock superclass's buffers are released by close, once, and calls after it are harmless")
    void superBuffersAreReleased() throws Exception {
        SkipReadAdapter adapter = adapter();
        TripleLongPriorityQueue stockQueue = adapter.getSharedBucketPriorityQueue();
        stockQueue.add(1, 1, 1);
        adapter.close();
        assertThrows(IllegalReferenceCountException.class, () -> stockQueue.add(2, 2, 2), "the buffer is still alive");
        adapter.close();
        assertTrue(adapter.closeAsync().isDone());
        assertFalse(adapter.hasMessageAvailable());
        assertFalse(adapter.containsMessage(1, 1));
        assertTrue(adapter.getScheduledMessages(10).isEmpty());
    }

    @Test
    @Timeout(20)
    @DisplayName("A cursor with stock snapshots neither fails nor delays the tracker, and keeps its properties")
    void stockSnapshotsOnTheCursorAreLeftAlone() throws Exception {
        broker.cursorProperties.put("#pulsar.internal.delayed.bucket_3_5", "77");
        SkipReadAdapter adapter = adapter();
        assertTrue(adapter.addMessage(1, 1, NOW + 5_000));
        assertEquals(Map.of("#pulsar.internal.delayed.bucket_3_5", "77"), broker.cursorProperties);
        verify(broker.cursor, never()).removeCursorProperty(any());
        adapter.close();
    }

    @Test
    void thisBrokersStockTrackerCanBeExtended() {
        assertTrue(BrokerSelfCheck.obstacle().isEmpty(), () -> BrokerSelfCheck.obstacle().orElseThrow());
    }
}
