/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.it.HalfAcknowledged.Again;
import io.github.delayedtracker.it.HalfAcknowledged.Return;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two brokers on one metadata store hand a topic to each other, ten times while messages come and are acknowledged: no message
 * comes again that was acknowledged an interval before the broker gave the topic away. With the brokers' own settings.
 */
@Tag(OnABroker.MATRIX_ONLY)
class AckJournalHandOverIT {

    private static final int MESSAGES = 60_000;
    private static final int HAND_OVERS = 10;
    private static final long FROM_MILLIS = 8_000;
    private static final long EACH_MILLIS = 14_000;
    private static final long CONNECT_MILLIS = 120_000;
    private static final long YOUNG_MILLIS = 7_000;

    @Test
    void tenHandOversUnderLoadBringNothingBackThatIsOlderThanTheInterval() throws Exception {
        Outcome outcome = handOver("hand-over", BrokerSettings.of("timebucket", false, 1_000));
        assertEquals(List.of(), outcome.tooOld());
        assertEquals(Set.of(), outcome.inTheEnd().missing());
        assertEquals(Set.of(), outcome.inTheEnd().acknowledged());
    }

    /** The scenario shows the danger. */
    @Test
    void withTheStockTrackerTheyDo() throws Exception {
        Outcome outcome = handOver("hand-over-stock", BrokerSettings.stockMemory(false, 1_000));
        assertTrue(outcome.tooOld().size() > 1_000, () -> outcome.tooOld().size() + " came again");
    }

    /** All that came again though it was acknowledged an interval before the last hand-over, and what came in the end. */
    private record Outcome(List<Return> tooOld, Again inTheEnd) {
    }

    private static Outcome handOver(String name, BrokerSettings settings) throws Exception {
        try (ZooKeeperProcess metadata = ZooKeeperProcess.start("4.0", name + "-zookeeper")) {
            ForkedBroker one = broker(name + "-1", settings, metadata);
            ForkedBroker two = broker(name + "-2", settings, metadata);
            BrokerFixture fixture = BrokerFixture.start(one);
            try (Scene scene = fixture.scene(name);
                    HalfAcknowledged backlog = new HalfAcknowledged(fixture, scene.topic(), MESSAGES, 7)) {
                backlog.connect();
                two.start();
                backlog.send(FROM_MILLIS, HAND_OVERS * EACH_MILLIS);
                List<Long> moves = new ArrayList<>();
                for (int i = 0; i < HAND_OVERS; i++) {
                    long next = System.currentTimeMillis() + EACH_MILLIS;
                    TopicMoves.move(scene, TopicMoves.isAt(scene, one) ? two : one, moves::add);
                    System.out.println("HAND OVER " + name + " " + (i + 1) + ": " + backlog.ackedCount() + " acknowledged, "
                            + backlog.returns().size() + " came again");
                    Await.until(2 * EACH_MILLIS, () -> "the next hand-over", () -> System.currentTimeMillis() >= next);
                }
                backlog.awaitAcknowledged(YOUNG_MILLIS);
                // After many moves the brokers may send a client from one to the other for minutes: one of them ends.
                moves.add(System.currentTimeMillis());
                two.stop();
                Await.until(CONNECT_MILLIS, () -> "the consumer again", () -> scene.stats(Scene.SUB).getConsumers().size() == 1);
                backlog.awaitAcknowledged(YOUNG_MILLIS);
                backlog.disconnect();
                List<Return> tooOld = backlog.returns().stream().filter(back -> isTooOld(back, moves)).toList();
                System.out.println("HAND OVER " + name + ": of " + backlog.ackedCount() + " acknowledged "
                        + backlog.returns().size() + " came again, " + tooOld.size() + " of them older than the interval");
                return new Outcome(tooOld, backlog.comesAgain());
            } finally {
                two.close();
                fixture.close();
            }
        }
    }

    private static ForkedBroker broker(String name, BrokerSettings settings, ZooKeeperProcess metadata) throws Exception {
        return ForkedBroker.ofLine("4.0", name, TopicMoves.movable(settings.withDefaultLimits()),
                Harness.ownJavaHome()).withMetadataAt(metadata.url());
    }

    private static boolean isTooOld(Return back, List<Long> moves) {
        long last = moves.stream().filter(begun -> begun <= back.cameMillis()).mapToLong(Long::longValue).max().orElse(0);
        return back.ackedMillis() < last - YOUNG_MILLIS;
    }
}
