/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.apache.pulsar.client.api.SubscriptionType.Key_Shared;
import static org.apache.pulsar.client.api.SubscriptionType.Shared;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The broker ends and comes back on its data; nothing else may run on it meanwhile. */
@ResourceLock(value = "broker", mode = ResourceAccessMode.READ_WRITE)
abstract class RestartScenarios {

    /** Acknowledgements reach the disk within a second of the broker's own beat; some more for a machine that stands still. */
    private static final long PERSISTED_MILLIS = 6_000;

    /** How long a broker may need to serve its topics again, the machine being busy. */
    private static final long AWAY_MILLIS = 60_000;

    abstract BrokerFixture broker();

    @Test
    @Tag(Scenarios.SMOKE)
    void killedInTheMiddleNothingIsLostAndOnlyFreshAcksAreRepeated() throws Exception {
        Assumptions.assumeTrue(broker().broker().killable(), "a broker inside this JVM cannot be killed");
        try (Scene shared = broker().scene("kill-shared"); Scene keys = broker().scene("kill-keys")) {
            shared.receive(Shared);
            keys.receive(Key_Shared);
            List<Sent> toShared = shared.send(600, i -> 500 + i * 20L);
            List<Sent> toKeys = keys.send(600, i -> 500 + i * 20L);
            Await.until(30_000, () -> "most of them: " + shared.arrivals() + ", " + keys.arrivals(),
                    () -> shared.arrivals().ackedCount() > 450 && keys.arrivals().ackedCount() > 450);
            long killedMillis = System.currentTimeMillis();
            broker().broker().kill();
            broker().broker().start();
            verifyAfterKill(shared, toShared, killedMillis);
            verifyAfterKill(keys, toKeys, killedMillis);
        }
    }

    private static void verifyAfterKill(Scene scene, List<Sent> sent, long killedMillis) throws Exception {
        scene.awaitAcked(sent, AWAY_MILLIS);
        scene.awaitEmptyBut(Scene.SUB, () -> scene.arrivals().repeats(sent));
        List<String> wrong = new ArrayList<>();
        int repeated = 0;
        for (Sent message : sent) {
            // A dispatcher that reads new messages while it reads those due may send some twice, on a busy machine.
            boolean cameAgain = scene.arrivals().count(message.id()) > 1
                    && scene.arrivals().cameAfter(message.id(), killedMillis);
            Optional<Long> ackedMillis = scene.arrivals().firstAckedAtMillis(message.id());
            boolean persisted = ackedMillis.filter(acked -> acked < killedMillis - PERSISTED_MILLIS).isPresent();
            if (cameAgain && persisted) {
                wrong.add(message.id() + " came again, acknowledged " + (killedMillis - ackedMillis.get())
                        + " ms before the kill");
            }
            repeated += cameAgain ? 1 : 0;
        }
        assertEquals(List.of(), wrong);
        assertTrue(repeated < sent.size() / 2, repeated + " messages of " + sent.size() + " came again");
        // Due while the broker was away: late by its absence, early never.
        scene.arrivals().mustBeInTime(sent, scene.earlyWindowMillis(), scene.latestMillis() + AWAY_MILLIS);
    }

    @Test
    void stoppedAndStartedNothingIsLostOrRepeated() throws Exception {
        try (Scene scene = broker().scene("restart")) {
            Receiver receiver = scene.receive(Shared);
            List<Sent> sent = scene.send(600, i -> 1_000 + i * 20L);
            // And none that waits to be acknowledged, of the many that come at once where the machine stood still.
            Await.until(30_000, () -> "some: " + scene.arrivals(), () -> scene.arrivals().ackedCount() > 100
                    && scene.arrivals().ackedCount() == scene.arrivals().distinct());
            receiver.close();
            broker().broker().stop();
            broker().broker().start();
            scene.receive(Shared);
            scene.awaitAcked(sent, AWAY_MILLIS);
            scene.awaitEmptyBut(Scene.SUB, () -> scene.arrivals().repeats(sent));
            List<Sent> acked = sent.stream().filter(message -> scene.arrivals().count(message.id()) == 1).toList();
            // The consumer may have left with received and unacknowledged messages.
            assertTrue(acked.size() > sent.size() - 50, sent.size() - acked.size() + " messages came again");
            scene.arrivals().mustBeInTime(sent, scene.earlyWindowMillis(), scene.latestMillis() + AWAY_MILLIS);
        }
    }
}
