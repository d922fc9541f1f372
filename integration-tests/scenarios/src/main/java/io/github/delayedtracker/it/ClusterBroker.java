/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.testcontainers.containers.Network;

/**
 * A cluster of containers: ZooKeeper, three bookies, and one broker that writes each entry to two of them. What is stopped,
 * killed and started as a {@link Broker} is the broker; the bookies are given out by number.
 */
public final class ClusterBroker implements Broker {

    /** How many bookies there are. */
    public static final int BOOKIES = 3;

    private static final String METADATA = "metadata";
    private static final int BOOKIE_PORT = 3181;
    private static final long START_MILLIS = 120_000;
    private static final long MOST_SESSION_MILLIS = 120_000;

    private final String name;
    private final BrokerSettings settings;
    private final int brokerPort;
    private final int webPort;
    private final int metadataPort;
    private final List<ClusterNode> nodes = new ArrayList<>();
    private long bookieSessionMillis = 10_000;
    private Network network;
    private ClusterNode broker;

    /** A cluster that is not started yet. */
    public ClusterBroker(String name, BrokerSettings settings) throws IOException {
        int[] free = Net.freePorts(3);
        this.name = name;
        this.settings = settings.with("managedLedgerDefaultEnsembleSize", "2").with("managedLedgerDefaultWriteQuorum", "2")
                .with("managedLedgerDefaultAckQuorum", "2");
        this.brokerPort = free[0];
        this.webPort = free[1];
        this.metadataPort = free[2];
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public BrokerSettings settings() {
        return settings;
    }

    @Override
    public String serviceUrl() {
        return "pulsar://" + Net.LOOPBACK + ":" + brokerPort;
    }

    @Override
    public String adminUrl() {
        return "http://" + Net.LOOPBACK + ":" + webPort;
    }

    /** Where the metadata store answers. */
    public String metadataUrl() {
        return "zk:" + Net.LOOPBACK + ":" + metadataPort;
    }

    /** Lets bookies keep their registration so long while they do nothing; before the start. Two minutes at most. */
    public ClusterBroker withBookieSessions(long millis) {
        bookieSessionMillis = millis;
        return this;
    }

    /** A bookie, from 0. */
    public ClusterNode bookie(int number) {
        return nodes.get(1 + number);
    }

    @Override
    public void start() throws Exception {
        if (broker == null) {
            create();
        } else {
            broker.start();
        }
        Await.until(START_MILLIS, () -> "the broker of the cluster serves, log ends:\n" + broker.logTail(),
                () -> Net.serves(adminUrl()));
    }

    private void create() throws Exception {
        network = Network.newNetwork();
        String start = "(bin/pulsar zookeeper &) && bin/pulsar initialize-cluster-metadata --cluster standalone"
                + " --metadata-store " + inside() + " --configuration-metadata-store " + inside()
                + " --web-service-url " + adminUrl() + " --broker-service-url " + serviceUrl()
                + " && echo CLUSTER IS INITIALIZED && sleep infinity";
        ClusterNode metadata = new ClusterNode(network, METADATA, "-Xmx192m", "zookeeper.conf",
                Map.of("clientPort", Integer.toString(metadataPort), "admin.enableServer", "false", "maxSessionTimeout",
                        Long.toString(MOST_SESSION_MILLIS)), start,
                "CLUSTER IS INITIALIZED").publish(metadataPort);
        nodes.add(metadata);
        metadata.create();
        List<ClusterNode> bookies = new ArrayList<>();
        for (int i = 0; i < BOOKIES; i++) {
            String bookieName = "bookie-" + i;
            bookies.add(new ClusterNode(network, bookieName, "-Xmx192m -XX:MaxDirectMemorySize=256m", "bookkeeper.conf",
                    bookieLines(bookieName), "exec bin/pulsar bookie", "Started component bookie-server"));
        }
        nodes.addAll(bookies);
        // The first one writes what all need; two at a time would quarrel about it.
        bookies.get(0).create();
        ClusterNode.createAll(bookies.subList(1, BOOKIES));
        Map<String, String> lines = new LinkedHashMap<>(settings.toLines("0.0.0.0", brokerPort, webPort));
        lines.put("metadataStoreUrl", inside());
        lines.put("configurationMetadataStoreUrl", inside());
        broker = new ClusterNode(network, "broker", "-Xmx384m -XX:MaxDirectMemorySize=384m", "broker.conf", lines,
                "exec bin/pulsar broker", "messaging service is ready").withPlugin().publish(brokerPort, webPort);
        broker.create();
    }

    private String inside() {
        return "zk:" + METADATA + ":" + metadataPort;
    }

    private Map<String, String> bookieLines(String bookieName) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("metadataServiceUri", "metadata-store:" + inside());
        lines.put("bookiePort", Integer.toString(BOOKIE_PORT));
        lines.put("advertisedAddress", bookieName);
        lines.put("zkTimeout", Long.toString(bookieSessionMillis));
        lines.put("autoRecoveryDaemonEnabled", "false");
        lines.put("dbStorage_writeCacheMaxSizeMb", "16");
        lines.put("dbStorage_readAheadCacheMaxSizeMb", "8");
        lines.put("dbStorage_rocksDB_blockCacheSize", "8388608");
        lines.put("journalSyncData", "false");
        lines.put("journalMaxGroupWaitMSec", "1");
        lines.put("diskUsageThreshold", "0.99");
        lines.put("diskUsageWarnThreshold", "0.99");
        lines.put("gcWaitTime", "300000");
        return lines;
    }

    @Override
    public void stop() {
        broker.stop();
    }

    @Override
    public void kill() {
        broker.kill();
    }

    @Override
    public void close() throws IOException {
        BrokerFolder logs = new BrokerFolder(name);
        if (broker != null) {
            keep(broker, logs);
            broker.close();
        }
        for (ClusterNode node : nodes) {
            keep(node, logs);
            node.close();
        }
        if (network != null) {
            network.close();
        }
    }

    private static void keep(ClusterNode node, BrokerFolder logs) throws IOException {
        Files.writeString(logs.resolve(node.name() + ".log"), node.log());
    }
}
