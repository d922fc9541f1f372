/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.Await;
import io.github.delayedtracker.it.Net;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cluster of processes on the loopback address: one ZooKeeper, three bookies, three brokers with a load manager. Its settings
 * are the distribution's but for ports, folders, memory, time-outs, the size of ledgers and the tracker; entries are on two
 * bookies of three. Disks are not waited for: what a process has written outlives it, and no fault takes the machine away.
 */
final class ProcessCluster implements AutoCloseable {

    static final int BOOKIES = 3;
    static final int BROKERS = 3;
    static final String NAME = "fire";

    /** How long a session outlives its process: shorter than most of the times that a process is frozen. */
    static final long SESSION_MILLIS = 20_000;

    private static final long START_MILLIS = 600_000;

    private final Path home;
    private final Path folder;
    private final Map<String, String> environment;
    private final int metadataPort;
    private final int[] brokerPorts = new int[BROKERS];
    private final int[] webPorts = new int[BROKERS];
    private final ClusterProcess metadata;
    private final List<ClusterProcess> bookies = new ArrayList<>();
    private final List<ClusterProcess> brokers = new ArrayList<>();

    /**
     * A cluster that is not started yet.
     *
     * @param home the folder of the distribution, which has the plugin's jar where the tracker is the plugin's
     * @param folder of the run
     * @param trackerLines further lines of each broker
     */
    ProcessCluster(Path home, Path folder, Path java, Map<String, String> trackerLines) throws IOException {
        this.home = home;
        this.folder = folder;
        this.environment = Map.of("JAVA_HOME", java.toString(), "PULSAR_MEM", "-Xmx128m", "PULSAR_GC",
                "-XX:+UseSerialGC -XX:TieredStopAtLevel=1", "PULSAR_GC_LOG", "-Xlog:disable");
        int[] free = LastingPorts.free(1 + BOOKIES + 2 * BROKERS);
        metadataPort = free[0];
        metadata = new ClusterProcess("metadata", home, folder.resolve("metadata"),
                new ClusterProcess.Role("zookeeper", "zookeeper.conf", "PULSAR_ZK_CONF", "-Xmx256m"), metadataLines(),
                environment, () -> Net.takesConnections(metadataPort));
        for (int i = 0; i < BOOKIES; i++) {
            int port = free[1 + i];
            bookies.add(new ClusterProcess("bookie-" + i, home, folder.resolve("bookie-" + i),
                    new ClusterProcess.Role("bookie", "bookkeeper.conf", "PULSAR_BOOKKEEPER_CONF",
                            "-Xmx256m -XX:MaxDirectMemorySize=256m"), bookieLines(port, folder.resolve("bookie-" + i)),
                    environment, () -> Net.takesConnections(port)));
        }
        for (int i = 0; i < BROKERS; i++) {
            brokerPorts[i] = free[1 + BOOKIES + 2 * i];
            webPorts[i] = free[2 + BOOKIES + 2 * i];
            String url = url(webPorts[i]);
            Map<String, String> lines = brokerLines(brokerPorts[i], webPorts[i]);
            lines.putAll(trackerLines);
            brokers.add(new ClusterProcess("broker-" + i, home, folder.resolve("broker-" + i),
                    new ClusterProcess.Role("broker", "broker.conf", "PULSAR_BROKER_CONF",
                            "-Xmx512m -XX:MaxDirectMemorySize=512m"), lines, environment, () -> Net.serves(url)));
        }
    }

    private Map<String, String> metadataLines() {
        return Map.of("dataDir", folder.resolve("metadata/data").toString(), "clientPort", Integer.toString(metadataPort),
                "clientPortAddress", Net.LOOPBACK, "admin.enableServer", "false", "metricsProvider.className",
                "org.apache.zookeeper.metrics.impl.DefaultMetricsProvider", "maxClientCnxns", "0", "forceSync", "no");
    }

    private Map<String, String> bookieLines(int port, Path data) throws IOException {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("metadataServiceUri", "metadata-store:" + metadataUrl());
        lines.put("bookiePort", Integer.toString(port));
        lines.put("advertisedAddress", Net.LOOPBACK);
        lines.put("listeningInterface", Net.loopbackInterface());
        lines.put("allowLoopback", "true");
        lines.put("journalDirectory", data.resolve("journal").toString());
        lines.put("ledgerDirectories", data.resolve("ledgers").toString());
        lines.put("zkTimeout", Long.toString(SESSION_MILLIS));
        lines.put("journalSyncData", "false");
        lines.put("statsProviderClass", "org.apache.bookkeeper.stats.NullStatsProvider");
        lines.put("autoRecoveryDaemonEnabled", "false");
        lines.put("dbStorage_writeCacheMaxSizeMb", "32");
        lines.put("dbStorage_readAheadCacheMaxSizeMb", "16");
        lines.put("dbStorage_rocksDB_blockCacheSize", "8388608");
        lines.put("diskUsageThreshold", "0.99");
        lines.put("diskUsageWarnThreshold", "0.98");
        return lines;
    }

