/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.delayedtracker.DocCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The commands that operators give to a broker, run as written in README.md, docs/commands.md, docs/configuration.md,
 * docs/troubleshooting.md and docs/monitoring/README.md, on the server distribution. Only folder, address and ids are others, and
 * the words in capitals.
 */
class DocCommandsIT {

    private static final Path ROOT = Harness.module().resolve("../..").normalize();
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```\\n(.*?)^```$");
    private static final String TOPIC = "persistent://public/default/orders";
    private static final String SUBSCRIPTION = "billing";
    private static final int SOONER = 10;
    private static final int LATER = 10;

    /** A part of the answer to each command of docs/commands.md, in the order of the page; the backend stores no snapshots. */
    private static final List<String> ANSWERS = List.of(
            "billing\tscheduled\t20", "12:3\tcancelled", "12:5\tmoved", "12:5\tmoved", "12:6\tmoved", "\"cancelled\":2",
            "12:5\t", "12:5\t", "kept by scheduled messages of this subscription only", "billing\texpiring\t0", "",
            "billing\tscheduled\t15", "old, and named by no subscription\t0", "billing\tscheduled\t5", "billing\tcancelled\t5",
            "billing\tmoved\t10", "\"already acknowledged\":2", "\"already acknowledged\":2", "\"count\":10", "\"messages\":[]",
            "\"counts\":{}");

    private final Set<String> ran = new TreeSet<>();
    private final List<String> ids = new ArrayList<>();
    private InstalledPulsar pulsar;
    private BrokerFixture fixture;
    private Consumer<String> consumer;

    private static List<String> commands(String page, String part) throws IOException {
        return DocCommands.of(page).stream().filter(command -> command.contains(part)).distinct().toList();
    }

    /** As it was written, with what stands for something else in its place. */
    private String run(String command, Path place) throws Exception {
        ran.add(command);
        String filled = command.replace("/path/to/pulsar", pulsar.folder().toString())
                .replace(" JAR", " " + Harness.pluginJar()).replace("TOPIC", TOPIC).replace("SUBSCRIPTION", SUBSCRIPTION)
                .replace("SECONDS", "86400");
        if (fixture != null) {
            filled = withIds(filled).replaceAll("http://(broker|localhost):8080", fixture.broker().adminUrl());
        }
        return pulsar.output(place, filled);
    }

    private String withIds(String text) {
        return Pattern.compile("12:([3-6])").matcher(text).replaceAll(id -> ids.get(Integer.parseInt(id.group(1)) - 3));
    }

    private void mustAnswer(String page, String part, String answer) throws Exception {
        List<String> commands = commands(page, part);
        assertTrue(!commands.isEmpty(), () -> page + " has no command with " + part);
        for (String command : commands) {
            String output = run(command, pulsar.folder());
            assertTrue(output.contains(withIds(answer)), () -> command + ": " + output);
        }
    }

    /** As docs/commands.md has it: archives in their folders, and the lines of its blocks. */
    private void switchCommandsOn() throws IOException {
        List<String> blocks = BLOCK.matcher(Files.readString(ROOT.resolve("docs/commands.md"))).results()
                .map((MatchResult block) -> block.group(1)).toList();
        String broker = blocks.stream().filter(block -> block.startsWith("additionalServlets=")).findFirst().orElseThrow();
        String client = blocks.stream().filter(block -> block.startsWith("customCommandFactories=")).findFirst().orElseThrow();
        Files.writeString(pulsar.folder().resolve("conf/standalone.conf"), "\n" + broker, StandardOpenOption.APPEND);
        Files.writeString(pulsar.folder().resolve("conf/client.conf"), "\n" + client, StandardOpenOption.APPEND);
        copy(Harness.servletFolder().resolve("pulsar-delayed-http-0.1.0.nar"), "additionalServlets");
        copy(Harness.commandFolder().resolve("pulsar-delayed-admin-0.1.0.nar"), "cliextensions");
    }

