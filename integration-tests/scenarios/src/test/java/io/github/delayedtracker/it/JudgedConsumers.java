/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import io.github.delayedtracker.it.MigrationJudge.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.ConsumerInterceptor;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;

/** Consumers of a subscription that acknowledge each message with a receipt, and tell a judge what they see. */
final class JudgedConsumers implements AutoCloseable {

    private final List<Consumer<Integer>> consumers = new ArrayList<>();
    private final MigrationJudge judge;

    private JudgedConsumers(MigrationJudge judge) {
        this.judge = judge;
    }

    /** Connects two consumers; a subscription that they make begins at the first message. */
    @SuppressWarnings("unchecked")
    static JudgedConsumers connect(PulsarClient client, String topic, String subscription, SubscriptionType type,
            MigrationJudge judge) throws PulsarClientException {
        JudgedConsumers two = new JudgedConsumers(judge);
        for (int i = 0; i < 2; i++) {
            two.consumers.add(client.newConsumer(Schema.INT32).topic(topic).subscriptionName(subscription)
                    .subscriptionType(type).subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                    .isAckReceiptEnabled(true).acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS)
                    .intercept(new Recorder(judge)).messageListener(two::acknowledge).subscribe());
        }
        return two;
    }

    private void acknowledge(Consumer<Integer> from, Message<Integer> message) {
        Stored where = where(message.getMessageId());
        var unused = from.acknowledgeAsync(message).thenRun(() -> judge.acked(where, System.currentTimeMillis()));
    }

    private static Stored where(MessageId id) {
        MessageIdAdv place = (MessageIdAdv) id;
        return new Stored(place.getLedgerId(), place.getEntryId());
    }

    @Override
    public void close() throws PulsarClientException {
        for (Consumer<Integer> consumer : consumers) {
            consumer.close();
        }
    }

    /** Notes arrivals at the client, before they wait in its queue. */
    private record Recorder(MigrationJudge judge) implements ConsumerInterceptor<Integer> {

        @Override
        public Message<Integer> onArrival(Consumer<Integer> consumer, Message<Integer> message) {
            judge.arrived(message.getValue(), where(message.getMessageId()), System.currentTimeMillis());
            return message;
        }

        @Override
        public Message<Integer> beforeConsume(Consumer<Integer> consumer, Message<Integer> message) {
            return message;
        }

        @Override
        public void onAcknowledge(Consumer<Integer> consumer, MessageId messageId, Throwable failure) {
        }

        @Override
        public void onAcknowledgeCumulative(Consumer<Integer> consumer, MessageId messageId, Throwable failure) {
        }

        @Override
        public void onNegativeAcksSend(Consumer<Integer> consumer, Set<MessageId> messageIds) {
        }

        @Override
        public void onAckTimeoutSend(Consumer<Integer> consumer, Set<MessageId> messageIds) {
        }

        @Override
        public void close() {
        }
    }
}
