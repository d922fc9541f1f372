/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.Await;
import io.github.delayedtracker.it.cluster.ClusterNetwork.Side;
import io.github.delayedtracker.it.cluster.Insistence.Command;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdmin;

/**
 * Does the faults of a plan to a cluster and its consumers, and takes back what does not end by itself. A command that is refused
 * is tried again for a minute. What is taken back is insisted on for longer: a run with a fault that stays proves nothing.
 */
final class Striker {

    private static final String NAMESPACE = "public/default";
    /** What a bundle on the move refuses, or a broker that has just started, is done soon after. */
    private static final long INSIST_MILLIS = 60_000;
    private static final long TAKE_BACK_MILLIS = 180_000;
    /** Within this time every broker knows of the bundles that another has made. */
    private static final long SPLIT_MILLIS = 5_000;

    private final ProcessCluster cluster;
    private final List<FireConsumer> consumers;
    private final List<String> topics;
    private final PulsarAdmin admin;
    private final ClusterHealth health;
    private final Insistence insistence = Insistence.ofMillis(INSIST_MILLIS);
    private final Insistence takeBack = Insistence.ofMillis(TAKE_BACK_MILLIS);

    /** Strikes with an admin client that waits for no answer without end. */
    Striker(ProcessCluster cluster, List<FireConsumer> consumers, List<String> topics, PulsarAdmin admin, ClusterHealth health) {
        this.cluster = cluster;
        this.consumers = consumers;
        this.topics = topics;
        this.admin = admin;
        this.health = health;
    }

    /** What ends a server. */
    private interface End {

        void of(ClusterProcess server) throws Exception;
    }

    /**
     * Does a fault, and returns when its time is over and it is taken back.
     *
     * @return nothing, or why it was refused; then it is not there
     * @throws Exception if it cannot be taken back
     */
    Optional<String> strike(FaultPlan.Step step, int target) throws Exception {
        long forMillis = step.forMillis();
        return switch (step.kind()) {
            case KILL_BROKER -> ended(cluster.brokers().get(target), ClusterProcess::kill, forMillis);
            case STOP_BROKER -> ended(cluster.brokers().get(target), ClusterProcess::stop, forMillis);
            case KILL_BOOKIE -> ended(cluster.bookies().get(target), ClusterProcess::kill, forMillis);
            case STOP_BOOKIE -> ended(cluster.bookies().get(target), ClusterProcess::stop, forMillis);
            case RESTART_METADATA -> ended(cluster.metadata(), ClusterProcess::stop, forMillis);
            case FREEZE_BROKER -> frozen(cluster.brokers().get(target), forMillis);
            case FREEZE_BOOKIE -> frozen(cluster.bookies().get(target), forMillis);
            case CUT_STORAGE -> cut(cluster.brokers().get(target), Side.STORE, forMillis);
            case CUT_CLIENTS -> cut(cluster.brokers().get(target), Side.FRONT, forMillis);
            case CUT_BOOKIE -> cut(cluster.bookies().get(target), Side.STORE, forMillis);
            case FULL_DISK -> filled(cluster.smallDisk().orElseThrow(), forMillis);
            case STEP_CLOCK -> stepped(cluster.clock().orElseThrow(), target, forMillis);
            case UNLOAD_TOPIC -> insistence.refusal(() -> admin.topics().unload(topics.get(target % topics.size())));
            case SPLIT_BUNDLE -> insistence.refusal(this::split);
            case KILL_CONSUMER -> killed(consumers.get(target % consumers.size()), forMillis);
            case STALL_CONSUMER -> stalled(consumers.get(target % consumers.size()), forMillis);
        };
    }

    /** A broker that has nothing to split says that it has done so. */
    private void split() throws Exception {
        int before = bundles();
        admin.namespaces().splitNamespaceBundle(NAMESPACE, "LARGEST", true, null);
        if (!Await.within(SPLIT_MILLIS, () -> bundles() > before)) {
            throw new IllegalStateException("no bundle was split: " + NAMESPACE + " has " + before + " as before");
        }
    }

    private int bundles() throws Exception {
        return admin.namespaces().getBundles(NAMESPACE).getNumBundles();
    }

    private Optional<String> ended(ClusterProcess server, End end, long forMillis) throws Exception {
        Optional<String> refusal = insistence.refusal(() -> end.of(running(server)));
        if (refusal.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(forMillis);
        }
        cluster.awaitServing(server);
        return refusal;
    }

    /** One that has ended by itself after the last look at it is started first. */
    private ClusterProcess running(ClusterProcess server) throws Exception {
        if (!server.isAlive()) {
            cluster.awaitServing(server);
        }
        return server;
    }

    /** One that has lost its session meanwhile may end itself: then it is started again. */
    private Optional<String> frozen(ClusterProcess server, long forMillis) throws Exception {
        return awaitAfterStill(server, forAWhile("to thaw " + server.name(), () -> running(server).freeze(),
                server::thaw, forMillis));
    }

    private Optional<String> cut(ClusterProcess server, Side side, long forMillis) throws Exception {
        ClusterNetwork network = cluster.network();
        return awaitAfterStill(server, forAWhile("to mend a link of " + server.name(),
                () -> network.cut(server.name(), side), () -> network.mend(server.name(), side), forMillis));
    }

    private Optional<String> filled(SmallDisk disk, long forMillis) throws Exception {
        return awaitAfterStill(cluster.bookies().get(0), forAWhile("to empty the disk", disk::fill, disk::empty, forMillis));
    }

    private Optional<String> stepped(SteppedClock clock, int target, long forMillis) throws Exception {
        return forAWhile("to set the clock right", () -> clock.step(target), clock::stepBack, forMillis);
    }

    private Optional<String> stalled(FireConsumer consumer, long forMillis) throws Exception {
        return forAWhile("to let a consumer go on", consumer::stall, consumer::goOn, forMillis);
    }

    private Optional<String> killed(FireConsumer consumer, long forMillis) throws Exception {
        consumer.die();
        TimeUnit.MILLISECONDS.sleep(forMillis);
        takeBack.done("to start a consumer", () -> {
            health.await();
            consumer.start();
        });
        return Optional.empty();
    }

    /** What has begun in part only is taken back like all of it. */
    private Optional<String> forAWhile(String name, Command begin, Command end, long forMillis) throws Exception {
        Optional<String> refusal;
        try {
            refusal = insistence.refusal(begin);
            if (refusal.isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(forMillis);
            }
        } finally {
            takeBack.done(name, end);
        }
        return refusal;
    }

    private Optional<String> awaitAfterStill(ClusterProcess server, Optional<String> refusal) throws Exception {
        TimeUnit.MILLISECONDS.sleep(FaultPlan.AFTER_THAW_MILLIS);
        cluster.awaitServing(server);
        return refusal;
    }
}
