/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Where the brokers of a small cluster keep what they store: ZooKeeper and one bookie, each a process of its own on the loopback
 * address, which outlive every broker. Both are of the 4.0 line, as where brokers are upgraded before their storage.
 */
public final class SmallStore implements AutoCloseable {

    private static final String LINE = "4.0";
    private static final String BOOKIE = "org.apache.bookkeeper.server.Main";
    private static final String SETUP = "org.apache.pulsar.PulsarClusterMetadataSetup";
    private static final long START_MILLIS = 90_000;
    private static final List<String> MACHINE = List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final ZooKeeperProcess metadata;
    private final BrokerFolder folder;
    private final Process bookie;

    private SmallStore(ZooKeeperProcess metadata, BrokerFolder folder, Process bookie) {
        this.metadata = metadata;
        this.folder = folder;
        this.bookie = bookie;
    }

    /** Starts an empty one, and returns when brokers may start on it. */
    public static SmallStore start(String name) throws Exception {
        return start(name, "standalone");
    }

    /** The same for a cluster of another name. */
    static SmallStore start(String name, String cluster) throws Exception {
        ZooKeeperProcess metadata = ZooKeeperProcess.start(LINE, name + "-zookeeper");
        try {
            setUp(new BrokerFolder(name + "-setup"), cluster, metadata.url());
            BrokerFolder folder = new BrokerFolder(name + "-bookie");
            int port = Net.freePorts(1)[0];
            Process bookie = run(folder, BOOKIE, List.of("--conf", writeBookie(folder, port, metadata.url()).toString()));
            SmallStore store = new SmallStore(metadata, folder, bookie);
            Await.until(START_MILLIS, () -> "a bookie, whose log ends:\n" + folder.logTail(), () -> Net.takesConnections(port));
            return store;
        } catch (Exception | AssertionError e) {
            metadata.close();
            throw e;
        }
    }

    private static void setUp(BrokerFolder folder, String cluster, String metadataUrl) throws Exception {
        Process setup = run(folder, SETUP, List.of("--cluster", cluster, "--metadata-store", metadataUrl,
                "--configuration-metadata-store", metadataUrl, "--web-service-url", "http://" + Net.LOOPBACK + ":8080",
                "--broker-service-url", "pulsar://" + Net.LOOPBACK + ":6650"));
        if (!setup.waitFor(START_MILLIS, TimeUnit.MILLISECONDS) || setup.exitValue() != 0) {
            throw new IllegalStateException("the metadata of the cluster were not written, log ends:\n" + folder.logTail());
        }
    }

    private static Path writeBookie(BrokerFolder folder, int port, String metadataUrl) throws IOException {
        Map<String, String> lines = new TreeMap<>();
        BrokerSettings.putSmallBookie(lines);
        lines.put("metadataServiceUri", "metadata-store:" + metadataUrl);
        lines.put("bookiePort", Integer.toString(port));
        lines.put("advertisedAddress", Net.LOOPBACK);
        lines.put("listeningInterface", Net.loopbackInterface());
        lines.put("journalDirectory", folder.bookkeeper().resolve("journal").toString());
        lines.put("ledgerDirectories", folder.bookkeeper().resolve("ledgers").toString());
        return Files.write(folder.resolve("bookkeeper.conf"),
                lines.entrySet().stream().map(line -> line.getKey() + "=" + line.getValue()).toList());
    }

    private static Process run(BrokerFolder folder, String mainClass, List<String> options) throws IOException {
        List<String> words = ServerCommand.of(Harness.ownJavaHome(), MACHINE, folder, Harness.classPath(LINE), mainClass);
        words.addAll(options);
        ProcessBuilder command = new ProcessBuilder(words);
        command.environment().put("ROCKSDB_SHAREDLIB_DIR", folder.libraries().toString());
        Process process = command.redirectErrorStream(true).redirectOutput(folder.log().toFile()).start();
        ProcessBroker.endWithThisJvm(process);
        return process;
    }

    /** The address that a broker's metadata store is given. */
    public String metadataUrl() {
        return metadata.url();
    }

    @Override
    public void close() throws IOException {
        ProcessBroker.destroy(bookie);
        folder.deleteData();
        metadata.close();
    }
}
