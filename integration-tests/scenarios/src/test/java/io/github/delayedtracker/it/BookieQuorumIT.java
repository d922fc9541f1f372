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

import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The bucket backend on a cluster of three bookies, two copies of each entry, of which two or all three do nothing for a while
 * and then go on: no snapshot can be written, and most or none be read; the topic's own entries neither.
 */
@Tag(OnABroker.MATRIX_ONLY)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BookieQuorumIT {

    private static final int SEAL = 100;
    private static final int BURST = 30 * SEAL;
    /** Longer than a call of the storage may take. */
    private static final long HANG_MILLIS = JobLimits.DEFAULT.timeoutMillis() + 5_000;
    /** Most of them are due while the bookies do nothing. */
    private static final int SOON_MILLIS = 5_000;
    /** After it, so that there is something to seal and to merge. */
    private static final int LATER_MILLIS = 50_000;
    private static final int SPREAD_MILLIS = 15_000;
    /** What had begun may go on as far as the bookies had answered. */
    private static final long LAST_ANSWERS_MILLIS = 2_000;
    private static final long PATIENCE_MILLIS = 60_000;
    private static final long BACK_OFF_MILLIS = JobLimits.DEFAULT.longestBackOffMillis();
    private static final long SEED = 20_261_122;

    private final Random random = new Random(SEED);
    private ClusterBroker cluster;
    private BrokerFixture fixture;
    private LedgersOfACluster ledgers;
    private PulsarClient publishing;
    private List<ClusterNode> stopped = List.of();

    @BeforeAll
    void startCluster() throws Exception {
        Assumptions.assumeTrue(ContainerBroker.engineAnswers(), () -> OnABroker.skipped("quorum", "no Docker Engine answers"));
        // Bookies outlive the silence, and one is given up after three seconds, not after the default half a minute.
        cluster = new ClusterBroker("quorum", BrokerSettings.of("bucket", true, 500)
                .with("delayedDeliveryMinIndexCountPerBucket", Integer.toString(SEAL))
                .with("delayedDeliveryIndexLoadAheadMillis", "2000").with("bookkeeperClientTimeoutInSeconds", "3"))
                .withBookieSessions(100_000);
        fixture = BrokerFixture.start(cluster);
        ledgers = new LedgersOfACluster(cluster.metadataUrl());
        publishing = PulsarClient.builder().serviceUrl(cluster.serviceUrl()).build();
    }

    @AfterAll
    void closeCluster() throws Exception {
        if (publishing != null) {
            publishing.shutdown();
        }
        if (ledgers != null) {
            ledgers.close();
        }
        if (fixture != null) {
            fixture.close();
        }
    }

    @Test
    void twoOfThreeBookiesHangWhileTailsAreSealedAndBucketsMerged() throws Exception {
        hang("two-hang", 2);
    }

    @Test
    void allBookiesHangWhileTailsAreSealedAndBucketsMerged() throws Exception {
        hang("all-hang", ClusterBroker.BOOKIES);
    }

    private void hang(String name, int bookies) throws Exception {
        try (Scene scene = fixture.scene(name)) {
            // A broker that cannot store ends the producer's connection; and what it has refused is sent again.
            scene.producingApart(publishing);
            scene.producing(settings -> settings.sendTimeout(0, TimeUnit.SECONDS));
            scene.receive(Shared);
            List<Sent> sent = new ArrayList<>();
            Await.until(PATIENCE_MILLIS, () -> "merges", () -> {
                sent.addAll(send(scene, SEAL, SOON_MILLIS));
                return scene.pluginStat("bucket_merges_total") >= 1;
            });
            sent.addAll(silence(scene, bookies));
            scene.awaitAcked(sent);
            HandOutAccount account = HandOutAccount.of(scene, sent);
            System.out.println("HAND-OUTS " + scene.topic() + ": " + account);
            account.mustShowOneHandOutForEachTracking(0);
            account.mustHaveComeAtMost(2, scene.arrivals(), sent);
            scene.arrivals().mustBeInTime(sent, scene.earlyWindowMillis(), Long.MAX_VALUE);
            scene.awaitEmptyBut(Scene.SUB, () -> scene.arrivals().repeats(sent));
            assertEquals(0, scene.pluginStat("bucket_lost_buckets_total"), "buckets given up");
            mustBeAsBefore(scene);
            scene.close();
            scene.admin().topics().deleteSubscription(scene.topic(), Scene.SUB);
            ledgers.awaitNoSnapshotOf(scene.topic(), PATIENCE_MILLIS);
        }
    }

    /**
     * Stops the bookies amid bursts in which tails are sealed and buckets merged, and lets them go on after a while in which
     * nothing is sealed or merged; after it, within the longest wait between two tries, all that waited is. Answers with what
     * was sent.
     */
    private List<Sent> silence(Scene scene, int bookies) throws Exception {
        List<CompletableFuture<List<Sent>>> bursts = new ArrayList<>();
        double merges;
        try {
            Await.until(3 * PATIENCE_MILLIS, () -> "a seal and a merge under way as the bookies stop, after " + bursts.size()
                    + " bursts", () -> stoppedAmidSealAndMerge(scene, bookies, bursts));
            sleep(LAST_ANSWERS_MILLIS);
            double seals = scene.pluginStat("bucket_seals_total");
            merges = scene.pluginStat("bucket_merges_total");
            sleep(HANG_MILLIS);
            assertEquals(seals, scene.pluginStat("bucket_seals_total"), "seals while " + bookies + " bookies did nothing");
            assertEquals(merges, scene.pluginStat("bucket_merges_total"), "merges while " + bookies + " bookies did nothing");
        } finally {
            goOn();
        }
        long healedMillis = System.currentTimeMillis();
        List<Double> figures = new ArrayList<>();
        Await.until(BACK_OFF_MILLIS, () -> "no frozen tail, and more than " + merges + " merges: " + figures, () -> {
            figures.clear();
            figures.addAll(List.of(scene.pluginStat("bucket_frozen_tails"), scene.pluginStat("bucket_merges_total")));
            return figures.get(0) == 0 && figures.get(1) > merges;
        });
        System.out.println("QUORUM " + bookies + " bookies stopped in burst " + bursts.size() + ", went on "
                + (System.currentTimeMillis() - healedMillis) + " ms before all that waited was sealed");
        List<Sent> sent = new ArrayList<>();
        for (CompletableFuture<List<Sent>> burst : bursts) {
            sent.addAll(burst.join());
        }
        return sent;
    }

    /** Stops the bookies in a new burst, and lets them go on where they were between two ledgers. */
    private boolean stoppedAmidSealAndMerge(Scene scene, int bookies, List<CompletableFuture<List<Sent>>> bursts)
            throws Exception {
        double merges = scene.pluginStat("bucket_merges_total");
        bursts.add(CompletableFuture.supplyAsync(() -> {
            try {
                return send(scene, BURST, LATER_MILLIS);
            } catch (PulsarClientException e) {
                throw new IllegalStateException("the burst could not be sent", e);
            }
        }));
        Await.until(PATIENCE_MILLIS, () -> "merges in the burst", () -> scene.pluginStat("bucket_merges_total") > merges);
        stopped = IntStream.range(0, bookies).mapToObj(cluster::bookie).toList();
        stopped.parallelStream().forEach(ClusterNode::pause);
        sleep(LAST_ANSWERS_MILLIS / 4);
        if (scene.pluginStat("bucket_frozen_tails") > 0 && ledgers.beingWritten(scene.topic()) > 1) {
            return true;
        }
        goOn();
        return false;
    }

    private void goOn() {
        stopped.parallelStream().forEach(ClusterNode::goOn);
        stopped = List.of();
    }

    private static void sleep(long millis) throws Exception {
        long untilMillis = System.currentTimeMillis() + millis;
        Await.until(2 * millis, () -> millis + " ms", () -> System.currentTimeMillis() > untilMillis);
    }

    /** Messages come in time and seals are made as if nothing had been. */
    private void mustBeAsBefore(Scene scene) throws Exception {
        double sealed = scene.pluginStat("bucket_seals_total");
        List<Sent> after = send(scene, 2 * SEAL, SOON_MILLIS);
        scene.awaitAcked(after);
        scene.arrivals().mustBeTimes(after, 1);
        scene.mustBeInTime(Scene.SUB, after);
        assertTrue(scene.pluginStat("bucket_seals_total") > sealed, "a seal after it");
    }

    /** Delayed messages, due after the given time, and plain ones among them. */
    private List<Sent> send(Scene scene, int count, int leastMillis) throws PulsarClientException {
        return scene.send(count, i -> i % 10 == 0 ? 0 : leastMillis + random.nextInt(SPREAD_MILLIS));
    }
}
