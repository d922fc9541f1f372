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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The bucket backend on a cluster of three bookies, of which one is killed, or stops answering, while tails are sealed, while
 * buckets are merged, and while the buckets of a broker that was killed are recovered.
 */
@Tag(OnABroker.MATRIX)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BookieClusterIT {

    private static final long PATIENCE_MILLIS = 60_000;
    /** What reaches for a dead host first waits ten seconds for a connection, storing, reading or sealing. */
    private static final long CONNECTING_MILLIS = 15_000;
    /** Time to send, to seal, to start a broker on two bookies of three, and to look at it. */
    private static final long LONG_MILLIS = 60_000;
    private static final int SEAL = 100;
    private static final long SEED = 20_261_121;

    private final Random random = new Random(SEED);
    private ClusterBroker cluster;
    private BrokerFixture fixture;
    private LedgersOfACluster ledgers;

    /** What becomes of the bookie. */
    private enum Harm {
        KILLED {
            @Override
            void inflict(ClusterNode bookie) {
                bookie.kill();
            }

            @Override
            void end(ClusterNode bookie) {
                // It has ended.
            }
        },
        HANGS {
            @Override
            void inflict(ClusterNode bookie) {
                bookie.pause();
            }

            @Override
            void end(ClusterNode bookie) {
                bookie.goOn();
                // One that has lost its session ends itself, some time.
                bookie.kill();
            }
        };

        abstract void inflict(ClusterNode bookie);

        abstract void end(ClusterNode bookie);
    }

    @BeforeAll
    void startCluster() throws Exception {
        Assumptions.assumeTrue(ContainerBroker.engineAnswers(), () -> OnABroker.skipped("cluster", "no Docker Engine answers"));
        // A hanging bookie is given up after three seconds, not after the default half a minute.
        cluster = new ClusterBroker("cluster", BrokerSettings.of("bucket", true, 500)
                .with("delayedDeliveryMinIndexCountPerBucket", Integer.toString(SEAL))
                .with("delayedDeliveryIndexLoadAheadMillis", "2000").with("bookkeeperClientTimeoutInSeconds", "3"));
        fixture = BrokerFixture.start(cluster);
        ledgers = new LedgersOfACluster(cluster.metadataUrl());
    }

    @AfterAll
    void closeCluster() throws Exception {
        if (ledgers != null) {
            ledgers.close();
        }
        if (fixture != null) {
            fixture.close();
        }
    }

    @Test
    void aBookieIsKilledWhileTailsAreSealed() throws Exception {
        harmWhileSealing(Harm.KILLED, 0, "seal-killed", "bucket_seals_total", 5);
    }

    @Test
    @Tag(Scenarios.SMOKE)
    void aBookieHangsWhileBucketsAreMerged() throws Exception {
        harmWhileSealing(Harm.HANGS, 1, "merge-hangs", "bucket_merges_total", 3);
    }

    @Test
    @Tag(Scenarios.SMOKE)
    void aBookieIsKilledWhileTheBucketsOfAKilledBrokerAreRecovered() throws Exception {
        harmWhileRecovering(Harm.KILLED, 2, "recover-killed");
    }

    @Test
    @Tag(Scenarios.SMOKE)
    void aBookieHangsWhileTailsAreSealed() throws Exception {
        harmWhileSealing(Harm.HANGS, 2, "seal-hangs", "bucket_seals_total", 5);
    }

    @Test
    void aBookieIsKilledWhileBucketsAreMerged() throws Exception {
        harmWhileSealing(Harm.KILLED, 0, "merge-killed", "bucket_merges_total", 3);
    }

    @Test
    void aBookieHangsWhileTheBucketsOfAKilledBrokerAreRecovered() throws Exception {
        harmWhileRecovering(Harm.HANGS, 1, "recover-hangs");
    }

    private void harmWhileSealing(Harm harm, int number, String name, String figure, int times) throws Exception {
        ClusterNode bookie = cluster.bookie(number);
        try (Scene scene = fixture.scene(name)) {
            open(scene);
            List<Sent> sent = new ArrayList<>();
            sendUntil(scene, sent, figure, 1);
            harm.inflict(bookie);
            try {
                Set<Long> before = ledgers.snapshotsOf(scene.topic()).keySet();
                sendUntil(scene, sent, figure, scene.pluginStat(figure) + times);
                Map<Long, List<String>> after = ledgers.snapshotsOf(scene.topic());
                after.keySet().removeAll(before);
                assertTrue(!after.isEmpty(), "no snapshot was written while " + bookie.name() + " was away");
                awaitNoneOn(bookie, scene, after.keySet());
            } finally {
                bringBack(harm, bookie);
            }
            sendUntil(scene, sent, figure, scene.pluginStat(figure) + 1);
            mustHaveComeOnceOrTwiceByTheDispatcher(scene, sent);
            mustLeaveNothing(scene);
        }
    }

    /** A consumer, and a producer that never gives up what the cluster is late to store. */
    private static void open(Scene scene) throws Exception {
        scene.producing(settings -> settings.sendTimeout(0, TimeUnit.SECONDS));
        scene.receive(Shared);
    }

    /** One that is open while its bookie's session has not ended names it until the first write to it fails. */
    private void awaitNoneOn(ClusterNode bookie, Scene scene, Set<Long> ledgerIds) throws Exception {
        Map<Long, List<String>> on = new TreeMap<>();
        Await.until(PATIENCE_MILLIS, () -> "ledgers written while " + bookie.name() + " was away to be elsewhere: " + on, () -> {
            on.clear();
            on.putAll(ledgers.snapshotsOf(scene.topic()));
            on.keySet().retainAll(ledgerIds);
            on.values().removeIf(bookies -> bookies.stream().noneMatch(id -> id.contains(bookie.name())));
            return on.isEmpty();
        });
    }

    private void harmWhileRecovering(Harm harm, int number, String name) throws Exception {
        ClusterNode bookie = cluster.bookie(number);
        try (Scene scene = fixture.scene(name)) {
            open(scene);
            List<Sent> sent = new ArrayList<>(scene.send(12 * SEAL + SEAL / 2, i -> LONG_MILLIS + i * 10L));
            scene.awaitDelayed(sent.size());
            Await.until(PATIENCE_MILLIS, () -> "all but a tail sealed",
                    () -> scene.pluginStat("bucket_sleeping_positions") > sent.size() - SEAL);
            scene.awaitRecorded();
            cluster.kill();
            harm.inflict(bookie);
            try {
                cluster.start();
                Await.until(PATIENCE_MILLIS, () -> "buckets after the restart",
                        () -> scene.pluginStat("bucket_recovering") == 0 && scene.pluginStat("bucket_buckets") > 0);
                assertEquals(0, scene.pluginStat("bucket_lost_buckets_total"), "buckets given up");
                scene.awaitDelayed(sent.size());
                List<Sent> plain = scene.send(20, i -> 0);
                scene.awaitAcked(plain);
                sent.addAll(plain);
                sendUntil(scene, sent, "bucket_seals_total", 2);
            } finally {
                bringBack(harm, bookie);
            }
            mustHaveCome(scene, sent);
            mustLeaveNothing(scene);
        }
    }

    /** Delayed messages with some plain ones among them, until a figure of the buckets has come to a number. */
    private void sendUntil(Scene scene, List<Sent> sent, String figure, double atLeast) throws Exception {
        String wanted = figure + " of " + atLeast + ", seed " + SEED;
        Await.until(PATIENCE_MILLIS, () -> wanted + ", after " + sent.size() + " messages", () -> {
            sent.addAll(scene.send(SEAL / 2, i -> i % 10 == 0 ? 0 : 4_000 + random.nextInt(15_000)));
            return scene.pluginStat(figure) >= atLeast;
        });
    }

    /** Starts it again, as whoever watches over it would, and waits until the others may use it, so that there are three. */
    private void bringBack(Harm harm, ClusterNode bookie) throws Exception {
        harm.end(bookie);
        // One that finds the registration of its former life ends itself.
        Await.until(PATIENCE_MILLIS, () -> "the end of the session of " + bookie.name(),
                () -> !ledgers.isRegistered(bookie.name()));
        bookie.start();
        Await.until(PATIENCE_MILLIS, () -> bookie.name() + " serves again, log ends:\n" + bookie.logTail(),
                () -> bookie.isReady() && ledgers.isRegistered(bookie.name()));
    }

    /**
     * Exactly once as far as the tracker is asked, never early, late by no more than the cluster itself was held up, and nothing
     * left in the figures.
     */
    private static void mustHaveComeOnceOrTwiceByTheDispatcher(Scene scene, List<Sent> sent) throws Exception {
        scene.awaitAcked(sent);
        HandOutAccount account = HandOutAccount.of(scene, sent);
        System.out.println("HAND-OUTS " + scene.topic() + ": " + account);
        account.mustShowOneHandOutForEachTracking(0);
        account.mustHaveComeAtMost(2, scene.arrivals(), sent);
        scene.awaitEmptyBut(Scene.SUB, () -> scene.arrivals().repeats(sent));
        mustBeInTime(scene, sent);
    }

    /** Exactly once, and else the same. */
    private static void mustHaveCome(Scene scene, List<Sent> sent) throws Exception {
        scene.awaitAcked(sent);
        scene.arrivals().mustBeExactlyOnce(sent);
        scene.awaitEmpty(Scene.SUB);
        // None came late.
        scene.arrivals().mustBeExactlyOnce(sent);
        mustBeInTime(scene, sent);
    }

    private static void mustBeInTime(Scene scene, List<Sent> sent) {
        scene.arrivals().mustBeInTime(sent, scene.earlyWindowMillis(), scene.latestMillis() + CONNECTING_MILLIS);
    }

    private void mustLeaveNothing(Scene scene) throws Exception {
        scene.close();
        scene.admin().topics().deleteSubscription(scene.topic(), Scene.SUB);
        ledgers.awaitNoSnapshotOf(scene.topic(), PATIENCE_MILLIS);
    }
}
