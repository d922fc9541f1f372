/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.ConsumerBuilder;
import org.apache.pulsar.client.api.ConsumerInterceptor;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;

/**
 * A consumer with a thread that receives, takes its time, and acknowledges.
 *
 * <p>Arrivals are recorded when a message reaches the client, before it waits in the client's queue.
 */
final class Receiver implements AutoCloseable {

    private final Consumer<String> consumer;
    private final Arrivals arrivals;
    private final long workMillis;
    private final boolean acknowledging;
    private final Thread thread;
    private volatile boolean closing;

    private Receiver(Consumer<String> consumer, Arrivals arrivals, long workMillis, boolean acknowledging) {
        this.consumer = consumer;
        this.arrivals = arrivals;
        this.workMillis = workMillis;
        this.acknowledging = acknowledging;
        this.thread = new Thread(this::run, "receiver-" + consumer.getSubscription());
        this.thread.setDaemon(true);
        this.thread.start();
    }

    /** A receiver of a subscription that starts at the topic's first message when it is new. */
    @SuppressWarnings("unchecked")
    static Receiver start(PulsarClient client, String topic, String subscription, SubscriptionType type, Arrivals arrivals,
            Options options) throws PulsarClientException {
        ConsumerBuilder<String> builder = client.newConsumer(Schema.STRING).topic(topic).subscriptionName(subscription)
                .subscriptionType(type).subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS)
                .negativeAckRedeliveryDelay(100, TimeUnit.MILLISECONDS).receiverQueueSize(options.queue())
                .intercept(new Recorder(arrivals));
        return new Receiver(options.more().apply(builder).subscribe(), arrivals, options.workMillis(),
                options.acknowledging());
    }

    Consumer<String> consumer() {
        return consumer;
    }

    private void run() {
        while (!closing) {
            try {
                // Blocked in receive until something comes, as most applications are.
                Message<String> message = consumer.receive();
                if (workMillis > 0) {
                    TimeUnit.MILLISECONDS.sleep(workMillis);
                }
                if (acknowledging) {
                    consumer.acknowledge(message);
                    arrivals.acked(message.getValue(), System.currentTimeMillis());
                }
            } catch (PulsarClientException e) {
                // Closed, or cut off from the broker while acknowledging: the broker hands that message out again.
                if (!consumer.isConnected()) {
                    Thread.onSpinWait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @Override
    public void close() throws PulsarClientException {
        closing = true;
        consumer.close();
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** How a receiver behaves: queue length of the client, work per message, whether it acknowledges, further settings. */
    record Options(int queue, long workMillis, boolean acknowledging, UnaryOperator<ConsumerBuilder<String>> more) {

        static Options usual() {
            return new Options(1000, 0, true, UnaryOperator.identity());
        }

        Options queue(int messages) {
            return new Options(messages, workMillis, acknowledging, more);
        }

        Options work(long millis) {
            return new Options(queue, millis, acknowledging, more);
        }

        Options with(UnaryOperator<ConsumerBuilder<String>> settings) {
            return new Options(queue, workMillis, acknowledging, settings);
        }

        Options neverAcknowledging() {
            return new Options(queue, workMillis, false, more);
        }
    }

    private record Recorder(Arrivals arrivals) implements ConsumerInterceptor<String> {

        @Override
        public Message<String> onArrival(Consumer<String> consumer, Message<String> message) {
            arrivals.arrived(message.getValue(), System.currentTimeMillis());
            return message;
        }

        @Override
        public Message<String> beforeConsume(Consumer<String> consumer, Message<String> message) {
            return message;
        }

        @Override
        public void onAcknowledge(Consumer<String> consumer, MessageId messageId, Throwable failure) {
        }

        @Override
        public void onAcknowledgeCumulative(Consumer<String> consumer, MessageId messageId, Throwable failure) {
        }

        @Override
        public void onNegativeAcksSend(Consumer<String> consumer, Set<MessageId> messageIds) {
        }

        @Override
        public void onAckTimeoutSend(Consumer<String> consumer, Set<MessageId> messageIds) {
        }

        @Override
        public void close() {
        }
    }
}
