/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.apache.pulsar.client.api.SubscriptionType.Shared;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Commands come to the broker that serves the topic: from another broker, and through Pulsar's own proxy. */
class CommandRoutesIT {

    private static final long LATER_MILLIS = 600_000;
    private static final int MESSAGES = 4;

    @Test
    @DisplayName("I20: a broker that does not serve the topic sends a command on, and the proxy passes it through")
    void commandsFindTheOwner() throws Exception {
        BrokerSettings settings = BrokerSettings.of("timebucket", true, 1_000).withDefaultLimits().withCommands()
                .with("loadBalancerEnabled", "true").with("loadBalancerSheddingEnabled", "false")
                .with("loadManagerClassName", "org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl")
                .with("topicLevelPoliciesEnabled", "false").with("systemTopicEnabled", "false");
        try (ZooKeeperProcess metadata = ZooKeeperProcess.start("4.0", "routes-zookeeper")) {
            ForkedBroker one = ForkedBroker.ofLine("4.0", "routes-1", settings, Harness.ownJavaHome())
                    .withMetadataAt(metadata.url());
            ForkedBroker two = ForkedBroker.ofLine("4.0", "routes-2", settings, Harness.ownJavaHome())
                    .withMetadataAt(metadata.url());
            BrokerFixture fixture = BrokerFixture.start(one);
            try (Scene scene = fixture.scene("routes")) {
                scene.receive(Shared);
                List<Sent> sent = scene.send(MESSAGES, i -> LATER_MILLIS);
                scene.awaitDelayed(MESSAGES);
                two.start();
                mustBeSentOn(two, one, scene.topic());
                mustCancel(new CommandClient(two.adminUrl()), scene, sent.get(0));
                for (ForkedBroker behind : List.of(one, two)) {
                    try (ProxyProcess proxy = ProxyProcess.start("routes-proxy", behind)) {
                        mustCancel(new CommandClient(proxy.webUrl()), scene, sent.get(behind == one ? 1 : 2));
                    }
                }
                scene.awaitDelayed(1);
                assertEquals(0, scene.arrivals().ackedCount());
            } finally {
                two.close();
                fixture.close();
            }
        }
    }

    private static void mustBeSentOn(ForkedBroker other, ForkedBroker owner, String topic) throws Exception {
        String path = "/admin/delayed/v1/" + topic.replace("://", "/") + "/schedule";
        HttpResponse<String> response = HttpClient.newHttpClient().send(HttpRequest.newBuilder(
                URI.create(other.adminUrl() + path)).build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(307, response.statusCode(), response::body);
        String location = response.headers().firstValue("Location").orElseThrow();
        assertTrue(location.startsWith(owner.adminUrl() + path), location);
    }

    private static void mustCancel(CommandClient client, Scene scene, Sent message) throws Exception {
        assertEquals(Map.of(CommandClient.text(message.messageId()), "cancelled"),
                client.cancel(scene.topic(), List.of(message)));
    }
}