    private void copy(Path archive, String folder) throws IOException {
        Path to = Files.createDirectories(pulsar.folder().resolve(folder));
        Files.copy(archive, to.resolve(archive.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }

    @BeforeEach
    void installedByTheScript() throws Exception {
        assumeTrue(new ProcessBuilder("sh", "-c", "command -v curl").start().waitFor() == 0, () ->
                OnABroker.skipped("DocCommandsIT", "no curl"));
        pulsar = InstalledPulsar.unpacked("doc-commands");
        for (String command : commands("README.md", "sh docs/install")) {
            run(command, ROOT);
        }
        switchCommandsOn();
        fixture = BrokerFixture.start(pulsar.broker());
    }

    @AfterEach
    void close() throws Exception {
        if (fixture != null) {
            fixture.close();
        }
    }

    /** Messages due in two hours, and in ten. */
    private void messagesWait() throws Exception {
        consumer = fixture.client().newConsumer(Schema.STRING).topic(TOPIC).subscriptionName(SUBSCRIPTION)
                .subscriptionType(SubscriptionType.Shared).subscribe();
        try (Producer<String> producer = fixture.client().newProducer(Schema.STRING).topic(TOPIC).create()) {
            for (int i = 0; i < SOONER + LATER; i++) {
                ids.add(CommandClient.text(producer.newMessage().value("m" + i)
                        .deliverAfter(i < SOONER ? 2 : 10, TimeUnit.HOURS).send()));
            }
        }
        Await.until(20_000, () -> "all are delayed", () -> fixture.admin().topics().getStats(TOPIC).getSubscriptions()
                .get(SUBSCRIPTION).getMsgDelayed() == SOONER + LATER);
    }

    @Test
    void theCommandsDoWhatThePagesSay() throws Exception {
        messagesWait();
        theSchedule();
        symptomsAndAlarms();
        mustAnswer("docs/configuration.md", "create-subscription", "");
        assertEquals(Map.of("delayedDeliveryIndexPrecisionMillis", "65536"),
                fixture.admin().topics().getSubscriptionProperties("my-topic", "reminders"));
        mends();
        consumer.close();
        mustAnswer("docs/monitoring/README.md", "topics unsubscribe", "");
        assertEquals(List.of(), fixture.admin().topics().getSubscriptions(TOPIC));
        for (String command : commands("docs/monitoring/README.md", "create-subscription")) {
            run(command, pulsar.folder());
            assertEquals(List.of(SUBSCRIPTION), fixture.admin().topics().getSubscriptions(TOPIC), command);
            fixture.admin().topics().deleteSubscription(TOPIC, SUBSCRIPTION, true);
        }
        Set<String> toRun = DocCommands.runBy("DocCommandsIT.java");
        toRun.removeAll(ran);
        assertEquals(Set.of(), toRun, "the list has commands that were not run");
    }

    private void theSchedule() throws Exception {
        Files.write(pulsar.folder().resolve("ids.txt"), ids.subList(4, 6));
        List<String> commands = new ArrayList<>(commands("docs/commands.md", "public/default/orders"));
        commands.addAll(commands("docs/commands.md", "delayed sweep"));
        commands = DocCommands.of("docs/commands.md").stream().filter(commands::contains).toList();
        assertEquals(ANSWERS.size(), commands.size(), commands::toString);
        for (int i = 0; i < ANSWERS.size(); i++) {
            String command = commands.get(i);
            String output = run(command, pulsar.folder());
            String answer = withIds(ANSWERS.get(i));
            assertTrue(output.contains(answer), () -> command + " has answered without " + answer + ": " + output);
        }
        assertNotNull(consumer.receive(20, TimeUnit.SECONDS), "the message that was to be delivered now");
    }

    private void mends() throws Exception {
        String runbook = "docs/monitoring/README.md";
        mustAnswer(runbook, "topics lookup", "127.0.0.1");
        mustAnswer(runbook, "update-subscription-properties", "");
        assertEquals(Map.of("delayedDeliveryIndexAckJournal", "auto"),
                fixture.admin().topics().getSubscriptionProperties(TOPIC, SUBSCRIPTION));
        mustAnswer(runbook, "set-message-ttl", "");
        mustAnswer(runbook, "topics unload", "");
        mustAnswer(runbook, "clear-backlog", "");
        assertEquals(0, fixture.admin().topics().getStats(TOPIC).getSubscriptions().get(SUBSCRIPTION).getMsgBacklog());
    }

    private void symptomsAndAlarms() throws Exception {
        mustAnswer("docs/troubleshooting.md", "topics stats", "\"msgDelayed\" : 10");
        // Those due before were cancelled, and moved to a day from now.
        String scheduled = run(commands("docs/troubleshooting.md", "delayed schedule").get(0), pulsar.folder());
        Matcher next = Pattern.compile("billing\tnext due\t(\\S+)").matcher(scheduled);
        assertTrue(next.find() && Instant.parse(next.group(1)).isAfter(Instant.now().plus(Duration.ofHours(22))), scheduled);
        mustAnswer("docs/troubleshooting.md", "delayed schedule", "billing\tscheduled\t10");
        mustAnswer("docs/troubleshooting.md", "delayed holding", "kept by scheduled messages of this subscription only");
        mustAnswer("docs/troubleshooting.md", "delayed sweep", "old, and named by no subscription\t0");
        mustAnswer("docs/troubleshooting.md", "/metrics/", "pulsar_delayed_index_next_due_ms");
        mustAnswer("docs/monitoring/README.md", "topics stats", "\"availablePermits\"");
        mustAnswer("docs/monitoring/README.md", "delayed schedule", "billing\tscheduled\t10");
        mustAnswer("docs/monitoring/README.md", "delayed expiring", "billing\texpiring\t0");
        mustAnswer("docs/monitoring/README.md", "delayed sweep", "old, and named by no subscription\t0");
    }
}
