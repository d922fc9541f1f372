/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.apache.pulsar.client.api.SubscriptionType.Shared;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** I20: the commands by the distribution's own pulsar-admin, on the distribution's own broker. */
class CommandLineIT {

    private static final long SOON_MILLIS = 60_000;
    private static final long LATER_MILLIS = 3_600_000;

    @TempDir
    private Path folder;

    /** What a call of the tool has printed, both streams, and its exit code. */
    private record Called(int exit, String printed) {

        boolean hasLine(String line) {
            return printed.lines().anyMatch(line::equals);
        }
    }

    private Called admin(Broker broker, String... arguments) throws Exception {
        Path home = DistributionBroker.home();
        Path settings = Files.writeString(folder.resolve("client.conf"), "webServiceUrl=" + broker.adminUrl()
                + "\nbrokerServiceUrl=" + broker.serviceUrl() + "\ncustomCommandFactories=delayed\ncliExtensionsDirectory="
                + Harness.commandFolder() + "\n");
        List<String> command = new ArrayList<>(List.of(home.resolve("bin/pulsar-admin").toString(), "delayed"));
        command.addAll(List.of(arguments));
        Path printed = folder.resolve("printed");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed.toFile());
        builder.environment().put("PULSAR_CLIENT_CONF", settings.toString());
        builder.environment().put("JAVA_HOME", Harness.ownJavaHome().toString());
        builder.environment().put("PULSAR_LOG_DIR", folder.toString());
        Process process = builder.start();
        ProcessBroker.endWithThisJvm(process);
        assertTrue(process.waitFor(90, TimeUnit.SECONDS), "the tool ends");
        return new Called(process.exitValue(), Files.readString(printed));
    }

    private static String id(Sent message) {
        return CommandClient.text(message.messageId());
    }

    @Test
    void messagesAreCountedCancelledMovedAndDeliveredNow() throws Exception {
        DistributionBroker broker = DistributionBroker.of("command-line",
                BrokerSettings.of("timebucket", true, 1_000).withDefaultLimits().withCommands());
        BrokerFixture fixture = BrokerFixture.start(broker);
        try (Scene scene = fixture.scene("cli")) {
            scene.receive(Shared);
            List<Sent> sent = scene.send(4, i -> i == 0 ? SOON_MILLIS : LATER_MILLIS);
            scene.awaitDelayed(4);

            Called schedule = admin(broker, "schedule", scene.topic(), "--subscription", Scene.SUB);
            assertEquals(0, schedule.exit(), schedule::printed);
            assertTrue(schedule.hasLine("s\tscheduled\t4"), schedule::printed);

            Called holding = admin(broker, "holding", scene.topic(), "--subscription", Scene.SUB);
            assertTrue(holding.printed()
                    .contains("s\tkept by scheduled messages of this subscription only\t1 ledgers"), holding::printed);
            Called verified = admin(broker, "verify", scene.topic(), "--subscription", Scene.SUB);
            assertEquals(0, verified.exit(), verified::printed);
            assertTrue(verified.hasLine("s\tscheduled\t4"), verified::printed);
            Called postponed = admin(broker, "reschedule", scene.topic(), id(sent.get(0)), "--by", "-1s");
            assertTrue(postponed.hasLine("s\t" + id(sent.get(0)) + "\tmoved"), postponed::printed);

            Called cancel = admin(broker, "cancel", scene.topic(), id(sent.get(0)) + "," + id(sent.get(1)));
            assertEquals(0, cancel.exit(), cancel::printed);
            assertTrue(cancel.hasLine("s\t" + id(sent.get(0)) + "\tcancelled"), cancel::printed);

            Called now = admin(broker, "deliver-now", scene.topic(), id(sent.get(2)));
            assertTrue(now.hasLine("s\t" + id(sent.get(2)) + "\tmoved"), now::printed);
            Called moved = admin(broker, "reschedule", scene.topic(), id(sent.get(3)), "--due", "5s");
            assertTrue(moved.hasLine("s\t" + id(sent.get(3)) + "\tmoved"), moved::printed);
            Await.until(30_000, () -> "two messages: " + scene.arrivals(), () -> scene.arrivals().ackedCount() == 2);
            scene.awaitEmpty(Scene.SUB);
            scene.arrivals().mustBeTimes(sent.subList(0, 2), 0);

            Called sweep = admin(broker, "sweep", "--dry-run");
            assertEquals(0, sweep.exit(), sweep::printed);
            assertTrue(sweep.hasLine("of the plugin in this cluster\t1"), sweep::printed);
            assertTrue(sweep.hasLine("old, and named by no subscription\t0"), sweep::printed);

            Called unknown = admin(broker, "cancel", "persistent://public/default/none", "1:1");
            assertNotEquals(0, unknown.exit());
            assertTrue(unknown.printed().contains("there is no topic persistent://public/default/none"), unknown::printed);
        } finally {
            fixture.close();
        }
    }
}
