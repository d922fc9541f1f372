/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two brokers with different trackers hand a topic with a long delayed backlog back and forth while messages are sent and
 * acknowledged, as where brokers are switched over one after the other. With the brokers' own limits.
 */
@Tag(OnABroker.MATRIX_ONLY)
class MigrationHandOverIT {

    private static final int MESSAGES = Integer.getInteger("migration.it.messages", 100_000);
    private static final String ONLY = System.getProperty("migration.it.only", "");
    /** An even number: the first broker has the topic in the end. */
    private static final int MOVES = 6;

    private static SmallStore store;

    @BeforeAll
    static void start() throws Exception {
        store = SmallStore.start("migration-hand-over");
    }

    @AfterAll
    static void stop() throws Exception {
        store.close();
    }

    @ParameterizedTest
    @CsvSource({"bucket, timebucket", "bucket, heap", "timebucket, stock-memory", "bucket, stock-bucket"})
    void sixHandOversKeepEverything(String first, String second) throws Exception {
        String title = first + " and " + second;
        assumeTrue(title.contains(ONLY));
        String name = "hand-over-" + first + "-" + second;
        LineBroker one = broker(name + "-1", first);
        LineBroker two = broker(name + "-2", second);
        BrokerFixture fixture = BrokerFixture.start(one);
        try (Scene scene = fixture.scene(name); MigrationRun run = new MigrationRun(title, scene, fixture, store)) {
            run.begin(first, MESSAGES, MigrationIT.FEW, MOVES);
            two.start();
            for (int i = 1; i <= MOVES; i++) {
                LineBroker to = i % 2 == 1 ? two : one;
                run.step("handed over to " + to.settings().tracker(), () -> TopicMoves.move(scene, to, begun -> { }), () -> { });
            }
            // After many moves the brokers may send a client from one to the other for minutes: one of them ends.
            two.stop();
            MigrationIT.mustBeWell(run.end(first), first);
        } finally {
            two.close();
            fixture.close();
        }
    }

    private static LineBroker broker(String name, String tracker) throws Exception {
        return new LineBroker(name, store, "4.0", Harness.ownJavaHome(), TopicMoves.movable(
                MigrationRun.dressed(BrokerSettings.of(tracker, false, MigrationRun.TICK_MILLIS), MESSAGES)));
    }
}
