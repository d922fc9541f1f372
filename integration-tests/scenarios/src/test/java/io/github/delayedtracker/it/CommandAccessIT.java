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

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.Authentication;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.common.policies.data.AuthAction;
import org.junit.jupiter.api.Test;

/** On a real broker that asks for tokens, commands are for those whom it would let do the like itself, and for nobody else. */
class CommandAccessIT {

    private static final String NAMESPACE = "public/default";
    private static final String TOPIC = "persistent://" + NAMESPACE + "/access";
    private static final long LATER_MILLIS = 600_000;
    private static final List<String> LOOKS = List.of("schedule?subscription=s", "list?subscription=s", "peek?subscription=s");

    private final byte[] secret = new byte[32];

    CommandAccessIT() {
        new SecureRandom().nextBytes(secret);
    }

    /** A token of a role, as Pulsar's own tool makes it. */
    private String token(String role) throws GeneralSecurityException {
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        String signed = encoder.encodeToString("{\"alg\":\"HS256\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + encoder.encodeToString(("{\"sub\":\"" + role + "\"}").getBytes(StandardCharsets.UTF_8));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        return signed + "." + encoder.encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    }

    private BrokerSettings settings() throws GeneralSecurityException {
        return BrokerSettings.of("timebucket", true, 1_000).withDefaultLimits().withCommands()
                .with("authenticationEnabled", "true").with("authorizationEnabled", "true")
                .with("authenticationProviders", "org.apache.pulsar.broker.authentication.AuthenticationProviderToken")
                .with("tokenSecretKey", "data:;base64," + Base64.getEncoder().encodeToString(secret))
                .with("superUserRoles", "admin")
                .with("brokerClientAuthenticationPlugin", "org.apache.pulsar.client.impl.auth.AuthenticationToken")
                .with("brokerClientAuthenticationParameters", "token:" + token("admin"));
    }

    @Test
    void eachRoleMayDoWhatTheBrokerLetsItDo() throws Exception {
        ForkedBroker broker = ForkedBroker.of("access", settings());
        Authentication credentials = AuthenticationFactory.token(token("admin"));
        broker.start();
        try (PulsarAdmin admin = PulsarAdmin.builder().serviceHttpUrl(broker.adminUrl()).authentication(credentials).build();
                PulsarClient client =
                        PulsarClient.builder().serviceUrl(broker.serviceUrl()).authentication(credentials).build()) {
            Await.until(60_000, () -> "the namespace", () -> admin.namespaces().getNamespaces("public").contains(NAMESPACE));
            admin.namespaces().grantPermissionOnNamespace(NAMESPACE, "user", Set.of(AuthAction.consume));
            admin.namespaces().grantPermissionOnNamespace(NAMESPACE, "other", Set.of(AuthAction.consume));
            admin.namespaces().grantPermissionOnSubscription(NAMESPACE, "s", Set.of("user"));
            try (Consumer<byte[]> consumer = client.newConsumer().topic(TOPIC).subscriptionName("s").subscriptionType(Shared)
                    .subscribe(); Producer<byte[]> producer = client.newProducer().topic(TOPIC).create()) {
                List<String> ids = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    ids.add(CommandClient.text(producer.newMessage().deliverAfter(LATER_MILLIS, TimeUnit.MILLISECONDS)
                            .value(new byte[] {1}).send()));
                }
                Await.until(60_000, () -> "three delayed messages",
                        () -> admin.topics().getStats(TOPIC).getSubscriptions().get("s").getMsgDelayed() == 3);
                mustBeAnswered(401, new CommandClient(broker.adminUrl()), ids);
                mustBeAnswered(403, as(broker, "stranger"), ids);
                // Its role is not among those of the subscription.
                assertEquals(403, as(broker, "other").post(TOPIC, "cancel?subscription=s", ids).status());
                assertEquals(403, as(broker, "other").get(TOPIC, "peek?subscription=s").status());
                assertEquals(403, as(broker, "other").post(TOPIC, "cancel", ids).status());
                assertEquals(3, admin.topics().getStats(TOPIC).getSubscriptions().get("s").getMsgDelayed());
                mustBeAnswered(200, as(broker, "user"), ids);
                assertEquals(401, new CommandClient(broker.adminUrl()).sweep().status());
                assertEquals(403, as(broker, "user").sweep().status());
                assertEquals(200, as(broker, "admin").sweep().status());
                assertTrue(consumer.isConnected());
            }
        } finally {
            broker.close();
        }
    }

    private CommandClient as(ForkedBroker broker, String role) throws GeneralSecurityException {
        return new CommandClient(broker.adminUrl(), Optional.of(token(role)));
    }

    private static void mustBeAnswered(int status, CommandClient client, List<String> ids) throws Exception {
        for (String look : LOOKS) {
            assertEquals(status, client.get(TOPIC, look).status(), look);
        }
        assertEquals(status, client.post(TOPIC, "cancel?subscription=s", ids.subList(0, 1)).status());
        assertEquals(status, client.post(TOPIC, "reschedule?subscription=s&due=1d", ids.subList(1, 2)).status());
        assertEquals(status, client.post(TOPIC, "deliver-now?subscription=s&dueBefore=1h&dryRun=true", List.of()).status());
    }
}
