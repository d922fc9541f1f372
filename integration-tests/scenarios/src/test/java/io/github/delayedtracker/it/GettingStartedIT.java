/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The commands of docs/getting-started.md for a cluster that is there already, run as written, one after the other, on the server
 * distribution. Only the folder and the ports are others; the two commands that build are the build that runs this test.
 */
class GettingStartedIT {

    private static final Path ROOT = Harness.module().resolve("../..").normalize();
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```\\n(.*?)^```$");
    private static final String JAR = "lib/pulsar-delayed-tracker-0.1.0.jar";
    private static final long PATIENCE_MILLIS = 90_000;

    private Path pulsar;
    private Installed broker;

    /** The broker as the commands have left it, on ports of its own. */
    private static final class Installed extends ProcessBroker {

        private final Path pulsar;

        Installed(Path pulsar) throws IOException {
            super("getting-started", BrokerSettings.stockMemory(false, 1_000), 0, 0);
            this.pulsar = pulsar;
        }

        @Override
        ProcessBuilder command() throws IOException {
            Files.writeString(pulsar.resolve("conf/standalone.conf"), "brokerServicePort=" + brokerPort() + "\nwebServicePort="
                    + webPort() + "\nbindAddress=" + Net.LOOPBACK + "\nlisteningInterface=" + Net.loopbackInterface() + "\n",
                    StandardOpenOption.APPEND);
            Files.writeString(pulsar.resolve("conf/client.conf"), "\nbrokerServiceUrl=" + serviceUrl() + "\nwebServiceUrl="
                    + adminUrl() + "/\n", StandardOpenOption.APPEND);
            ProcessBuilder command = new ProcessBuilder(pulsar.resolve("bin/pulsar").toString(), "standalone",
                    "--advertised-address", Net.LOOPBACK, "-nss", "-nfw", "--metadata-dir", folder().metadata().toString(),
                    "--bookkeeper-dir", folder().bookkeeper().toString(), "--bookkeeper-port", Integer.toString(bookiePort()));
            command.directory(pulsar.toFile()).environment().put("PULSAR_MEM", "-Xms256m -Xmx1g -XX:MaxDirectMemorySize=1g");
            command.environment().put("JAVA_HOME", Harness.ownJavaHome().toString());
            command.environment().put("PULSAR_ROUTING_APPENDER_DEFAULT", "Console");
            return command;
        }

        String log() throws IOException {
            return Files.readString(folder().log());
        }
    }

    /** The block of commands that has this in it. */
    private String block(String part) throws IOException {
        List<String> blocks = BLOCK.matcher(Files.readString(ROOT.resolve("docs/getting-started.md"))).results()
                .map(block -> block.group(1)).filter(text -> text.contains(part)).toList();
        assertEquals(1, blocks.size(), () -> "blocks with " + part + ": " + blocks);
        String text = blocks.get(0).replace("/path/to/pulsar", pulsar.toString());
        return broker == null ? text : text.replace("http://localhost:8080", broker.adminUrl());
    }

    private Process started(String commands) throws IOException {
        ProcessBuilder shell = new ProcessBuilder("sh", "-e", "-c", commands).directory(ROOT.toFile()).redirectErrorStream(true);
        shell.environment().put("JAVA_HOME", Harness.ownJavaHome().toString());
        shell.environment().keySet().removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
        return shell.start();
    }

    private String output(String commands) throws Exception {
        Process shell = started(commands);
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (shell.waitFor() != 0) {
            throw new IOException(commands + output);
        }
        return output;
    }

    /** The distribution once more: jars as links to the same files, what may be changed as copies, and no plugin. */
    private void unpackedPulsar() throws IOException {
        pulsar = Files.createDirectories(Harness.target().resolve("getting-started"));
        BrokerFolder.delete(pulsar);
        Path from = DistributionBroker.home();
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path relative = from.relativize(file);
                boolean ofARun = relative.startsWith("data") || relative.startsWith("logs");
                if (!ofARun && !relative.getFileName().toString().startsWith("pulsar-delayed-tracker-")) {
                    Path to = pulsar.resolve(relative);
                    Files.createDirectories(to.getParent());
                    if (relative.startsWith("lib")) {
                        Files.createLink(to, file);
                    } else {
                        Files.copy(file, to, StandardCopyOption.COPY_ATTRIBUTES);
                    }
                }
            }
        }
    }

    @Test
    void theCommandsInstallThePluginShowItAtWorkAndTakeItOut() throws Exception {
        assumeTrue(new ProcessBuilder("sh", "-c", "command -v curl").start().waitFor() == 0, () ->
                OnABroker.skipped("GettingStartedIT", "no curl"));
        unpackedPulsar();
        String before = Files.readString(pulsar.resolve("conf/broker.conf"));
        String standaloneBefore = Files.readString(pulsar.resolve("conf/standalone.conf"));
        assertTrue(output(block("DRY_RUN=1")).contains("+delayedDeliveryIndexBackend=timebucket"));
        assertFalse(Files.exists(pulsar.resolve(JAR)));
        output(block("tracker-0.1.0.jar timebucket"));
        assertTrue(Files.exists(pulsar.resolve(JAR)));
        Installed installed = new Installed(pulsar);
        try {
            installed.start();
            broker = installed;
            String line = block("Delayed delivery tracker 0.1.0 on broker").strip();
            assertTrue(installed.log().contains(line), () -> "no such line: " + line);
            assertTrue(output(block("curl")).contains("pulsar_delayed_index_broker_trackers"));
            workWithMessages();
        } finally {
            installed.close();
        }
        output(block("delayed-tracker.sh undo"));
        assertEquals(before, Files.readString(pulsar.resolve("conf/broker.conf")));
        String standalone = Files.readString(pulsar.resolve("conf/standalone.conf"));
        assertTrue(standalone.startsWith(standaloneBefore + "\nbrokerServicePort="));
        assertFalse(Files.exists(pulsar.resolve(JAR)));
    }

    private void workWithMessages() throws Exception {
        List<String> commands = block("pulsar-perf").lines().toList();
        String consume = commands.get(commands.size() - 1);
        output(String.join("\n", commands.subList(0, commands.size() - 1)));
        Process consumer = started("exec " + consume);
        try {
            Await.until(PATIENCE_MILLIS, () -> "messages are delayed", () -> output(block("topics stats"))
                    .matches("(?s).*\"msgDelayed\" : [1-9].*"));
            Await.until(PATIENCE_MILLIS, () -> "the figures count them", () -> output(block("curl"))
                    .matches("(?s).*pulsar_delayed_index_broker_positions\\{[^}]*} [1-9].*"));
        } finally {
            ProcessBroker.destroy(consumer);
        }
    }
}
