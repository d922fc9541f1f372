/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.Await;
import io.github.delayedtracker.it.BrokerSettings;
import io.github.delayedtracker.it.ForkedBroker;
import io.github.delayedtracker.it.Harness;
import io.github.delayedtracker.it.LedgersOfACluster;
import io.github.delayedtracker.it.ZooKeeperProcess;
import io.github.delayedtracker.it.cluster.RunEvent.Effect;
import io.github.delayedtracker.it.cluster.RunEvent.Kind;
import io.github.delayedtracker.it.cluster.RunEvent.Left;
import io.github.delayedtracker.it.cluster.RunEvent.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.common.policies.data.SubscriptionStats;

/**
 * A broker under load for hours, as a program: a load that comes and goes in cycles, an unload of a topic each twenty seconds,
 * and a look each ten seconds at all that must not grow. A look that the broker does not answer is left out. At the end the
 * {@link Judge} of the cluster reads what was sent and received, and {@link SoakFigures} tells whether anything has grown.
 *
 * <p>Properties: {@code soak.minutes} of sending, {@code soak.backend}, {@code soak.rate} messages a second at the height of a
 * cycle, {@code soak.heap} of the broker, {@code soak.seed}, {@code soak.out}. It ends with 1 if a promise was broken,
 * something has grown, or more than one look in ten was left out.
 */
public final class SoakRun {

    private static final String SUBSCRIPTION = "soak";
    private static final int TOPICS = 4;
    private static final long CYCLE_MILLIS = TimeUnit.MINUTES.toMillis(10);
    /** Between two cycles a tenth of the height. */
    private static final double LEAST_SHARE = 0.1;
    private static final long LONGEST_DELAY_MILLIS = TimeUnit.MINUTES.toMillis(4);
    private static final long UNLOAD_MILLIS = 20_000;
    private static final int LOOKS_AN_UNLOAD = 2;
    private static final long LOOK_MILLIS = UNLOAD_MILLIS / LOOKS_AN_UNLOAD;
    /** The run tells nothing if more than one look in so many was missed. */
    private static final int MOST_MISSED = 10;
    /** The broker collects its garbage and looks at all ledgers once in so many looks. */
    private static final int LOOKS_A_CLOSE_LOOK = 6;
    private static final long TICK_MILLIS = 1_000;
    private static final long FLUSH_MILLIS = 7_000;
    private static final long SETTLE_MILLIS = 10_000;
    private static final long DOUBLE_MILLIS = 1_000;
    private static final long DRAIN_MILLIS = LONGEST_DELAY_MILLIS + 120_000;
    private static final long LEDGERS_MILLIS = 300_000;

    private final List<String> topics =
            IntStream.range(0, TOPICS).mapToObj(i -> "persistent://public/default/soak-" + i).toList();
    private final long minutes;
    private final int rate;
    private final long seed;
    private final ForkedBroker broker;
    private final LedgersOfACluster ledgers;
    private final SoakFigures figures = new SoakFigures(CYCLE_MILLIS);
    private int missedLooks;

    private SoakRun(long minutes, int rate, long seed, ForkedBroker broker, LedgersOfACluster ledgers) {
        this.minutes = minutes;
        this.rate = rate;
        this.seed = seed;
        this.broker = broker;
        this.ledgers = ledgers;
    }

    /** Runs it. */
    public static void main(String[] args) throws Exception {
        long minutes = Long.getLong("soak.minutes", 100);
        String backend = System.getProperty("soak.backend", "bucket");
        String heap = System.getProperty("soak.heap", "512m");
        long seed = Long.getLong("soak.seed", 1);
        Path folder = Path.of(System.getProperty("soak.out", Harness.target().resolve("soak").toString()))
                .resolve(backend + "-" + Instant.now().getEpochSecond());
        Path events = folder.resolve(RunFolder.EVENTS);
        System.out.println("soak: " + backend + ", " + minutes + " minutes, heap " + heap + ", seed " + seed + ", in " + folder);
        BrokerSettings settings = BrokerSettings.of(backend, false, TICK_MILLIS).withDefaultLimits()
                .with("delayedDeliveryIndexSweepIntervalMinutes", "1").with("delayedDeliveryIndexSweepMinAgeMinutes", "1");
        boolean isFlat = false;
        try (ZooKeeperProcess zookeeper = ZooKeeperProcess.start("4.0", "soak-zookeeper");
                LedgersOfACluster ledgers = new LedgersOfACluster(zookeeper.url())) {
            ForkedBroker broker = ForkedBroker.of("soak-" + backend, settings).withMetadataAt(zookeeper.url()).withHeap(heap);
            try {
                broker.start();
                SoakRun run = new SoakRun(minutes, Integer.getInteger("soak.rate", 400), seed, broker, ledgers);
                run.soak(events);
                Files.writeString(folder.resolve("figures.csv"), run.figures.csv());
                System.out.println(run.figures.text() + run.missedLooks + " looks were missed");
                isFlat = run.figures.grown().isEmpty() && run.missedLooks <= run.looks() / MOST_MISSED;
            } finally {
                broker.close();
            }
        }
        Verdict verdict = Judge.of(RunFile.all(events));
        Files.writeString(folder.resolve(RunFolder.VERDICT), verdict.text());
        System.out.println(verdict.text());
        System.exit(verdict.holds() && isFlat ? 0 : 1);
    }

