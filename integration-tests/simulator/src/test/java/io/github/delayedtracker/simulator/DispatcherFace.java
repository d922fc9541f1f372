/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.bookkeeper.mledger.Entry;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.pulsar.broker.loadbalance.extensions.data.BrokerLookupData;
import org.apache.pulsar.broker.service.Consumer;
import org.apache.pulsar.broker.service.RedeliveryTracker;
import org.apache.pulsar.broker.service.Subscription;
import org.apache.pulsar.broker.service.Topic;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;
import org.apache.pulsar.common.api.proto.CommandSubscribe.SubType;
import org.apache.pulsar.common.policies.data.stats.TopicMetricBean;

/** What the tracker sees of the model dispatcher: the broker's type. What no tracker calls is refused. */
final class DispatcherFace extends AbstractPersistentDispatcherMultipleConsumers {

    private final World world;
    private final ModelDispatcher dispatcher;
    private final Runnable wakeUp;
    private final String name;

    DispatcherFace(World world, ModelDispatcher dispatcher, Runnable wakeUp) {
        this(world, dispatcher, wakeUp, "persistent://public/default/simulated / sub");
    }

    DispatcherFace(World world, ModelDispatcher dispatcher, Runnable wakeUp, String name) {
        super(null, BrokerLife.configuration(world.setup()));
        this.world = world;
        this.dispatcher = dispatcher;
        this.wakeUp = wakeUp;
        this.name = name;
    }

    @Override
    public void readMoreEntriesAsync() {
        wakeUp.run();
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public ManagedCursor getCursor() {
        return world.cursor().face();
    }

    @Override
    public boolean isClosed() {
        return dispatcher.isClosed();
    }

    @Override
    public SubType getType() {
        return dispatcher.isKeyShared() ? SubType.Key_Shared : SubType.Shared;
    }

    @Override
    public long getNumberOfMessagesInReplay() {
        return dispatcher.messagesInReplay();
    }

    @Override
    public boolean isConsumerConnected() {
        return !dispatcher.consumers().isEmpty();
    }

    @Override
    public int getTotalUnackedMessages() {
        return dispatcher.consumers().stream().mapToInt(consumer -> consumer.pending().cardinality()).sum();
    }

    @Override
    public CopyOnWriteArrayList<Consumer> getConsumers() {
        return new CopyOnWriteArrayList<>(dispatcher.consumers().stream().map(ModelConsumer::face).toArray(Consumer[]::new));
    }

    @Override
    public Topic getTopic() {
        return TopicFace.TOPIC;
    }

    @Override
    public Subscription getSubscription() {
        return null;
    }

    @Override
    public boolean isClassic() {
        return false;
    }

    private static UnsupportedOperationException refused() {
        return new UnsupportedOperationException("the model dispatcher is not called by trackers in this way");
    }

    @Override
    public Map<String, TopicMetricBean> getBucketDelayedIndexStats() {
        throw refused();
    }

    @Override
    public long getDelayedTrackerMemoryUsage() {
        throw refused();
    }

    @Override
    public boolean isHavePendingReplayRead() {
        throw refused();
    }

    @Override
    public boolean isHavePendingRead() {
        throw refused();
    }

    @Override
    public void blockDispatcherOnUnackedMsgs() {
        throw refused();
    }

    @Override
    public boolean isBlockedDispatcherOnUnackedMsgs() {
        throw refused();
    }

    @Override
    public void unBlockDispatcherOnUnackedMsgs() {
        throw refused();
    }

    @Override
    public boolean isConsumerAvailable(Consumer consumer) {
        throw refused();
    }

    @Override
    protected void reScheduleRead() {
        throw refused();
    }

    @Override
    protected boolean isConsumersExceededOnSubscription() {
        throw refused();
    }

    @Override
    public RedeliveryTracker getRedeliveryTracker() {
        throw refused();
    }

    @Override
    public void addUnAckedMessages(int number) {
        throw refused();
    }

    @Override
    public void redeliverUnacknowledgedMessages(Consumer consumer, List<Position> positions) {
        throw refused();
    }

    @Override
    public void redeliverUnacknowledgedMessages(Consumer consumer, long epoch) {
        throw refused();
    }

    @Override
    public void reset() {
        throw refused();
    }

    @Override
    public CompletableFuture<Void> disconnectAllConsumers(boolean flag, Optional<BrokerLookupData> target) {
        throw refused();
    }

    @Override
    public CompletableFuture<Void> disconnectActiveConsumers(boolean flag) {
        throw refused();
    }

    @Override
    public CompletableFuture<Void> close(boolean flag, Optional<BrokerLookupData> target) {
        throw refused();
    }

    @Override
    public void consumerFlow(Consumer consumer, int number) {
        throw refused();
    }

    @Override
    public void removeConsumer(Consumer consumer) {
        throw refused();
    }

    @Override
    public CompletableFuture<Void> addConsumer(Consumer consumer) {
        throw refused();
    }

    @Override
    public void readEntriesFailed(ManagedLedgerException failure, Object context) {
        throw refused();
    }

    @Override
    public void readEntriesComplete(List<Entry> entries, Object context) {
        throw refused();
    }
}
