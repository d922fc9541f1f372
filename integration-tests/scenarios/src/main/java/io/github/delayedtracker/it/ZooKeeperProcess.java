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

/** A ZooKeeper server of a broker line in a JVM of its own, on the loopback address, with the limits it has by default. */
public final class ZooKeeperProcess implements AutoCloseable {

    private static final String MAIN = "org.apache.zookeeper.server.ZooKeeperServerMain";
    private static final long START_MILLIS = 30_000;

    private final BrokerFolder folder;
    private final int port;
    private final Process process;

    private ZooKeeperProcess(BrokerFolder folder, int port, Process process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /** Starts one with an empty folder, and returns when it takes connections. */
    public static ZooKeeperProcess start(String line, String name) throws Exception {
        BrokerFolder folder = new BrokerFolder(name);
        int port = Net.freePorts(1)[0];
        Path conf = Files.write(folder.resolve("zoo.cfg"), List.of("dataDir=" + folder.metadata(), "clientPort=" + port,
                "clientPortAddress=" + Net.LOOPBACK, "admin.enableServer=false", "maxClientCnxns=0"));
        ProcessBuilder command = new ProcessBuilder(Harness.ownJavaHome().resolve("bin/java").toString(), "-Xmx512m",
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", Harness.classPath(line), MAIN, conf.toString());
        Process process = command.redirectErrorStream(true).redirectOutput(folder.log().toFile()).start();
        ProcessBroker.endWithThisJvm(process);
        ZooKeeperProcess server = new ZooKeeperProcess(folder, port, process);
        Await.until(START_MILLIS, () -> "ZooKeeper, whose log ends:\n" + folder.logTail(), () -> Net.takesConnections(port));
        return server;
    }

    /** The address that a broker's metadata store is given. */
    public String url() {
        return "zk:" + Net.LOOPBACK + ":" + port;
    }

    /** How often it has closed a connection because a request was too large. */
    public long tooLargeRequests() throws IOException {
        try (var lines = Files.lines(folder.log())) {
            return lines.filter(line -> line.contains("Len error")).count();
        }
    }

    @Override
    public void close() throws IOException {
        ProcessBroker.destroy(process);
        folder.deleteData();
    }
}
