/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.common.policies.data.SubscriptionStats;

/**
 * A long delayed backlog on one broker that is killed and started again: how long until all of it is tracked, the first time and
 * after each restart. The delays are two days and up to ten minutes more.
 */
final class DelayedBacklog implements AutoCloseable {

    private static final long POLL_MILLIS = 10;
    private static final long CONNECT_MILLIS = 60_000;

    private final Broker broker;
    private final BacklogClients clients;
    private final int messages;
    private final long patienceMillis;
    private PulsarAdmin admin;

    /**
     * A backlog that is not there yet.
     *
     * @param patienceMillis how long to wait for all messages to be tracked
     */
    DelayedBacklog(Broker broker, BacklogClients clients, int messages, long patienceMillis) {
        this.broker = broker;
        this.clients = clients;
        this.messages = messages;
        this.patienceMillis = patienceMillis;
    }

    /** What was measured: times in milliseconds, sizes as the broker reports them. */
    record Tracked(long sentMillis, long trackedMillis, long indexBytes, long directBytes) {
    }

    /** Starts the broker, subscribes, sends all; returns when all are tracked, with the times since the first was sent. */
    Tracked fill() throws Exception {
        broker.start();
        connect();
        long beganNanos = System.nanoTime();
        clients.send(broker, messages);
        return awaitTracked(beganNanos, millisSince(beganNanos));
    }

    /** Kills the broker, starts it again, connects a consumer; returns when all are tracked, with the time since it connected. */
    Tracked restart() throws Exception {
        disconnect();
        broker.kill();
        broker.start();
        return awaitTracked(connect(), 0);
    }

    /** A figure of the broker's metrics page for the subscription; 0 where there is none. */
    double metric(String name) throws Exception {
        return figure(name + "{", "topic=\"" + BacklogClients.TOPIC + "\"");
    }

    private double figure(String start, String label) throws Exception {
        return Net.get(broker.adminUrl() + "/metrics/").lines()
                .filter(line -> line.startsWith(start) && line.contains(label))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1)).mapToDouble(Double::parseDouble).findFirst().orElse(0);
    }

    private Tracked awaitTracked(long sinceNanos, long sentMillis) throws Exception {
        while (true) {
            SubscriptionStats stats = subscription();
            long millis = millisSince(sinceNanos);
            // A tool may send some more than it was told to.
            if (stats.getMsgDelayed() >= messages && stats.getMsgDelayed() == stats.getMsgBacklog()) {
                return new Tracked(sentMillis, millis, stats.getDelayedMessageIndexSizeInBytes(),
                        (long) figure("jvm_memory_direct_bytes_used", ""));
            }
            if (millis > patienceMillis || stats.getMsgDelayed() > Math.max(messages, stats.getMsgBacklog())) {
                throw new IllegalStateException("after " + millis + " ms " + stats.getMsgDelayed() + " of " + messages
                        + " messages are tracked, the backlog is " + stats.getMsgBacklog());
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private SubscriptionStats subscription() throws PulsarAdminException {
        return admin.topics().getStats(BacklogClients.TOPIC).getSubscriptions().get(BacklogClients.SUBSCRIPTION);
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    /** Subscribes; answers when a consumer was seen to be connected. */
    private long connect() throws Exception {
        admin = PulsarAdmin.builder().serviceHttpUrl(broker.adminUrl()).build();
        clients.subscribe(broker);
        long[] seenNanos = {0};
        Await.until(CONNECT_MILLIS, () -> "a consumer on " + BacklogClients.TOPIC, () -> {
            seenNanos[0] = System.nanoTime();
            SubscriptionStats stats = subscription();
            return stats != null && !stats.getConsumers().isEmpty();
        });
        return seenNanos[0];
    }

    private void disconnect() throws Exception {
        clients.disconnect();
        if (admin != null) {
            admin.close();
            admin = null;
        }
    }

    @Override
    public void close() throws Exception {
        disconnect();
    }
}
