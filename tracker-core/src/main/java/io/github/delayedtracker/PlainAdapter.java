/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.NavigableSet;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.mledger.Position;
import org.apache.pulsar.broker.delayed.DelayedDeliveryTracker;

/**
 * The tracker the broker sees where the stock bucket tracker cannot be extended. Delivery is the same; reads do not skip
 * what is indexed, so a reconnect reads it again, and the broker prints no statistics of our own.
 */
final class PlainAdapter implements DelayedDeliveryTracker {

    private final SubscriptionTracker tracker;

    PlainAdapter(SubscriptionTracker tracker) {
        this.tracker = tracker;
    }

    @Override
    public boolean addMessage(long ledgerId, long entryId, long deliverAt) {
        return tracker.addMessage(ledgerId, entryId, deliverAt);
    }

    @Override
    public boolean hasMessageAvailable() {
        return tracker.hasMessageAvailable();
    }

    @Override
    public long getNumberOfDelayedMessages() {
        return tracker.numberOfDelayedMessages();
    }

    @Override
    public long getBufferMemoryUsage() {
        return tracker.state().retainedBytes();
    }

    @Override
    public NavigableSet<Position> getScheduledMessages(int maxMessages) {
        return tracker.getScheduledMessages(maxMessages);
    }

    /** While a journal of acknowledgements is read only: a pause stops nacked and plain messages as well. */
    @Override
    public boolean shouldPauseAllDeliveries() {
        return tracker.acks.pausesReads();
    }

    @Override
    public void resetTickTime(long tickTime) {
        tracker.resetTickTime(tickTime);
    }

    @Override
    public CompletableFuture<Void> clear() {
        return tracker.clear();
    }

    /** Called by 4.0 brokers and by 5.0.0-M1. */
    @Override
    public void close() {
        tracker.close();
    }

    /** Called by brokers from 4.2 on, which close the cursor after it; the type compiled against does not have it. */
    @CanIgnoreReturnValue
    public CompletableFuture<Void> closeAsync() {
        return tracker.close();
    }
}
