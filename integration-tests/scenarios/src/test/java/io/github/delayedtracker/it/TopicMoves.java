/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.List;
import java.util.function.LongConsumer;
import org.apache.pulsar.client.admin.PulsarAdmin;

/** A topic goes from one broker of a cluster to another. */
final class TopicMoves {

    private static final long MOVE_MILLIS = 60_000;
    private static final long ONE_MOVE_MILLIS = 5_000;

    private TopicMoves() {
    }

    /** Settings of brokers that share a metadata store, and move only what they are told to. */
    static BrokerSettings movable(BrokerSettings settings) {
        return settings.with("loadBalancerEnabled", "true")
                .with("loadManagerClassName", "org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl")
                .with("loadBalancerSheddingEnabled", "false").with("loadBalancerAutoBundleSplitEnabled", "false")
                // The readers of topic policies take half a minute to follow a bundle that has moved.
                .with("topicLevelPoliciesEnabled", "false").with("systemTopicEnabled", "false");
    }

    static boolean isAt(Scene scene, Broker broker) throws Exception {
        return scene.admin().lookups().lookupTopic(scene.topic()).equals(broker.serviceUrl());
    }

    /**
     * Moves the topic of a scene, and returns when it is there. A client's lookup may have the broker before take the topic
     * again: then it is asked to give it away once more.
     *
     * @param begun is told the time of each try
     */
    static void move(Scene scene, Broker to, LongConsumer begun) throws Exception {
        PulsarAdmin admin = scene.admin();
        String bundle = admin.lookups().getBundleRange(scene.topic());
        List<String> active = admin.brokers().getActiveBrokers();
        String target = active.stream().filter(id -> to.adminUrl().endsWith(id.substring(id.indexOf(':')))).findFirst()
                .orElseThrow(() -> new AssertionError(to.name() + " at " + to.adminUrl() + " is not among " + active));
        Await.until(MOVE_MILLIS, () -> "the topic at " + to.name(), () -> {
            begun.accept(System.currentTimeMillis());
            admin.namespaces().unloadNamespaceBundle(scene.namespace(), bundle, target);
            return Await.within(ONE_MOVE_MILLIS, () -> isAt(scene, to));
        });
    }
}
