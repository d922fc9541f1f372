/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.Await;
import io.github.delayedtracker.it.Net;
import io.github.delayedtracker.it.cluster.ClusterNetwork.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A cluster of processes: one ZooKeeper, three bookies, three brokers with a load manager. Its settings are the distribution's
 * but for ports, folders, memory, time-outs, the size of ledgers and the tracker; entries are on two bookies of three. Disks
 * are not waited for: what a process has written outlives it, and no fault takes the machine away. In {@link OwnNamespaces} each
 * has links that can be cut, the first bookie a small disk and the first broker a clock of its own; else all are on the loopback
 * address.
 */
final class ProcessCluster implements AutoCloseable {

    static final int BOOKIES = 3;
    static final int BROKERS = 3;
    static final String NAME = "fire";

    /** How long a session outlives its process: shorter than most of the times that a process is frozen. */
    static final long SESSION_MILLIS = 20_000;

    private static final long START_MILLIS = 600_000;
    /** How long a server may run and not serve before it is ended, at first; twice as long each time. */
    private static final long PATIENCE_MILLIS = 90_000;
    private static final String METADATA = "metadata";
    private static final int SMALL_DISK_MEGABYTES = 1_024;

    private final Path home;
    private final Path folder;
    private final ClusterNetwork network;
    private final Map<String, String> environment;
    private final int metadataPort;
    private final int[] brokerPorts = new int[BROKERS];
    private final int[] webPorts = new int[BROKERS];
    private final ClusterProcess metadata;
    private final List<ClusterProcess> bookies = new ArrayList<>();
    private final List<ClusterProcess> brokers = new ArrayList<>();
    private final Map<ClusterProcess, ServerCare> care = new HashMap<>();
    private final StoredRegistrations registrations;
    private final Optional<SmallDisk> smallDisk;
    private final Optional<SteppedClock> clock;

    /**
     * A cluster that is not started yet.
     *
     * @param home the folder of the distribution, which has the plugin's jar where the tracker is the plugin's
     * @param folder of the run
     * @param trackerLines further lines of each broker
     */
    ProcessCluster(Path home, Path folder, Path java, Map<String, String> trackerLines) throws IOException, InterruptedException {
        this.home = home;
        this.folder = folder;
        network = OwnNamespaces.areHere() ? new NamespaceNetwork(storeNames(), brokerNames()) : new LoopbackNetwork();
        smallDisk = OwnNamespaces.areHere()
                ? Optional.of(new SmallDisk(diskOf(bookieName(0)), SMALL_DISK_MEGABYTES)) : Optional.empty();
        clock = steppedClock();
        this.environment = Map.of("JAVA_HOME", java.toString(), "PULSAR_MEM", "-Xmx128m", "PULSAR_GC",
                "-XX:+UseSerialGC -XX:TieredStopAtLevel=1", "PULSAR_GC_LOG", "-Xlog:disable");
        int[] free = LastingPorts.free(1 + BOOKIES + 2 * BROKERS);
        metadataPort = free[0];
        registrations = new StoredRegistrations(metadataUrl());
        metadata = new ClusterProcess(METADATA, home, folder.resolve(METADATA), network.before(METADATA),
                new ClusterProcess.Role("zookeeper", "zookeeper.conf", "PULSAR_ZK_CONF", "-Xmx256m"), metadataLines(),
                environment, started -> Net.takesConnections(network.address(METADATA, Side.STORE), metadataPort));
        for (int i = 0; i < BOOKIES; i++) {
            int port = free[1 + i];
            String name = bookieName(i);
            bookies.add(new ClusterProcess(name, home, folder.resolve(name), network.before(name),
                    new ClusterProcess.Role("bookie", "bookkeeper.conf", "PULSAR_BOOKKEEPER_CONF",
                            "-Xmx256m -XX:MaxDirectMemorySize=256m"), bookieLines(name, port),
                    environment, new BookieProbe(network.address(name, Side.STORE), port, registrations)));
        }
        for (int i = 0; i < BROKERS; i++) {
            brokerPorts[i] = free[1 + BOOKIES + 2 * i];
            webPorts[i] = free[2 + BOOKIES + 2 * i];
            String name = brokerName(i);
            String url = url(i);
            Map<String, String> lines = brokerLines(name, brokerPorts[i], webPorts[i]);
            lines.putAll(trackerLines);
            brokers.add(new ClusterProcess(name, home, folder.resolve(name), network.before(name),
                    new ClusterProcess.Role("broker", "broker.conf", "PULSAR_BROKER_CONF",
                            "-Xmx512m -XX:MaxDirectMemorySize=512m"), lines, brokerEnvironment(i), started -> Net.serves(url)));
        }
        servers().forEach(server -> care.put(server, new ServerCare(PATIENCE_MILLIS)));
    }

    /** What the library of a clock leaves in shared memory when its process is killed goes with the namespaces. */
    private Optional<SteppedClock> steppedClock() throws IOException, InterruptedException {
        Optional<Path> library = OwnNamespaces.areHere() ? SteppedClock.library() : Optional.empty();
        if (library.isEmpty()) {
            return Optional.empty();
        }
        Shell.run("mount", "-t", "tmpfs", "tmpfs", "/dev/shm");
        return Optional.of(new SteppedClock(library.get(), folder));
    }

