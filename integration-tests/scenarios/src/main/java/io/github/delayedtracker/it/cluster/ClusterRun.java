/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.Await;
import io.github.delayedtracker.it.DistributionBroker;
import io.github.delayedtracker.it.Harness;
import io.github.delayedtracker.it.LedgersOfACluster;
import io.github.delayedtracker.it.cluster.RunEvent.Kind;
import io.github.delayedtracker.it.cluster.RunEvent.Left;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.common.policies.data.SubscriptionStats;

/**
 * A cluster under fire, as a program: starts the cluster, sends and consumes delayed messages, strikes it by a plan of faults,
 * waits until all is delivered, and writes the verdict beside the events. With the folder of events as an argument it only judges
 * them once more. Where the machine lets it, it starts itself again in namespaces of its own, for faults of networks and disks.
 *
 * <p>Properties: {@code fire.seed}, {@code fire.faults}, {@code fire.kinds} (names of faults with commas between, all unless it
 * is given), {@code fire.tracker} (a backend, {@code stock-memory} or {@code stock-bucket}), {@code fire.strict} (by the seed
 * unless it is given), {@code fire.rate} messages a second, {@code fire.delaySeconds}, {@code fire.seconds} of sending at least,
 * {@code fire.hideOneIn}, {@code fire.out}. It ends with 1 if a promise was broken.
 */
public final class ClusterRun {

    private static final String SUBSCRIPTION = "fire";
    private static final int TOPICS = 4;
    private static final int CONSUMERS = 3;
    /** How long an answer of the cluster's admin pages is waited for, the broker's own tries included. */
    private static final int ANSWER_SECONDS = 60;
    /** How long what has to be done before or after the faults is tried. */
    private static final long INSIST_MILLIS = 180_000;
    private static final long DRAIN_MILLIS = 180_000;
    private static final long UNACKNOWLEDGED_MILLIS = 10_000;
    /** Sweeps are a minute apart, what they take has to be a minute old, and to be found twice. */
    private static final long LEDGERS_MILLIS = 360_000;

    private final RunPlan plan;
    private final ProcessCluster cluster;
    private final List<String> topics =
            IntStream.range(0, TOPICS).mapToObj(i -> "persistent://public/default/fire-" + i).toList();
    private final List<FireConsumer> consumers = new ArrayList<>();
    private final Insistence insistence = Insistence.ofMillis(INSIST_MILLIS);

    private ClusterRun(RunPlan plan, ProcessCluster cluster) {
        this.plan = plan;
        this.cluster = cluster;
    }

    /** Runs it. */
    public static void main(String[] args) throws Exception {
        Verdict verdict;
        if (args.length > 0) {
            verdict = Judge.of(RunFile.all(Path.of(args[0])));
            System.out.println(verdict.text());
        } else if (!OwnNamespaces.areHere() && OwnNamespaces.arePossible()) {
            if (SteppedClock.library().isEmpty()) {
                System.out.println("no clock is stepped in this run, as there is no libfaketime");
            }
            System.exit(OwnNamespaces.run(ClusterRun.class));
            return;
        } else {
            verdict = run(RunPlan.ofProperties());
        }
        System.exit(verdict.holds() ? 0 : 1);
    }

    private static Verdict run(RunPlan plan) throws Exception {
        Instant from = Instant.now();
        Path folder = Path.of(System.getProperty("fire.out", Harness.target().resolve("fire").toString()))
                .resolve(plan.tracker() + "-" + plan.faults().seed() + "-" + from.getEpochSecond());
        System.out.println("fire: " + plan + ", in " + folder);
        Path home = DistributionBroker.home();
        if (plan.isPlugin()) {
            Path jar = Harness.pluginJar();
            Files.copy(jar, home.resolve("lib").resolve(jar.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
        String failure = "";
        try (ProcessCluster cluster = new ProcessCluster(home, folder, Harness.ownJavaHome(), plan.brokerLines())) {
            cluster.start();
            System.out.println("the cluster serves after " + (Instant.now().getEpochSecond() - from.getEpochSecond()) + " s");
            new ClusterRun(plan, cluster).fire(folder.resolve(RunFolder.EVENTS));
        } catch (Exception | AssertionError e) {
            // What has happened until then is judged all the same: as a run that has not ended.
            e.printStackTrace(System.out);
            failure = "it was not gone through: " + e + "\n";
        }
        Verdict verdict = Judge.of(RunFile.all(folder.resolve(RunFolder.EVENTS)));
        String text = plan + "\nfrom " + from + " to " + Instant.now() + "\n" + failure + verdict.text();
        Files.writeString(folder.resolve(RunFolder.VERDICT), text);
        System.out.println(text);
        if (verdict.holds()) {
            RunFolder.keepEvents(folder);
        }
        return verdict;
    }

    private void fire(Path events) throws Exception {
        try (PulsarAdmin admin = PulsarAdmin.builder().serviceHttpUrl(cluster.adminUrl())
                        .readTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).requestTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).build();
                PulsarClient client = PulsarClient.builder().serviceUrl(cluster.serviceUrl())
                        .operationTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).build();
                RunFile sends = new RunFile(events, "producers"); RunFile receives = new RunFile(events, "consumers");
                RunFile struck = new RunFile(events, "faults"); RunFile seen = new RunFile(events, "cluster");
                TrackerWatch watch = new TrackerWatch(cluster.metrics(), seen)) {
            plan.note(struck);
            ClusterHealth health = new ClusterHealth(cluster, topics, admin, struck);
            for (String topic : topics) {
                insistence.done("to create " + topic, () -> create(admin, topic));
            }
            for (int i = 0; i < CONSUMERS; i++) {
                consumers.add(new FireConsumer("consumer-" + i, cluster.serviceUrl(), SUBSCRIPTION, topics, receives,
                        plan.hideOneIn()));
                insistence.done("to start a consumer", consumers.get(i)::start);
            }
            long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(plan.seconds());
            try (FireProducers producers = new FireProducers(client, topics, sends,
                    TimeUnit.SECONDS.toMillis(plan.delaySeconds()), plan.faults().seed())) {
                producers.start(plan.rate());
                Striker striker = new Striker(cluster, consumers, topics, admin, health);
                ClusterUnderFire victim = new ClusterUnderFire(watch, striker, health, producers);
                new FaultDriver(victim, struck, TimeUnit.MILLISECONDS::sleep).run(plan.faults());
                TimeUnit.NANOSECONDS.sleep(endNanos - System.nanoTime());
            }
            health.await();
            drain(admin, struck);
            for (FireConsumer consumer : consumers) {
                consumer.close();
            }
            cleanUp(admin, struck);
            struck.add(Kind.ENDED, "", 0);
        }
    }

