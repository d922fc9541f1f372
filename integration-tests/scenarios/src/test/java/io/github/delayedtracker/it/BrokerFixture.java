/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.common.policies.data.TenantInfo;

/** One broker with a client and an admin client, shared by the scenarios that run on it, each in a namespace of its own. */
final class BrokerFixture {

    private static final String TENANT = "it";

    private final Broker broker;
    private final AtomicInteger scenes = new AtomicInteger();
    private PulsarClient client;
    private PulsarAdmin admin;
    private PulsarClient transactionClient;

    private BrokerFixture(Broker broker) {
        this.broker = broker;
    }

    /** Starts the broker and says so. */
    static BrokerFixture start(Broker broker) throws Exception {
        BrokerFixture fixture = new BrokerFixture(broker);
        try {
            broker.start();
        } catch (Exception e) {
            broker.close();
            throw e;
        }
        fixture.client = PulsarClient.builder().serviceUrl(broker.serviceUrl()).ioThreads(2).listenerThreads(1)
                .startingBackoffInterval(50, TimeUnit.MILLISECONDS).maxBackoffInterval(500, TimeUnit.MILLISECONDS)
                .operationTimeout(60, TimeUnit.SECONDS).build();
        fixture.admin = PulsarAdmin.builder().serviceHttpUrl(broker.adminUrl()).readTimeout(60, TimeUnit.SECONDS).build();
        TenantInfo tenant = TenantInfo.builder().allowedClusters(Set.copyOf(fixture.admin.clusters().getClusters())).build();
        // A broker on a store that others have used finds it.
        if (!fixture.admin.tenants().getTenants().contains(TENANT)) {
            fixture.admin.tenants().createTenant(TENANT, tenant);
        }
        System.out.println("BROKER " + broker.name() + " (" + broker.settings().label() + ") at " + broker.serviceUrl());
        return fixture;
    }

    Broker broker() {
        return broker;
    }

    BrokerSettings settings() {
        return broker.settings();
    }

    PulsarClient client() {
        return client;
    }

    PulsarAdmin admin() {
        return admin;
    }

    /** A client that may begin transactions; made at first need, waits until the broker's coordinator is there. */
    synchronized PulsarClient transactionClient() throws Exception {
        if (transactionClient == null) {
            Await.until(60_000, () -> "the transaction coordinator of " + broker.name(), () -> {
                transactionClient = PulsarClient.builder().serviceUrl(broker.serviceUrl()).enableTransaction(true).build();
                return true;
            });
        }
        return transactionClient;
    }

    /** A new namespace for one scenario. */
    Scene scene(String name) throws Exception {
        String namespace = TENANT + "/" + name + "-" + scenes.incrementAndGet();
        admin.namespaces().createNamespace(namespace);
        return new Scene(this, namespace);
    }

    void close() throws Exception {
        try {
            if (transactionClient != null) {
                transactionClient.shutdown();
            }
            client.shutdown();
            admin.close();
        } finally {
            broker.close();
        }
    }
}
