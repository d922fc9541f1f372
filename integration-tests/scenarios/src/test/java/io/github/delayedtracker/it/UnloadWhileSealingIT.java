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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Topics that are unloaded while their snapshots are being recorded (B3). The broker writes the acknowledgements to the node of
 * the metadata store that the record is in, when it closes the cursor and not before: an update of the record under way then
 * costs all of them, so none may be.
 */
class UnloadWhileSealingIT {

    private static final int ROUNDS = 12;
    private static final int ACKNOWLEDGED = 100;
    private static final int BURST = 600;
    private static final int SEAL = 20;
    private static final long HOUR_MILLIS = 3_600_000;

    /** Seals of few messages, so that many are recorded one after the other, and no flush of the cursor but when it is closed. */
    private static BrokerSettings settings(String tracker) {
        return BrokerSettings.of(tracker, true, 500).with("delayedDeliveryMinIndexCountPerBucket", Integer.toString(SEAL))
                .with("managedLedgerCursorPositionFlushSeconds", "600");
    }

    /** Per round: how many acknowledgements came back, and how many messages were recorded right before the unload. */
    private record Round(long cameBack, double sealed) {
    }

    @Test
    void noAcknowledgementComesBackOnThe42Line() throws Exception {
        List<Round> rounds = play(ForkedBroker.ofLine("4.2", "unload-4.2", settings("bucket"), Harness.ownJavaHome()));
        assertTrue(rounds.stream().anyMatch(round -> round.sealed() < BURST), "never unloaded while sealing: " + rounds);
        assertEquals(List.of(), rounds.stream().filter(round -> round.cameBack() != 0).toList());
    }

    /** The brokers of 4.0 wait for nothing when they close a tracker; what that costs is told in docs/limits.md. */
    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void onThe40LineNothingIsLost() throws Exception {
        List<Round> rounds = play(ForkedBroker.of("unload-4.0", settings("bucket")));
        assertEquals(List.of(), rounds.stream().filter(round -> round.cameBack() < 0).toList());
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void stockLosesNothingEither() throws Exception {
        for (String line : List.of("4.0", "4.2")) {
            List<Round> rounds = play(ForkedBroker.ofLine(line, "unload-stock-" + line, settings("stock-bucket"),
                    Harness.ownJavaHome()));
            assertEquals(List.of(), rounds.stream().filter(round -> round.cameBack() < 0).toList());
        }
    }

    private static List<Round> play(ForkedBroker broker) throws Exception {
        BrokerFixture fixture = BrokerFixture.start(broker);
        List<Round> rounds = new ArrayList<>();
        try {
            for (int i = 0; i < ROUNDS; i++) {
                try (Scene scene = fixture.scene("unload-" + i)) {
                    rounds.add(unload(scene));
                }
            }
        } finally {
            fixture.close();
        }
        System.out.printf("unloaded while sealing, %s: acknowledgements of %d that came back %s, of %d recorded before %s%n",
                broker.settings().tracker(), ACKNOWLEDGED, rounds.stream().map(Round::cameBack).toList(), BURST,
                rounds.stream().map(round -> (long) round.sealed()).toList());
        return rounds;
    }

    private static Round unload(Scene scene) throws Exception {
        Receiver receiver = scene.receive(Shared);
        List<Sent> first = scene.send(2 * ACKNOWLEDGED, i -> HOUR_MILLIS);
        scene.awaitDelayed(first.size());
        receiver.consumer().acknowledge(IntStream.range(0, ACKNOWLEDGED).mapToObj(i -> first.get(2 * i).messageId()).toList());
        awaitBacklog(scene, ACKNOWLEDGED);
        scene.awaitRecorded();
        double before = scene.pluginStat("bucket_sealed_positions_total");
        scene.send(BURST, i -> HOUR_MILLIS + i * 1_000L);
        double sealed = scene.pluginStat("bucket_sealed_positions_total") - before;
        scene.admin().topics().unload(scene.topic());
        Await.until(30_000, () -> "the subscription again", () -> scene.stats(Scene.SUB) != null
                && !scene.stats(Scene.SUB).getConsumers().isEmpty());
        return new Round(scene.stats(Scene.SUB).getMsgBacklog() - ACKNOWLEDGED - BURST, sealed);
    }

    private static void awaitBacklog(Scene scene, long messages) throws Exception {
        AtomicLong backlog = new AtomicLong();
        Await.until(20_000, () -> "a backlog of " + messages + ": " + backlog, () -> {
            backlog.set(scene.stats(Scene.SUB).getMsgBacklog());
            return backlog.get() == messages;
        });
    }
}
