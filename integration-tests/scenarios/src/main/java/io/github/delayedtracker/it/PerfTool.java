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
import java.util.ArrayList;
import java.util.List;

/**
 * The distribution's own {@code bin/pulsar-perf}, with the options of the published test of a hundred million messages but for
 * how many and how fast.
 */
final class PerfTool implements BacklogClients {

    private final Path home;
    private final int ratePerSecond;
    private Process consumer;

    PerfTool(int ratePerSecond) {
        this.home = DistributionBroker.home();
        this.ratePerSecond = ratePerSecond;
    }

    @Override
    public void send(Broker broker, int messages) throws Exception {
        Process producer = start(broker, "produce", TOPIC, "-dr", MIN_DELAY_SECONDS + "," + MAX_DELAY_SECONDS,
                "-m", Integer.toString(messages), "-r", Integer.toString(ratePerSecond));
        int exit = producer.waitFor();
        if (exit != 0) {
            throw new IllegalStateException("pulsar-perf produce ended with " + exit + ", log " + log("produce"));
        }
    }

    @Override
    public void subscribe(Broker broker) throws IOException {
        consumer = start(broker, "consume", TOPIC, "-ss", SUBSCRIPTION, "-st", "Shared", "-r", "10000");
    }

    @Override
    public void disconnect() throws InterruptedException {
        if (consumer != null) {
            ProcessBroker.destroy(consumer);
            consumer.waitFor();
            consumer = null;
        }
    }

    private Process start(Broker broker, String command, String... options) throws IOException {
        List<String> line = new ArrayList<>(List.of(home.resolve("bin/pulsar-perf").toString(), command));
        line.addAll(List.of(options));
        line.addAll(List.of("-u", broker.serviceUrl()));
        ProcessBuilder process = new ProcessBuilder(line);
        process.environment().put("JAVA_HOME", Harness.ownJavaHome().toString());
        process.environment().put("PULSAR_MEM", "-Xmx512m");
        File log = log(command).toFile();
        Process started = process.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log)).start();
        ProcessBroker.endWithThisJvm(started);
        return started;
    }

    private static Path log(String command) {
        return Harness.target().resolve("pulsar-perf-" + command + ".log");
    }
}
