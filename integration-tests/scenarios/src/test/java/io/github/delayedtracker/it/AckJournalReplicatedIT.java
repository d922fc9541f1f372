/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static io.github.delayedtracker.it.JournaledTopic.allFrom;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.policies.data.ClusterData;
import org.apache.pulsar.common.policies.data.TenantInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A replicated subscription and its journal of acknowledgements: two clusters, each of ZooKeeper, a bookie and a broker.
 * Snapshots of the subscription are markers in the topic, and a mark-delete of the other cluster moves that of this one.
 */
@Tag(OnABroker.MATRIX_ONLY)
class AckJournalReplicatedIT {

    private static final String HERE = "here";
    private static final String THERE = "there";
    private static final String NAMESPACE = "replicated";
    private static final int LATER = 500;
    private static final long PATIENCE_MILLIS = 60_000;

    private static SmallStore hereStore;
    private static SmallStore thereStore;
    private static BrokerFixture here;
    private static BrokerFixture there;

    @BeforeAll
    static void start() throws Exception {
        hereStore = SmallStore.start("ack-journal-here", HERE);
        thereStore = SmallStore.start("ack-journal-there", THERE);
        here = start(HERE, hereStore);
        there = start(THERE, thereStore);
        introduce(here, there, THERE);
        introduce(there, here, HERE);
    }

    @AfterAll
    static void stop() throws Exception {
        here.close();
        there.close();
        hereStore.close();
        thereStore.close();
    }

    private static BrokerFixture start(String cluster, SmallStore store) throws Exception {
        return BrokerFixture.start(new LineBroker("ack-journal-" + cluster, store, "4.0", Harness.ownJavaHome(),
                JournaledTopic.settings().with("clusterName", cluster)));
    }

    private static void introduce(BrokerFixture to, BrokerFixture other, String name) throws Exception {
        to.admin().clusters().createCluster(name, ClusterData.builder().serviceUrl(other.broker().adminUrl())
                .brokerServiceUrl(other.broker().serviceUrl()).build());
        for (String tenant : to.admin().tenants().getTenants()) {
            to.admin().tenants().updateTenant(tenant, TenantInfo.builder().allowedClusters(Set.of(HERE, THERE)).build());
        }
    }

    @Test
    void whatIsAcknowledgedStaysSoUntilTheOtherClusterMovesMarkDelete() throws Exception {
        try (JournaledTopic topic = new JournaledTopic(here, NAMESPACE); Scene other = there.scene(NAMESPACE);
                HalfAcknowledged later = topic.another(LATER, 1);
                HalfAcknowledged overThere = new HalfAcknowledged(there, other.topic(), JournaledTopic.MESSAGES, 2)) {
            replicate(here, topic.scene());
            replicate(there, other);
            topic.sendAndAcknowledge();
            topic.awaitJournal();
            topic.unload();
            topic.mustComeAndBeJournaled(topic.backlog().unacknowledged(), "after an unload");
            assertTrue(topic.restored() > 0, "the journal was needed and restored");
            assertTrue(entries(topic.scene()) > JournaledTopic.MESSAGES, "there are markers in the topic");
            overThere.connectToAcknowledge(allFrom(0));
            overThere.disconnect();
            later.send(1_000, 1_000);
            Await.until(PATIENCE_MILLIS, () -> "mark-delete, moved by the other cluster: " + backlog(topic.scene()), () ->
                    backlog(topic.scene()) <= LATER + JournaledTopic.MESSAGES / 10);
            JournaledTopic.mustCome(later, later.unacknowledged(), "of what is sent later", () -> true);
            topic.unload();
            JournaledTopic.mustCome(later, later.unacknowledged(), "after another unload", () -> true);
            assertTrue(topic.scene().stats(Scene.SUB).isReplicated(), "the subscription is replicated as before");
        }
    }

    /** The subscription is there before the first message comes from the other cluster. */
    private static void replicate(BrokerFixture cluster, Scene scene) throws Exception {
        cluster.client().newConsumer(Schema.INT32).topic(scene.topic()).subscriptionName(Scene.SUB)
                .subscriptionType(SubscriptionType.Shared).replicateSubscriptionState(true).subscribe().close();
        scene.admin().namespaces().setNamespaceReplicationClusters(scene.namespace(), Set.of(HERE, THERE));
    }

    private static long entries(Scene scene) throws Exception {
        return scene.admin().topics().getInternalStats(scene.topic()).numberOfEntries;
    }

    private static long backlog(Scene scene) {
        try {
            return scene.stats(Scene.SUB).getMsgBacklog();
        } catch (Exception e) {
            throw new IllegalStateException("no figures of " + scene.topic(), e);
        }
    }
}
