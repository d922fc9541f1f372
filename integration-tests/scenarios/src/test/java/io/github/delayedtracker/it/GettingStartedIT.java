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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
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

    private InstalledPulsar pulsar;
    private ProcessBroker broker;

    /** The block of commands that has this in it. */
    private String block(String part) throws IOException {
        List<String> blocks = BLOCK.matcher(Files.readString(ROOT.resolve("docs/getting-started.md"))).results()
                .map(block -> block.group(1)).filter(text -> text.contains(part)).toList();
        assertEquals(1, blocks.size(), () -> "blocks with " + part + ": " + blocks);
        String text = blocks.get(0).replace("/path/to/pulsar", pulsar.folder().toString());
        return broker == null ? text : text.replace("http://localhost:8080", broker.adminUrl());
    }

    private String output(String commands) throws Exception {
        return pulsar.output(ROOT, commands);
    }

    private Path file(String name) {
        return pulsar.folder().resolve(name);
    }

    @Test
    void theCommandsInstallThePluginShowItAtWorkAndTakeItOut() throws Exception {
        assumeTrue(new ProcessBuilder("sh", "-c", "command -v curl").start().waitFor() == 0, () ->
                OnABroker.skipped("GettingStartedIT", "no curl"));
        pulsar = InstalledPulsar.unpacked("getting-started");
        String before = Files.readString(file("conf/broker.conf"));
        String standaloneBefore = Files.readString(file("conf/standalone.conf"));
        assertTrue(output(block("DRY_RUN=1")).contains("+delayedDeliveryIndexBackend=timebucket"));
        assertFalse(Files.exists(file(JAR)));
        output(block("tracker-0.1.0.jar timebucket"));
        assertTrue(Files.exists(file(JAR)));
        ProcessBroker installed = pulsar.broker();
        try {
            installed.start();
            broker = installed;
            String line = block("Delayed delivery tracker 0.1.0 on broker").strip();
            assertTrue(Files.readString(installed.folder().log()).contains(line), () -> "no such line: " + line);
            assertTrue(output(block("curl")).contains("pulsar_delayed_index_broker_trackers"));
            workWithMessages();
        } finally {
            installed.close();
        }
        output(block("delayed-tracker.sh undo"));
        assertEquals(before, Files.readString(file("conf/broker.conf")));
        String standalone = Files.readString(file("conf/standalone.conf"));
        assertTrue(standalone.startsWith(standaloneBefore + "\nbrokerServicePort="));
        assertFalse(Files.exists(file(JAR)));
    }

    private void workWithMessages() throws Exception {
        List<String> commands = block("pulsar-perf").lines().toList();
        String consume = commands.get(commands.size() - 1);
        output(String.join("\n", commands.subList(0, commands.size() - 1)));
        Process consumer = pulsar.start(ROOT, "exec " + consume);
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