    private void soak(Path events) throws Exception {
        try (PulsarAdmin admin = PulsarAdmin.builder().serviceHttpUrl(broker.adminUrl()).build();
                PulsarClient client = PulsarClient.builder().serviceUrl(broker.serviceUrl()).build();
                RunFile sends = new RunFile(events, "producers"); RunFile receives = new RunFile(events, "consumers");
                RunFile struck = new RunFile(events, "unloads")) {
            note(struck);
            for (String topic : topics) {
                admin.topics().createNonPartitionedTopic(topic);
                admin.topics().createSubscription(topic, SUBSCRIPTION, MessageId.earliest);
            }
            List<FireConsumer> consumers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                consumers.add(new FireConsumer("consumer-" + i, broker.serviceUrl(), SUBSCRIPTION, topics, receives, 0));
                consumers.get(i).start();
            }
            try (FireProducers producers = new FireProducers(client, topics, sends, LONGEST_DELAY_MILLIS, seed)) {
                long beganNanos = System.nanoTime();
                producers.start(() -> rateAt(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos)));
                load(admin, struck, beganNanos);
            }
            drain(admin, struck);
            for (FireConsumer consumer : consumers) {
                consumer.close();
            }
            cleanUp(admin, struck);
            struck.add(Kind.ENDED, "", 0);
        }
    }

    private void note(RunFile file) {
        file.add(Kind.SETTING, Setting.EARLY_MILLIS.name(), TICK_MILLIS);
        file.add(Kind.SETTING, Setting.SETTLE_MILLIS.name(), SETTLE_MILLIS);
        file.add(Kind.SETTING, Setting.DOUBLE_MILLIS.name(), DOUBLE_MILLIS);
        file.add(Kind.SETTING, Setting.STEP_MILLIS.name(), 0);
        file.add(Kind.SETTING, Setting.FLUSH_MILLIS.name(), FLUSH_MILLIS);
        file.add(Kind.LEAST, "faults", minutes * 2);
        long planned = LongStream.range(0, TimeUnit.MINUTES.toSeconds(minutes)).map(second -> rateAt(second * 1_000)).sum();
        file.add(Kind.LEAST, "sent", planned / 10 * 9);
    }

    /** Messages a second at a time from the beginning: from a tenth of the height to the height and back. */
    private int rateAt(long millis) {
        double ofHeight = (1 - Math.cos(2 * Math.PI * millis / CYCLE_MILLIS)) / 2;
        return (int) Math.round(rate * (LEAST_SHARE + (1 - LEAST_SHARE) * ofHeight));
    }

    private long looks() {
        return TimeUnit.MINUTES.toMillis(minutes) / LOOK_MILLIS;
    }

    private void load(PulsarAdmin admin, RunFile struck, long beganNanos) throws Exception {
        for (long look = 1; look <= looks(); look++) {
            TimeUnit.NANOSECONDS.sleep(beganNanos + TimeUnit.MILLISECONDS.toNanos(look * LOOK_MILLIS) - System.nanoTime());
            try {
                look(admin, look * LOOK_MILLIS, look % LOOKS_A_CLOSE_LOOK == 0);
            } catch (PulsarAdminException unseen) {
                System.out.println("was not looked at: " + unseen);
                missedLooks++;
            }
            if (look % LOOKS_AN_UNLOAD == 0) {
                unload(admin, struck, look / LOOKS_AN_UNLOAD);
            }
        }
    }

    private void look(PulsarAdmin admin, long millis, boolean isClose) throws Exception {
        long delayed = 0;
        for (String topic : topics) {
            delayed += subscription(admin, topic).getMsgDelayed();
        }
        figures.look(millis, rateAt(millis), delayed, broker.pid());
        if (isClose) {
            figures.closeLook(broker.liveBytes().values().stream().mapToLong(Long::longValue).sum(), ledgers.ofTrackers().size());
        }
    }

    private void unload(PulsarAdmin admin, RunFile struck, long number) {
        String name = number + "-UNLOAD_TOPIC-" + number % TOPICS;
        struck.add(Kind.FAULT, name, Effect.FORGETS.code());
        try {
            admin.topics().unload(topics.get((int) (number % TOPICS)));
            struck.add(Kind.HEALED, name, 0);
        } catch (PulsarAdminException refused) {
            System.out.println("was not unloaded: " + refused);
            struck.add(Kind.REFUSED, name, 0);
        }
    }

    private static SubscriptionStats subscription(PulsarAdmin admin, String topic) throws PulsarAdminException {
        return admin.topics().getStats(topic, true, false, false).getSubscriptions().get(SUBSCRIPTION);
    }

    /** Waits until all is delivered and acknowledged, not without end, and writes down what is left then. */
    private void drain(PulsarAdmin admin, RunFile file) throws Exception {
        Await.within(DRAIN_MILLIS, () -> left(admin, Left.BACKLOG) + left(admin, Left.DELAYED)
                + left(admin, Left.UNACKNOWLEDGED) == 0);
        for (Left name : List.of(Left.BACKLOG, Left.DELAYED, Left.UNACKNOWLEDGED)) {
            file.add(Kind.LEFT, name.name(), left(admin, name));
        }
    }

    private long left(PulsarAdmin admin, Left name) throws PulsarAdminException {
        long sum = 0;
        for (String topic : topics) {
            SubscriptionStats stats = subscription(admin, topic);
            sum += name == Left.BACKLOG ? stats.getMsgBacklog() : name == Left.DELAYED ? stats.getMsgDelayed()
                    : stats.getUnackedMessages();
        }
        return sum;
    }

    /** Deletes the subscriptions, and waits until no ledger of a tracker is left, not without end. */
    private void cleanUp(PulsarAdmin admin, RunFile file) throws Exception {
        for (String topic : topics) {
            admin.topics().deleteSubscription(topic, SUBSCRIPTION);
        }
        Await.within(LEDGERS_MILLIS, () -> ledgers.ofTrackers().isEmpty());
        file.add(Kind.LEFT, Left.LEDGERS.name(), ledgers.ofTrackers().size());
    }
}
