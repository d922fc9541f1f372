/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A standalone broker of any line, started from a Maven class path in its own JVM with 1 GB of heap. */
public final class ForkedBroker extends ProcessBroker {

    private static final String MAIN = "org.apache.pulsar.PulsarStandaloneStarter";

    private final String line;
    private final Path javaHome;
    private String metadataUrl = "";
    private List<String> machine = ServerCommand.SMALL_MACHINE;

    private ForkedBroker(String name, BrokerSettings settings, String line, Path javaHome, int brokerPort, int webPort)
            throws IOException {
        super(name, settings, brokerPort, webPort);
        this.line = line;
        this.javaHome = javaHome;
    }

    /** A broker of a line ({@code 4.0}, {@code 4.2}, {@code 5.0}) on free ports. */
    public static ForkedBroker ofLine(String line, String name, BrokerSettings settings, Path javaHome) throws IOException {
        return new ForkedBroker(name, settings, line, javaHome, 0, 0);
    }

    /** A broker of the 4.0 line on this JVM's JDK and free ports. */
    public static ForkedBroker of(String name, BrokerSettings settings) throws IOException {
        return ofLine("4.0", name, settings, Harness.ownJavaHome());
    }

    /** A broker of the 4.0 line on this JVM's JDK and the given ports. */
    public static ForkedBroker onPorts(String name, BrokerSettings settings, int brokerPort, int webPort)
            throws IOException {
        return new ForkedBroker(name, settings, "4.0", Harness.ownJavaHome(), brokerPort, webPort);
    }

    /** Keeps its metadata there, and not in its own folder; before the start. */
    public ForkedBroker withMetadataAt(String url) {
        metadataUrl = url;
        return this;
    }

    /** Has a heap of that size, as {@code 512m}; before the start. */
    public ForkedBroker withHeap(String heap) {
        machine = List.of("-Xmx" + heap, "-Xms" + heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
        return this;
    }

    /** Collects garbage and compiles as with the scripts of the distribution, where pauses are measured; before the start. */
    public ForkedBroker asTheDistributionRunsIt() {
        machine = List.of("-Xmx2g", "-Xms2g", "-XX:+UseZGC", "-XX:+PerfDisableSharedMem", "-XX:+AlwaysPreTouch");
        return this;
    }

    @Override
    ProcessBuilder command() throws IOException {
        folder().writeConf(folder().lines(settings(), brokerPort(), webPort()));
        String classPath = Harness.classPath(line);
        List<String> command = ServerCommand.of(javaHome, machine, folder(),
                settings().plugin() ? classPath + File.pathSeparator + Harness.pluginJar() : classPath, MAIN);
        command.addAll(List.of("--config", folder().conf().toString(), "--advertised-address", Net.LOOPBACK, "-nss", "-nfw",
                "--bookkeeper-dir", folder().bookkeeper().toString()));
        command.addAll(metadataUrl.isEmpty() ? List.of("--metadata-dir", folder().metadata().toString())
                : List.of("--metadata-url", metadataUrl));
        if (Harness.takesBookiePort(line)) {
            command.addAll(List.of("--bookkeeper-port", Integer.toString(bookiePort())));
        }
        return new ProcessBuilder(command);
    }
}
