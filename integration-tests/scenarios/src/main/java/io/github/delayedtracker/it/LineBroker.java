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
import java.util.Map;

/**
 * A broker by itself, of any line, in its own JVM with 1 GB of heap. What it stores is in a {@link SmallStore}, so a broker of
 * another line or with another tracker can take its place.
 */
public final class LineBroker extends ProcessBroker {

    private static final String MAIN = "org.apache.pulsar.PulsarBrokerStarter";

    private final SmallStore store;
    private String line;
    private Path javaHome;

    /** A broker of a line ({@code 4.0}, {@code 4.2}, {@code 5.0}) that is not started yet. */
    public LineBroker(String name, SmallStore store, String line, Path javaHome, BrokerSettings settings) throws IOException {
        super(name, settings, 0, 0);
        this.store = store;
        this.line = line;
        this.javaHome = javaHome;
    }

    /** Another line and other settings, from the next start on; name, ports and store stay. */
    public void reconfigure(String newLine, Path newJavaHome, BrokerSettings newSettings) {
        line = newLine;
        javaHome = newJavaHome;
        reconfigure(newSettings);
    }

    @Override
    ProcessBuilder command() throws IOException {
        Map<String, String> lines = folder().lines(settings(), brokerPort(), webPort());
        lines.put("metadataStoreUrl", store.metadataUrl());
        lines.put("configurationMetadataStoreUrl", store.metadataUrl());
        folder().writeConf(lines);
        String classPath = Harness.classPath(line);
        List<String> command = ServerCommand.of(javaHome, ServerCommand.SMALL_MACHINE, folder(),
                settings().plugin() ? classPath + File.pathSeparator + Harness.pluginJar() : classPath, MAIN);
        command.addAll(List.of("--broker-conf", folder().conf().toString()));
        return new ProcessBuilder(command);
    }
}
