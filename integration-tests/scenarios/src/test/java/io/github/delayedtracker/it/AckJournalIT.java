/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.delayedtracker.it.HalfAcknowledged.Again;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Invariant 9 beyond the broker's limits: of many messages acknowledged out of order none comes again, through kills, unloads and
 * idle loads. With the broker's own settings, and the stock tracker beside.
 */
class AckJournalIT {

    private static final int MESSAGES = Integer.getInteger("journal.it.messages", 60_000);
    private static final long WITHIN_MILLIS = Long.getLong("journal.it.withinMillis", 20_000);
    private static final long FROM_MILLIS = 8_000;
    private static final long QUIET_MILLIS = 10_000;
    private static final long LOAD_MILLIS = 60_000;
    /** The interval of the journal, and two seconds. */
    private static final long YOUNG_MILLIS = 7_000;

    @Test
    void noAcknowledgedMessageComesAgainAfterAKillAnUnloadOrIdleLoads() throws Exception {
        mustStayAcknowledged("4.0", BrokerSettings.of("timebucket", false, 1_000), Harness.ownJavaHome());
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void withTheStockTrackerTheyDo() throws Exception {
        try (Run run = Run.onLine("4.0", BrokerSettings.stockMemory(false, 1_000), Harness.ownJavaHome())) {
            run.acknowledgeAll();
            assertTrue(run.afterKill().acknowledged().size() > 1_000);
        }
    }

    @ParameterizedTest
    @CsvSource({"4.0, heap", "4.0, bucket", "4.2, timebucket", "4.2, bucket", "4.2, heap", "5.0, timebucket", "5.0, bucket",
            "5.0, heap"})
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameOnEachLineWithEachBackend(String line, String backend) throws Exception {
        // -Djournal.it.only="4.2 bucket" runs one of them.
        assumeTrue((line + " " + backend).contains(System.getProperty("journal.it.only", "")));
        Optional<Path> home = line.equals("5.0") ? Harness.javaHome(21) : Optional.of(Harness.ownJavaHome());
        assumeTrue(home.isPresent(), () -> OnABroker.skipped("AckJournalIT", "no JDK 21 or later"));
        // Brokers of 5.0.0 cannot read compressed records with a property.
        mustStayAcknowledged(line, BrokerSettings.of(backend, false, 1_000).with("managedCursorInfoCompressionType", "NONE"),
                home.orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"timebucket", "heap", "bucket"})
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameOnTheDistribution(String backend) throws Exception {
        mustStayAcknowledged(new Run(DistributionBroker.of("ack-journal-distribution-" + backend,
                BrokerSettings.of(backend, false, 1_000).withDefaultLimits())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"timebucket", "heap", "bucket"})
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameInAContainer(String backend) throws Exception {
        assumeTrue(ContainerBroker.engineAnswers(), () -> OnABroker.skipped("AckJournalIT", "no Docker Engine answers"));
        mustStayAcknowledged(new Run(new ContainerBroker("ack-journal-container-" + backend,
                BrokerSettings.of(backend, false, 1_000).withDefaultLimits())));
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    @Tag(OnABroker.MATRIX_ONLY)
    void onlyTheYoungestComeAgainWhereAcknowledgementsGoOnUntilTheEnd(boolean kill) throws Exception {
        try (Run run = Run.onLine("4.0", BrokerSettings.of("timebucket", false, 1_000), Harness.ownJavaHome())) {
            run.backlog.connect();
            run.backlog.send(FROM_MILLIS, WITHIN_MILLIS);
            Await.until(WITHIN_MILLIS + LOAD_MILLIS, () -> run.backlog.ackedCount() + " acknowledged", () ->
                    run.backlog.ackedCount() > run.backlog.chosenCount() * 3 / 4);
            long endMillis = System.currentTimeMillis();
            Again again;
            if (kill) {
                run.broker.kill();
                run.backlog.disconnect();
                run.broker.start();
                again = run.comesAgain("kill under load");
            } else {
                run.unload();
                run.backlog.disconnect();
                again = run.comesAgain("unload under load");
            }
            Set<Integer> old = run.backlog.ackedBefore(endMillis - YOUNG_MILLIS);
            old.retainAll(again.acknowledged());
            assertEquals(Set.of(), old);
            assertEquals(Set.of(), again.missing());
        }
    }

    private static void mustStayAcknowledged(String line, BrokerSettings settings, Path javaHome) throws Exception {
        mustStayAcknowledged(Run.onLine(line, settings, javaHome));
    }

    private static void mustStayAcknowledged(Run run) throws Exception {
        try (run) {
            run.acknowledgeAll();
            mustBeNone(run.afterKill());
            run.unload();
            mustBeNone(run.comesAgain("unload"));
            run.unload();
            run.awaitLoaded();
            run.unload();
            run.awaitLoaded();
            mustBeNone(run.comesAgain("idle loads"));
        }
    }

    private static void mustBeNone(Again again) {
        assertEquals(Set.of(), again.missing(), again::toString);
        assertEquals(0, again.acknowledged().size(), again::toString);
        assertEquals(0, again.twice(), again::toString);
    }

    /** One broker with one backlog. */
    private static final class Run implements AutoCloseable {

        private final Broker broker;
        private final BrokerFixture fixture;
        private final Scene scene;
        private final HalfAcknowledged backlog;
        private final String name;

        static Run onLine(String line, BrokerSettings settings, Path javaHome) throws Exception {
            return new Run(ForkedBroker.ofLine(line, "ack-journal-" + line + "-" + settings.tracker(),
                    settings.withDefaultLimits(), javaHome));
        }

        Run(Broker broker) throws Exception {
            this.broker = broker;
            name = broker.name();
            fixture = BrokerFixture.start(broker);
            scene = fixture.scene("journal");
            backlog = new HalfAcknowledged(fixture, scene.topic(), MESSAGES, 7);
        }

        void acknowledgeAll() throws Exception {
            backlog.connect();
            backlog.send(FROM_MILLIS, WITHIN_MILLIS);
            backlog.awaitAcknowledged(QUIET_MILLIS);
            scene.pluginLines("ack").forEach(System.out::println);
        }

        Again afterKill() throws Exception {
            broker.kill();
            backlog.disconnect();
            broker.start();
            return comesAgain("kill");
        }

        void unload() throws Exception {
            scene.admin().topics().unload(scene.topic());
        }

        void awaitLoaded() throws Exception {
            Await.until(LOAD_MILLIS, () -> "the subscription again", () -> scene.stats(Scene.SUB) != null);
        }

        Again comesAgain(String after) throws Exception {
            Again again = backlog.comesAgain();
            System.out.println("AGAIN " + name + " after " + after + ": of " + backlog.ackedCount() + " " + again);
            return again;
        }

        @Override
        public void close() throws Exception {
            backlog.close();
            scene.close();
            fixture.close();
        }
    }
}
