/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The time and the size of a broker's page of metrics with 10,000 subscriptions that each have a delayed message, with this
 * plugin and with the stock tracker, whose page is the broker's own. {@code -Dscrape.it.topics} spreads them over another number
 * of topics.
 */
@Tag(OnABroker.MATRIX_ONLY)
class ScrapeCostIT {

    private static final int SUBSCRIPTIONS = 10_000;
    private static final int TOPICS = Integer.getInteger("scrape.it.topics", 2_000);
    private static final int AT_ONCE = 100;
    /** What a broker makes within an hour. With 30 the compiler is still at work, most of all on what the plugin adds. */
    private static final int WARM_UPS = 200;
    private static final int SCRAPES = 41;
    private static final long PATIENCE_MILLIS = 300_000;
    /** The aim is 1.3 and 5 ms; a machine that does other work as well gets more room. */
    private static final double MOST_TIMES_THE_OWN_PAGE = 1.6;
    private static final double MOST_MILLIS_MORE = 20;
    private static final double NANOS_A_MILLI = 1e6;

    private final HttpClient http = HttpClient.newHttpClient();

    /** One page, or the median of some. */
    private record Page(double millis, long bytes) {
    }

    /** A broker with all its subscriptions. */
    private final class Scraped implements AutoCloseable {

        private final BrokerFixture fixture;
        private final URI page;
        private final List<Page> scrapes = new ArrayList<>();

        Scraped(BrokerSettings of, boolean topicLevel) throws Exception {
            BrokerSettings settings = of.withDefaultLimits()
                    .with("exposeTopicLevelMetricsInPrometheus", Boolean.toString(topicLevel));
            fixture = BrokerFixture.start(
                    ForkedBroker.of("scrape-" + settings.label() + "-" + topicLevel, settings).asTheDistributionRunsIt());
            page = URI.create(fixture.broker().adminUrl() + "/metrics/");
        }

        void fill() throws Exception {
            try (Scene scene = fixture.scene("scrape")) {
                inBatches(SUBSCRIPTIONS, i -> subscribed(fixture, scene.topic() + "-" + i % TOPICS, i / TOPICS));
                inBatches(TOPICS, i -> sent(fixture, scene.topic() + "-" + i));
                String delayed = "pulsar_subscription_delayed{";
                Await.until(PATIENCE_MILLIS, () -> "a delayed message in each subscription", () -> Net.get(page.toString())
                        .lines().filter(line -> line.startsWith(delayed)).mapToDouble(line ->
                                Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).sum() >= SUBSCRIPTIONS);
            }
        }

        void scrape() throws Exception {
            long begunNanos = System.nanoTime();
            long bytes;
            try (InputStream body = http.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofInputStream()).body()) {
                bytes = body.transferTo(OutputStream.nullOutputStream());
            }
            scrapes.add(new Page((System.nanoTime() - begunNanos) / NANOS_A_MILLI, bytes));
        }

        Page median() {
            List<Page> warm = scrapes.subList(WARM_UPS, scrapes.size());
            double[] millis = warm.stream().mapToDouble(Page::millis).sorted().toArray();
            return new Page(millis[millis.length / 2], warm.get(0).bytes());
        }

        @Override
        public void close() throws Exception {
            fixture.close();
        }
    }

    @Test
    void aPageTakesLittleLongerThanTheBrokersOwn() throws Exception {
        Page[] of = pages(true);
        Page[] ofNamespaces = pages(false);
        assertTrue(ofNamespaces[1].millis <= ofNamespaces[0].millis + MOST_MILLIS_MORE,
                () -> ofNamespaces[1] + " where its own is " + ofNamespaces[0]);
        assertTrue(of[1].millis <= of[0].millis * MOST_TIMES_THE_OWN_PAGE, () -> of[1] + " where its own is " + of[0]);
    }

    /** The broker's own and that of a broker with this plugin, by turns, so that both find the machine as it is. */
    private Page[] pages(boolean topicLevel) throws Exception {
        try (Scraped stock = new Scraped(BrokerSettings.stockMemory(false, 1_000), topicLevel);
                Scraped plugin = new Scraped(BrokerSettings.of("timebucket", false, 1_000), topicLevel)) {
            stock.fill();
            plugin.fill();
            for (int i = 0; i < WARM_UPS + SCRAPES; i++) {
                stock.scrape();
                plugin.scrape();
            }
            Page own = stock.median();
            Page with = plugin.median();
            System.out.printf(Locale.ROOT, "SCRAPE topic-level metrics %s, %d subscriptions of %d topics: the broker's own page"
                    + " %.1f ms, %d bytes; with the plugin %.1f ms, %d bytes: %+.1f ms, %+.1f %%%n", topicLevel ? "on" : "off",
                    SUBSCRIPTIONS, TOPICS, own.millis, own.bytes, with.millis, with.bytes, with.millis - own.millis,
                    100 * (with.millis / own.millis - 1));
            return new Page[] {own, with};
        }
    }

    private static void inBatches(int count, IntFunction<CompletableFuture<?>> each) {
        for (int from = 0; from < count; from += AT_ONCE) {
            List<CompletableFuture<?>> batch = new ArrayList<>();
            for (int i = from; i < Math.min(count, from + AT_ONCE); i++) {
                batch.add(each.apply(i));
            }
            batch.forEach(CompletableFuture::join);
        }
    }

    private static CompletableFuture<Consumer<String>> subscribed(BrokerFixture fixture, String topic, int number) {
        return fixture.client().newConsumer(Schema.STRING).topic(topic).subscriptionName("sub-" + number)
                .subscriptionType(SubscriptionType.Shared).subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .receiverQueueSize(1).subscribeAsync();
    }

    private static CompletableFuture<Void> sent(BrokerFixture fixture, String topic) {
        return fixture.client().newProducer(Schema.STRING).topic(topic).createAsync().thenCompose(producer ->
                producer.newMessage().value("delayed").deliverAfter(1, TimeUnit.DAYS).sendAsync()
                        .thenCompose(sent -> producer.closeAsync()));
    }
}
