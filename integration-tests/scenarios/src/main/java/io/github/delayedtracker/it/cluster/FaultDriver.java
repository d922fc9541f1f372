/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.Await;
import io.github.delayedtracker.it.cluster.ClusterNetwork.Side;
import io.github.delayedtracker.it.cluster.RunEvent.Kind;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminException;

/**
 * The driver of faults: does the steps of a plan one after the other, and writes down when each begins and when what it struck
 * serves again, every topic included. At most one fault at a time. A fault of a broker strikes the one that is seen in the moment
 * the plan asks for, or the one it names if there is none. Not thread safe.
 */
final class FaultDriver {

    private static final String NAMESPACE = "public/default";
    private static final long SERVE_MILLIS = 120_000;

    private final ProcessCluster cluster;
    private final List<FireConsumer> consumers;
    private final List<String> topics;
    private final PulsarAdmin admin;
    private final TrackerWatch watch;
    private final RunFile file;

    FaultDriver(ProcessCluster cluster, List<FireConsumer> consumers, List<String> topics, PulsarAdmin admin, TrackerWatch watch,
            RunFile file) {
        this.cluster = cluster;
        this.consumers = consumers;
        this.topics = topics;
        this.admin = admin;
        this.watch = watch;
        this.file = file;
    }

    void run(FaultPlan plan) throws Exception {
        int number = 0;
        for (FaultPlan.Step step : plan.steps()) {
            TimeUnit.MILLISECONDS.sleep(step.afterMillis());
            startWhatHasEnded();
            OptionalInt found = watch.await(step.moment());
            int target = step.kind().isOfABroker() ? found.orElse(step.target()) : step.target();
            number++;
            String name = number + "-" + step.kind() + "-" + target + "-" + step.moment()
                    + (found.isPresent() || step.moment() == Moment.ANY ? "" : "-missed");
            System.out.println("fault " + name + " for " + step.forMillis() + " ms");
            file.add(Kind.FAULT, name, step.kind().effect().code());
            strike(step, target);
            awaitTopics();
            file.add(Kind.HEALED, name, 0);
        }
    }

    /** A server may have ended itself after a fault was healed: that is told in the verdict, and it is started again. */
    private void startWhatHasEnded() throws Exception {
        for (ClusterProcess server : cluster.servers()) {
            if (!server.isAlive()) {
                System.out.println(server.name() + " has ended by itself; its log ends:\n" + server.logTail());
                file.add(Kind.SEEN, "servers-ended-by-themselves", 1);
                cluster.awaitServing(server);
            }
        }
    }

    private void awaitTopics() throws Exception {
        for (String topic : topics) {
            Await.until(SERVE_MILLIS, () -> topic + " is served", () -> admin.topics().getStats(topic) != null);
        }
    }

    private void strike(FaultPlan.Step step, int target) throws Exception {
        switch (step.kind()) {
            case KILL_BROKER -> killed(cluster.brokers().get(target), step.forMillis());
            case STOP_BROKER -> stopped(cluster.brokers().get(target), step.forMillis());
            case KILL_BOOKIE -> killed(cluster.bookies().get(target), step.forMillis());
            case STOP_BOOKIE -> stopped(cluster.bookies().get(target), step.forMillis());
            case FREEZE_BROKER -> frozen(cluster.brokers().get(target), step.forMillis());
            case FREEZE_BOOKIE -> frozen(cluster.bookies().get(target), step.forMillis());
            case CUT_STORAGE -> cut(cluster.brokers().get(target), Side.STORE, step.forMillis());
            case CUT_CLIENTS -> cut(cluster.brokers().get(target), Side.FRONT, step.forMillis());
            case CUT_BOOKIE -> cut(cluster.bookies().get(target), Side.STORE, step.forMillis());
            case FULL_DISK -> filled(cluster.smallDisk().orElseThrow(), step.forMillis());
            case STEP_CLOCK -> stepped(cluster.clock().orElseThrow(), target, step.forMillis());
            case RESTART_METADATA -> stopped(cluster.metadata(), step.forMillis());
            case UNLOAD_TOPIC -> administered(() -> admin.topics().unload(topics.get(target % topics.size())));
            case SPLIT_BUNDLE -> administered(() -> admin.namespaces().splitNamespaceBundle(NAMESPACE, "LARGEST", true, null));
            case KILL_CONSUMER -> killed(consumers.get(target % consumers.size()), step.forMillis());
            case STALL_CONSUMER -> stalled(consumers.get(target % consumers.size()), step.forMillis());
        }
    }

    private void killed(ClusterProcess server, long forMillis) throws Exception {
        server.kill();
        startedAgain(server, forMillis);
    }

    private static void killed(FireConsumer consumer, long forMillis) throws Exception {
        consumer.die();
        TimeUnit.MILLISECONDS.sleep(forMillis);
        consumer.start();
    }

    private static void stalled(FireConsumer consumer, long forMillis) throws Exception {
        consumer.stall();
        TimeUnit.MILLISECONDS.sleep(forMillis);
        consumer.goOn();
    }

    private void stopped(ClusterProcess server, long forMillis) throws Exception {
        server.stop();
        startedAgain(server, forMillis);
    }

    private void startedAgain(ClusterProcess server, long forMillis) throws Exception {
        TimeUnit.MILLISECONDS.sleep(forMillis);
        cluster.awaitServing(server);
    }

    /** One that has lost its session meanwhile may end itself: then it is started again. */
    private void frozen(ClusterProcess server, long forMillis) throws Exception {
        server.freeze();
        TimeUnit.MILLISECONDS.sleep(forMillis);
        server.thaw();
        awaitAfterStill(server);
    }

    private void cut(ClusterProcess server, Side side, long forMillis) throws Exception {
        cluster.network().cut(server.name(), side);
        TimeUnit.MILLISECONDS.sleep(forMillis);
        cluster.network().mend(server.name(), side);
        awaitAfterStill(server);
    }

    private void filled(SmallDisk disk, long forMillis) throws Exception {
        disk.fill();
        TimeUnit.MILLISECONDS.sleep(forMillis);
        disk.empty();
        awaitAfterStill(cluster.bookies().get(0));
    }

    private static void stepped(SteppedClock clock, int target, long forMillis) throws Exception {
        clock.step(target);
        TimeUnit.MILLISECONDS.sleep(forMillis);
        clock.stepBack();
    }

    private void awaitAfterStill(ClusterProcess server) throws Exception {
        TimeUnit.MILLISECONDS.sleep(FaultPlan.AFTER_THAW_MILLIS);
        cluster.awaitServing(server);
    }

    /** What an administrator asks for may be refused: by a bundle that is on the move, or one that has one topic. */
    private static void administered(Command command) {
        try {
            command.run();
        } catch (PulsarAdminException e) {
            System.out.println("  refused: " + e.getMessage());
        }
    }

    /** A command that the cluster may refuse. */
    private interface Command {

        void run() throws PulsarAdminException;
    }
}