    /** A topic with its subscription; what a try before has made is there. */
    private static void create(PulsarAdmin admin, String topic) throws PulsarAdminException {
        try {
            admin.topics().createNonPartitionedTopic(topic);
        } catch (PulsarAdminException.ConflictException made) {
            System.out.println("is there already: " + topic);
        }
        try {
            admin.topics().createSubscription(topic, SUBSCRIPTION, MessageId.earliest);
        } catch (PulsarAdminException.ConflictException made) {
            System.out.println("has its subscription already: " + topic);
        }
    }

    /** Waits until all is delivered and acknowledged, not without end, and writes down what is left then. */
    private void drain(PulsarAdmin admin, RunFile file) throws Exception {
        Await.within(DRAIN_MILLIS + TimeUnit.SECONDS.toMillis(plan.delaySeconds()),
                () -> isNoneLeft(admin, Left.BACKLOG) && isNoneLeft(admin, Left.DELAYED));
        // What the broker has counted twice stays so.
        Await.within(UNACKNOWLEDGED_MILLIS, () -> isNoneLeft(admin, Left.UNACKNOWLEDGED));
        insistence.done("to look at what is left", () -> left(admin)
                .forEach((name, count) -> file.add(Kind.LEFT, name.name(), count)));
    }

    private boolean isNoneLeft(PulsarAdmin admin, Left name) {
        try {
            return left(admin).get(name) == 0;
        } catch (PulsarAdminException unknown) {
            return false;
        }
    }

    private Map<Left, Long> left(PulsarAdmin admin) throws PulsarAdminException {
        Map<Left, Long> counts = new EnumMap<>(Left.class);
        for (String topic : topics) {
            SubscriptionStats stats = admin.topics().getStats(topic, true, false, false).getSubscriptions().get(SUBSCRIPTION);
            counts.merge(Left.BACKLOG, stats.getMsgBacklog(), Long::sum);
            counts.merge(Left.UNACKNOWLEDGED, stats.getUnackedMessages(), Long::sum);
            counts.merge(Left.DELAYED, stats.getMsgDelayed(), Long::sum);
        }
        return counts;
    }

    private static void delete(PulsarAdmin admin, String topic) throws PulsarAdminException {
        try {
            admin.topics().deleteSubscription(topic, SUBSCRIPTION);
        } catch (PulsarAdminException.NotFoundException deleted) {
            System.out.println("has no subscription any more: " + topic);
        }
    }

    /** Deletes the subscriptions, and waits until no ledger of a tracker is left, not without end. */
    private void cleanUp(PulsarAdmin admin, RunFile file) throws Exception {
        for (String topic : topics) {
            insistence.done("to delete the subscription of " + topic, () -> delete(admin, topic));
        }
        LedgersOfACluster ledgers = new LedgersOfACluster(cluster.metadataUrl());
        AtomicReference<Set<Long>> left = new AtomicReference<>();
        try {
            insistence.done("to look for ledgers", () -> left.set(ledgers.ofTrackers()));
            System.out.println("ledgers of trackers when the subscriptions are gone: " + left.get());
            Await.within(LEDGERS_MILLIS, () -> {
                left.set(ledgers.ofTrackers());
                return left.get().isEmpty();
            });
            file.add(Kind.LEFT, Left.LEDGERS.name(), left.get().size());
            System.out.println("ledgers of trackers at the end: " + left.get());
        } finally {
            ledgers.close();
        }
    }
}