    private Map<String, String> brokerEnvironment(int number) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        if (number == 0) {
            clock.ifPresent(stepped -> all.putAll(stepped.environment()));
        }
        return all;
    }

    private static String bookieName(int number) {
        return "bookie-" + number;
    }

    private static String brokerName(int number) {
        return "broker-" + number;
    }

    private static List<String> storeNames() {
        return Stream.concat(Stream.of(METADATA), IntStream.range(0, BOOKIES).mapToObj(ProcessCluster::bookieName)).toList();
    }

    private static List<String> brokerNames() {
        return IntStream.range(0, BROKERS).mapToObj(ProcessCluster::brokerName).toList();
    }

    private Path diskOf(String server) {
        return folder.resolve(server).resolve("disk");
    }

    private Map<String, String> metadataLines() {
        return Map.of("dataDir", diskOf(METADATA).toString(), "clientPort", Integer.toString(metadataPort),
                "clientPortAddress", network.address(METADATA, Side.STORE), "admin.enableServer", "false",
                "metricsProvider.className", "org.apache.zookeeper.metrics.impl.DefaultMetricsProvider",
                "maxClientCnxns", "0", "forceSync", "no");
    }

    private Map<String, String> bookieLines(String name, int port) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("metadataServiceUri", "metadata-store:" + metadataUrl());
        lines.put("bookiePort", Integer.toString(port));
        lines.put("advertisedAddress", network.address(name, Side.STORE));
        lines.put("listeningInterface", network.interfaceName(Side.STORE));
        lines.put("allowLoopback", "true");
        lines.put("journalDirectory", diskOf(name).resolve("journal").toString());
        lines.put("ledgerDirectories", diskOf(name).resolve("ledgers").toString());
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

    private Map<String, String> brokerLines(String name, int brokerPort, int webPort) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("metadataStoreUrl", metadataUrl());
        lines.put("configurationMetadataStoreUrl", metadataUrl());
        lines.put("clusterName", NAME);
        lines.put("bindAddress", network.address(name, Side.FRONT));
        lines.put("advertisedAddress", network.address(name, Side.FRONT));
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
        return "zk:" + network.address(METADATA, Side.STORE) + ":" + metadataPort;
    }

    /** Where clients connect: all brokers. */
    String serviceUrl() {
        return "pulsar://" + addresses(brokerPorts);
    }

    /** Where an admin client connects: all brokers. */
    String adminUrl() {
        return "http://" + addresses(webPorts);
    }

    private String addresses(int[] ports) {
        return IntStream.range(0, BROKERS).mapToObj(i -> address(i, ports)).collect(Collectors.joining(","));
    }

    private String address(int broker, int[] ports) {
        return network.address(brokerName(broker), Side.FRONT) + ":" + ports[broker];
    }

    ClusterNetwork network() {
        return network;
    }

    /** The disk of the first bookie, where one can be made. */
    Optional<SmallDisk> smallDisk() {
        return smallDisk;
    }

    /** The clock of the first broker, where it can be stepped. */
    Optional<SteppedClock> clock() {
        return clock;
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
     * Waits until a server serves. One that ends itself is started again: a broker whose ports are not free yet does so, and a
     * bookie that is started while the registration of its former life is there; one that runs and does not serve is ended.
     */
    void awaitServing(ClusterProcess server) throws Exception {
        Await.until(START_MILLIS, () -> server.name() + " serves; its log ends:\n" + server.logTail(),
                () -> tend(server) == ServerCare.Deed.NOTHING);
    }

    /** Looks at a server and does what is to be done for it to serve: what that was. */
    ServerCare.Deed tend(ClusterProcess server) throws IOException, InterruptedException {
        boolean isAlive = server.isAlive();
        ServerCare.Deed deed = care.get(server).next(isAlive, server.serves(), !isAlive && server.mayStart(),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        if (deed == ServerCare.Deed.START) {
            server.start();
        } else if (deed == ServerCare.Deed.END) {
            System.out.println(server.name() + " runs and does not serve, and is ended; its log ends:\n" + server.logTail());
            server.kill();
        }
        return deed;
    }

    /** The metrics pages of the brokers. */
    List<BrokerMetrics> metrics() {
        return IntStream.range(0, BROKERS).mapToObj(i -> new BrokerMetrics(url(i))).toList();
    }

    private String url(int broker) {
        return "http://" + address(broker, webPorts);
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
        Insistence once = Insistence.ofMillis(0);
        once.refusal(registrations::close).ifPresent(refusal -> System.out.println("not closed: " + refusal));
        for (ClusterProcess server : servers()) {
            if (server.isAlive()) {
                server.kill();
            }
        }
        if (smallDisk.isPresent()) {
            // One that is still in use goes with the namespaces.
            once.refusal(smallDisk.get()::close).ifPresent(refusal -> System.out.println("the disk stays: " + refusal));
        }
    }
}
