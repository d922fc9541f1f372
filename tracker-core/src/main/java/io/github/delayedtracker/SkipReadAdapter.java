/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.netty.util.Timeout;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.apache.bookkeeper.mledger.Position;
import org.apache.pulsar.broker.delayed.bucket.BucketDelayedDeliveryTracker;
import org.apache.pulsar.broker.delayed.bucket.RecoverDelayedDeliveryTrackerException;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;
import org.apache.pulsar.common.policies.data.stats.TopicMetricBean;

/**
 * The tracker the broker sees. It extends the stock bucket tracker only because the broker asks {@link #containsMessage}
 * and {@link #genTopicMetricMap} of that very type; every call goes to the {@link SubscriptionTracker}, and the stock
 * state stays empty.
 *
 * <p>The superclass may call overridden methods from its constructor, before {@link #tracker} is set; each method
 * answers neutrally then.
 */
// The stock monitor guards stock state, of which none is used; taking it would make readers wait for the dispatcher.
@SuppressWarnings("UnsynchronizedOverridesSynchronized")
final class SkipReadAdapter extends BucketDelayedDeliveryTracker {

    private static final SuperRelease SUPER_RELEASE = findSuperRelease();

    private static final AtomicIntegerFieldUpdater<SkipReadAdapter> SUPER_RELEASED =
            AtomicIntegerFieldUpdater.newUpdater(SkipReadAdapter.class, "superReleased");

    /** 1 once it was begun. */
    private volatile int superReleased;
    private final SubscriptionTracker tracker;

    SkipReadAdapter(AbstractPersistentDispatcherMultipleConsumers dispatcher, SubscriptionTracker tracker, long tickMillis,
            boolean strict) throws RecoverDelayedDeliveryTrackerException {
        // The limits at the end belong to the stock index, which never holds anything.
        super(dispatcher, InertTimer.INSTANCE, tickMillis, strict, InertSnapshotStorage.INSTANCE, 1, 1, 1, -1);
        this.tracker = tracker;
    }

    @Override
    public boolean addMessage(long ledgerId, long entryId, long deliverAt) {
        return tracker != null && tracker.addMessage(ledgerId, entryId, deliverAt);
    }

    @Override
    public boolean hasMessageAvailable() {
        return tracker != null && tracker.hasMessageAvailable();
    }

    @Override
    public NavigableSet<Position> getScheduledMessages(int maxMessages) {
        return tracker == null ? new java.util.TreeSet<>() : tracker.getScheduledMessages(maxMessages);
    }

    @Override
    public boolean containsMessage(long ledgerId, long entryId) {
        return tracker != null && tracker.containsMessage(ledgerId, entryId);
    }

    @Override
    public long getNumberOfDelayedMessages() {
        return tracker == null ? 0 : tracker.numberOfDelayedMessages();
    }

    @Override
    public long getBufferMemoryUsage() {
        return tracker == null ? 0 : tracker.state().retainedBytes();
    }

    /** While a journal of acknowledgements is read only: a pause stops nacked and plain messages as well. */
    @Override
    public boolean shouldPauseAllDeliveries() {
        return tracker != null && tracker.acks.pausesReads();
    }

    @Override
    public void resetTickTime(long tickTime) {
        if (tracker != null) {
            tracker.resetTickTime(tickTime);
        }
    }

    @Override
    public CompletableFuture<Void> clear() {
        return tracker == null ? CompletableFuture.completedFuture(null) : tracker.clear();
    }

    /** Called by 4.0 brokers and by 5.0.0-M1. */
    @Override
    public void close() {
        closeAsync();
    }

    /** Called by brokers from 4.2 on, which close the cursor after it; the type compiled against does not have it. */
    @CanIgnoreReturnValue
    public CompletableFuture<Void> closeAsync() {
        CompletableFuture<Void> written = tracker == null ? CompletableFuture.completedFuture(null) : tracker.close();
        if (superReleased == 0 && SUPER_RELEASED.compareAndSet(this, 0, 1)) {
            SUPER_RELEASE.release(this);
        }
        return written;
    }

    /** Called by the superclass's constructor from 5.0.1 on: there is nothing of the stock kind to recover. */
    public void recoverBucketSnapshot() {
        // the stock index stays empty
    }

    @Override
    public Map<String, TopicMetricBean> genTopicMetricMap() {
        return tracker == null ? Map.of() : tracker.metrics();
    }

    /** The stock timer is inert; nothing calls this. */
    @Override
    public void run(Timeout timeout) {
        // wake-ups come from the factory's own timer
    }

    @Override
    protected long nextDeliveryTime() {
        return tracker == null ? Long.MAX_VALUE : tracker.state().nextDueMillis();
    }

    private static SuperRelease findSuperRelease() {
        try {
            return SuperRelease.find(MethodHandles.lookup());
        } catch (ReflectiveOperationException e) {
            // Makes the class unusable, which the factory answers with the plain adapter.
            throw new ExceptionInInitializerError(e);
        }
    }
}