    private Map<String, String> brokerLines(int brokerPort, int webPort) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("metadataStoreUrl", metadataUrl());
        lines.put("configurationMetadataStoreUrl", metadataUrl());
        lines.put("clusterName", NAME);
        lines.put("bindAddress", Net.LOOPBACK);
        lines.put("advertisedAddress", Net.LOOPBACK);
        lines.put("brokerServicePort", Integer.toString(brokerPort));
        lines.put("webServicePort", Integer.toString(webPort));
        lines.put("metadataStoreSessionTimeoutMillis", Long.toString(SESSION_MILLIS));
        lines.put("brokerShutdownTimeoutMs", "20000");
        lines.put("bookkeeperClientTimeoutInSeconds", "15");
        lines.put("managedLedgerCacheSizeMB", "64");
        // Ledgers of a topic end and are deleted while it runs.
        lines.put("managedLedgerMaxEntriesPerLedger", "2000");
        lines.put("managedLedgerMinLedgerRolloverTimeMinutes", "0");
        lines.put("brokerDeleteInactiveTopicsEnabled", "false");
        // The load manager places bundles; what moves after that is moved by a fault that is written down.
        lines.put("loadBalancerSheddingEnabled", "false");
        lines.put("loadBalancerAutoBundleSplitEnabled", "false");
        return lines;
    }

    /** Where its metadata is. */
    String metadataUrl() {
        return "zk:" + Net.LOOPBACK + ":" + metadataPort;
    }

    /** Where clients connect: all brokers. */
    String serviceUrl() {
        return "pulsar://" + addresses(brokerPorts);
    }

    /** Where an admin client connects: all brokers. */
    String adminUrl() {
        return "http://" + addresses(webPorts);
    }

    private static String addresses(int[] ports) {
        return Arrays.stream(ports).mapToObj(port -> Net.LOOPBACK + ":" + port).collect(Collectors.joining(","));
    }

    ClusterProcess metadata() {
        return metadata;
    }

    /** All of them, in the order in which they may be ended. */
    List<ClusterProcess> servers() {
        return Stream.of(brokers, bookies, List.of(metadata)).flatMap(List::stream).toList();
    }

    List<ClusterProcess> bookies() {
        return bookies;
    }

    List<ClusterProcess> brokers() {
        return brokers;
    }

    /** Starts all for the first time, and returns when all serve. */
    void start() throws Exception {
        metadata.start();
        awaitServing(metadata);
        initialize();
        // The first one writes what all need; two at a time would quarrel about it.
        startTogether(bookies.subList(0, 1));
        startTogether(bookies.subList(1, BOOKIES));
        startTogether(brokers);
    }

    private void startTogether(List<ClusterProcess> servers) throws Exception {
        for (ClusterProcess server : servers) {
            server.start();
        }
        for (ClusterProcess server : servers) {
            awaitServing(server);
        }
    }

    /**
     * Waits until a server answers. One that ends itself is started again: a bookie that comes up while the registration of its
     * former life is there does so, and a broker whose ports are not free yet.
     */
    void awaitServing(ClusterProcess server) throws Exception {
        Await.until(START_MILLIS, () -> server.name() + " serves; its log ends:\n" + server.logTail(), () -> {
            if (!server.isAlive()) {
                server.start();
            }
            return server.serves();
        });
    }

    /** The metrics pages of the brokers. */
    List<BrokerMetrics> metrics() {
        return Arrays.stream(webPorts).mapToObj(port -> new BrokerMetrics(url(port))).toList();
    }

    private static String url(int webPort) {
        return "http://" + Net.LOOPBACK + ":" + webPort;
    }

    private void initialize() throws Exception {
        ProcessBuilder command = new ProcessBuilder(home.resolve("bin/pulsar").toString(), "initialize-cluster-metadata",
                "--cluster", NAME, "--metadata-store", metadataUrl(), "--configuration-metadata-store", metadataUrl(),
                "--web-service-url", adminUrl(), "--broker-service-url", serviceUrl());
        command.environment().putAll(environment);
        Process process = command.redirectErrorStream(true).redirectOutput(folder.resolve("initialize.log").toFile()).start();
        Children.endWithThisJvm(process);
        if (!process.waitFor(START_MILLIS, TimeUnit.MILLISECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException("the metadata of the cluster was not written: see "
                    + folder.resolve("initialize.log"));
        }
    }

    @Override
    public void close() throws InterruptedException {
        for (ClusterProcess server : servers()) {
            if (server.isAlive()) {
                server.kill();
            }
        }
    }
}
