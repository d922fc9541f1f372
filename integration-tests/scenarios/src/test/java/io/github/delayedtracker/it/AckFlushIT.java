/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.apache.pulsar.client.api.SubscriptionType.Shared;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Acknowledged messages that a kill brings back though the broker's limits would keep them: those that came between its last
 * record of the cursor and the kill. With the broker's own settings, and the stock tracker beside.
 */
class AckFlushIT {

    private static final int SENT = 6_000;
    private static final long SOON_MILLIS = 8_000;
    private static final long LATER_MILLIS = 3_600_000;
    private static final long QUIET_MILLIS = 10_000;
    private static final long PATIENCE_MILLIS = 60_000;

    @Test
    void tenSecondsAfterTheLastAcknowledgementAKillBringsNoneBack() throws Exception {
        assertEquals(0, comesAgain("4.0", BrokerSettings.of("timebucket", false, 1_000), Harness.ownJavaHome()));
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void withTheStockTrackerTheSameKillShowsTheTrouble() throws Exception {
        assertTrue(comesAgain("4.0", BrokerSettings.stockMemory(false, 1_000), Harness.ownJavaHome()) > 0);
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameOnThe42Line() throws Exception {
        assertEquals(0, comesAgain("4.2", BrokerSettings.of("bucket", false, 1_000), Harness.ownJavaHome()));
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameOnThe50Line() throws Exception {
        Optional<Path> home = Harness.javaHome(21);
        assumeTrue(home.isPresent(), () -> OnABroker.skipped("AckFlushIT", "no JDK 21 or later"));
        assertEquals(0, comesAgain("5.0", BrokerSettings.of("heap", false, 1_000), home.orElseThrow()));
    }

    private static long comesAgain(String line, BrokerSettings tracker, Path javaHome) throws Exception {
        BrokerSettings settings = tracker.withDefaultLimits();
        ForkedBroker broker = ForkedBroker.ofLine(line, "ack-flush-" + line + "-" + tracker.tracker(), settings, javaHome);
        BrokerFixture fixture = BrokerFixture.start(broker);
        try (Scene scene = fixture.scene("flush")) {
            scene.receive(Shared, Receiver.Options.usual().with(builder -> builder.isAckReceiptEnabled(true)));
            List<Sent> sent = scene.send(SENT, i -> i % 2 == 0 ? LATER_MILLIS : SOON_MILLIS);
            scene.awaitAcked(IntStream.range(0, SENT).filter(i -> i % 2 > 0).mapToObj(sent::get).toList());
            long lastMillis = System.currentTimeMillis();
            assertEquals(SENT / 2, scene.stats(Scene.SUB).getMsgBacklog());
            Await.until(PATIENCE_MILLIS, () -> "quiet seconds", () -> System.currentTimeMillis() >= lastMillis + QUIET_MILLIS);
            broker.kill();
            broker.start();
            Await.until(PATIENCE_MILLIS, () -> "the subscription again", () -> scene.stats(Scene.SUB) != null);
            long again = scene.stats(Scene.SUB).getMsgBacklog() - SENT / 2;
            System.out.println("KILLED " + line + " " + tracker.tracker() + ": of " + SENT / 2
                    + " acknowledged messages come again " + again);
            return again;
        } finally {
            fixture.close();
        }
    }
}
