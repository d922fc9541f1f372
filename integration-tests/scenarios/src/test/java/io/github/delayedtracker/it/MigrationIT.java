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

import io.github.delayedtracker.it.MigrationJudge.Verdict;
import io.github.delayedtracker.it.MigrationRoute.Step;
import io.github.delayedtracker.it.MigrationRun.Outcome;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A long delayed backlog goes from tracker to tracker while messages are sent and acknowledged: nothing is lost, nothing comes
 * early, what was acknowledged stays so, and in the end nothing is stored for it any more. With the brokers' own limits.
 */
@Tag(OnABroker.MATRIX_ONLY)
class MigrationIT {

    private static final int MESSAGES = Integer.getInteger("migration.it.messages", 100_000);
    /** A part of the route's text: {@code -Dmigration.it.only=stock-memory@4.2} goes those that have it. */
    private static final String ONLY = System.getProperty("migration.it.only", "");

    /** So few of the backlog are acknowledged on the way that the record of a cursor holds all of it, without a journal. */
    static final int FEW = 25;
    /** So many that it does not. */
    private static final int HALF = 2;

    private static SmallStore store;

    @BeforeAll
    static void start() throws Exception {
        store = SmallStore.start("migration");
    }

    @AfterAll
    static void stop() throws Exception {
        store.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "stock-memory > heap > stock-memory > timebucket > stock-memory > bucket",
        "stock-memory > bucket > stock-memory > bucket > timebucket > stock-memory",
        "stock-bucket > heap > stock-bucket > timebucket > stock-bucket > bucket",
        "stock-bucket > bucket > timebucket > stock-bucket > bucket",
        "stock-bucket > bucket-pip195 > stock-bucket > bucket"})
    void fromTheStockTrackersOf40ToEachBackendAndBack(String route) throws Exception {
        mustKeepEverything(route);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "stock-memory@4.2 > heap@4.2 > stock-memory@4.2 > timebucket@4.2 > stock-memory@4.2 > bucket@4.2",
        "stock-bucket@4.2 > bucket@4.2 > timebucket@4.2 > stock-memory@4.2"})
    void fromTheStockTrackersOf42ToEachBackendAndBack(String route) throws Exception {
        mustKeepEverything(route);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "heap > timebucket > bucket > heap > bucket > timebucket > heap",
        "bucket ! timebucket ! bucket ! heap ! bucket"})
    void fromBackendToBackend(String route) throws Exception {
        mustKeepEverything(route);
    }

    @ParameterizedTest
    @ValueSource(strings = {"timebucket > sub:bucket > sub: > sub:heap > sub:bucket > sub:heap > sub:"})
    void withABackendOfTheSubscriptionOnAndOff(String route) throws Exception {
        mustKeepEverything(route);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bucket@4.0 > bucket@4.2 > bucket@5.0", "timebucket@4.0 > timebucket@4.2 > timebucket@5.0",
        "heap@4.0 > heap@4.2 > heap@5.0"})
    void fromLineToLine(String route) throws Exception {
        mustKeepEverything(route);
    }

    /** The journal is the plugin's: the stock tracker has what the broker's record holds, and the plugin then has no more. */
    @ParameterizedTest
    @ValueSource(strings = {"timebucket > stock-memory > timebucket", "bucket > stock-memory > bucket"})
    void acknowledgementsThatOnlyTheJournalKeptAreForgottenByTheStockTrackerAndNothingIsLost(String route) throws Exception {
        Verdict verdict = outcome(route, HALF).verdict();
        assertEquals(List.of(0, 0, 0), List.of(verdict.lost(), verdict.early(), verdict.twice()), verdict::toString);
        assertTrue(verdict.old() > 0, verdict::toString);
    }

    private static void mustKeepEverything(String text) throws Exception {
        mustBeWell(outcome(text, FEW), MigrationRoute.of(text).last());
    }

    private static Outcome outcome(String text, int nearEach) throws Exception {
        assumeTrue(text.contains(ONLY));
        MigrationRoute route = MigrationRoute.of(text);
        assumeTrue(Stream.concat(Stream.of(route.first()), route.steps().stream()).allMatch(step ->
                step.javaHome().isPresent()), () -> OnABroker.skipped("MigrationIT " + text, "no JDK 21 or later"));
        String name = "migration-" + text.replaceAll("[^a-z0-9.]+", "-");
        LineBroker broker = new LineBroker(name, store, route.first().line(), route.first().javaHome().orElseThrow(),
                MigrationRun.dressed(route.first().settings(), MESSAGES));
        BrokerFixture fixture = BrokerFixture.start(broker);
        try (Scene scene = fixture.scene(name); MigrationRun run = new MigrationRun(text, scene, fixture, store)) {
            run.begin(route.first().toString(), MESSAGES, nearEach, route.steps().size());
            for (Step step : route.steps()) {
                run.step((step.kill() ? "killed, " : "") + step, () -> end(step, broker, scene), () -> begin(step, broker));
            }
            return run.end(route.last());
        } finally {
            fixture.close();
        }
    }

    private static void end(Step step, LineBroker broker, Scene scene) throws Exception {
        if (step.override()) {
            scene.admin().topics().updateSubscriptionProperties(scene.topic(), Scene.SUB, step.tracker().isEmpty() ? Map.of()
                    : Map.of("delayedDeliveryIndexBackend", step.tracker()));
            scene.admin().topics().unload(scene.topic());
        } else if (step.kill()) {
            broker.kill();
        } else {
            broker.stop();
        }
    }

    private static void begin(Step step, LineBroker broker) throws Exception {
        if (!step.override()) {
            broker.reconfigure(step.line(), step.javaHome().orElseThrow(), MigrationRun.dressed(step.settings(), MESSAGES));
            broker.start();
        }
    }

    /** Nothing is lost, early, or came again that must not; the broker counts nothing, and nothing is stored. */
    static void mustBeWell(Outcome outcome, String lastTracker) {
        Verdict verdict = outcome.verdict();
        assertEquals(List.of(0, 0, 0, 0, 0), List.of(verdict.lost(), verdict.early(), verdict.old(), verdict.twice(),
                verdict.doubled()), () -> "lost, early, acknowledged before, under one tracker, doubled: " + verdict);
        assertEquals(List.of(0L, 0L), List.of(outcome.msgDelayed(), outcome.msgBacklog()), "msgDelayed, msgBacklog");
        assertTrue(outcome.left().isNothingButARecordOf(lastTracker), () -> "left: " + outcome.left());
    }
}
