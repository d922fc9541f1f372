/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;

/** Publishes to a topic one message after the other, some 300 a second, to tell how long its broker keeps others waiting. */
final class PublishProbe implements AutoCloseable {

    private static final int MOST = 100_000;
    private static final long PAUSE_MILLIS = 2;

    private final Producer<String> producer;
    private final Thread thread = new Thread(this::publish, "publish-probe");
    private final AtomicBoolean ended = new AtomicBoolean();
    private final long[] nanos = new long[MOST];
    private int count;
    private Exception failure;

    PublishProbe(PulsarClient client, String topic) throws PulsarClientException {
        producer = client.newProducer(Schema.STRING).topic(topic).enableBatching(false).create();
        thread.start();
    }

    private void publish() {
        try {
            while (!ended.get() && count < MOST) {
                long begin = System.nanoTime();
                producer.send("probe");
                nanos[count++] = System.nanoTime() - begin;
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (PulsarClientException | InterruptedException e) {
            failure = e;
        }
    }

    /** The slowest of what was published, and a percentile, in milliseconds. */
    record Times(int count, double p99, double worst) {

        @Override
        public String toString() {
            return String.format("%d publishes, p99 %.1f ms, worst %.1f ms", count, p99, worst);
        }
    }

    /** Ends it. */
    Times end() throws Exception {
        ended.set(true);
        thread.join();
        if (failure != null) {
            throw failure;
        }
        long[] sorted = LongStream.of(Arrays.copyOf(nanos, count)).sorted().toArray();
        return new Times(count, sorted[count * 99 / 100] / 1e6, sorted[count - 1] / 1e6);
    }

    @Override
    public void close() throws Exception {
        ended.set(true);
        thread.join();
        producer.close();
    }
}
