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
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The unmodified server distribution as an operator runs it: the plugin's jar copied into {@code lib/}, lines added to the
 * {@code standalone.conf} it ships, {@code bin/pulsar standalone} as a process of its own.
 */
public final class DistributionBroker extends ProcessBroker {

    private final Path home;

    private DistributionBroker(String name, BrokerSettings settings, Path home) throws IOException {
        super(name, settings, 0, 0);
        this.home = home;
    }

    /**
     * A broker of the distribution the build has unpacked.
     *
     * @throws IllegalStateException if there is none
     */
    public static DistributionBroker of(String name, BrokerSettings settings) throws IOException {
        return new DistributionBroker(name, settings, home());
    }

    /** Where the build has unpacked the distribution; an {@link IllegalStateException} if it has not. */
    public static Path home() {
        Path home = Path.of(System.getProperty("it.distribution", "no it.distribution is set"));
        if (!Files.isExecutable(home.resolve("bin/pulsar"))) {
            throw new IllegalStateException("no server distribution at " + home);
        }
        return home;
    }

    @Override
    ProcessBuilder command() throws IOException {
        Path jar = Harness.pluginJar();
        Files.copy(jar, home.resolve("lib").resolve(jar.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        // As an operator would: the shipped file with lines at its end, of which the last one counts.
        Files.copy(home.resolve("conf/standalone.conf"), folder().conf(), StandardCopyOption.REPLACE_EXISTING);
        List<String> lines = new ArrayList<>();
        // The shipped file does not end with a line break.
        lines.add("");
        folder().lines(settings(), brokerPort(), webPort()).forEach((key, value) -> lines.add(key + "=" + value));
        Files.write(folder().conf(), lines, StandardOpenOption.APPEND);
        ProcessBuilder command = new ProcessBuilder(home.resolve("bin/pulsar").toString(), "standalone",
                "--config", folder().conf().toString(), "--advertised-address", Net.LOOPBACK, "-nss", "-nfw",
                "--metadata-dir", folder().metadata().toString(), "--bookkeeper-dir", folder().bookkeeper().toString(),
                "--bookkeeper-port", Integer.toString(bookiePort()));
        command.directory(home.toFile());
        command.environment().put("JAVA_HOME", Harness.ownJavaHome().toString());
        command.environment().put("PULSAR_STANDALONE_CONF", folder().conf().toString());
        command.environment().put("PULSAR_MEM", "-Xms256m -Xmx1g -XX:MaxDirectMemorySize=1g");
        command.environment().put("PULSAR_LOG_DIR", folder().resolve("logs").toString());
        command.environment().put("PULSAR_ROUTING_APPENDER_DEFAULT", "Console");
        return command;
    }
}
