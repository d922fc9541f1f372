/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.apache.pulsar.client.api.SubscriptionType.Shared;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** I20: messages of a real broker are moved to an earlier and a later time over HTTP, with a kill; each comes at its new time. */
class RescheduleIT {

    private static final int SENT = 3_000;
    private static final int MOVED = 1_000;
    private static final long DUE_MILLIS = 45_000;
    private static final long EARLIER_MILLIS = 30_000;
    private static final long LATER_MILLIS = 60_000;
    /** A container takes longer to come back. */
    private static final long OF_A_CONTAINER_MILLIS = 60_000;

    @Test
    void eachComesAtItsNewTimeThroughAKill() throws Exception {
        move("4.0", "timebucket", Harness.ownJavaHome());
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameWithTheBackendThatStores() throws Exception {
        move("4.0", "bucket", Harness.ownJavaHome());
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameOnThe42Line() throws Exception {
        move("4.2", "heap", Harness.ownJavaHome());
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameOnThe50Line() throws Exception {
        Optional<Path> home = Harness.javaHome(21);
        assumeTrue(home.isPresent(), () -> OnABroker.skipped("RescheduleIT", "no JDK 21 or later"));
        move("5.0", "timebucket", home.orElseThrow());
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameOnTheDistribution() throws Exception {
        move("4.0.8", "bucket", DistributionBroker.of("reschedule-distribution", settings("bucket")), 0);
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameInAContainer() throws Exception {
        assumeTrue(ContainerBroker.engineAnswers(), () -> OnABroker.skipped("RescheduleIT", "no Docker Engine answers"));
        move("container", "timebucket", new ContainerBroker("reschedule-container", settings("timebucket")),
                OF_A_CONTAINER_MILLIS);
    }

    private static BrokerSettings settings(String backend) {
        // On 5.0.0-M1 there is no journal with compressed records.
        return BrokerSettings.of(backend, true, 1_000).withDefaultLimits().withCommands()
                .with("managedCursorInfoCompressionType", "NONE");
    }

    private static void move(String line, String backend, Path javaHome) throws Exception {
        move(line, backend, ForkedBroker.ofLine(line, "reschedule-" + line + "-" + backend, settings(backend), javaHome), 0);
    }

    private static void move(String line, String backend, Broker broker, long moreMillis) throws Exception {
        BrokerFixture fixture = BrokerFixture.start(broker);
        try (Scene scene = fixture.scene("reschedule")) {
            Receiver receiver = scene.receive(Shared, Receiver.Options.usual().with(builder ->
                    builder.isAckReceiptEnabled(true)));
            long nowMillis = System.currentTimeMillis() + moreMillis;
            List<Sent> sent = scene.send(SENT, i -> nowMillis + DUE_MILLIS - System.currentTimeMillis());
            scene.awaitDelayed(SENT);
            List<Sent> shuffled = new ArrayList<>(sent);
            Collections.shuffle(shuffled, new Random(21));
            CommandClient commands = new CommandClient(broker.adminUrl());

            List<Sent> earlier = moved(shuffled.subList(0, MOVED), nowMillis + EARLIER_MILLIS);
            List<Sent> later = moved(shuffled.subList(MOVED, 2 * MOVED), nowMillis + LATER_MILLIS);
            Set<String> allMoved = Set.of("moved");
            assertEquals(allMoved, answers(commands.reschedule(scene.topic(), earlier, nowMillis + EARLIER_MILLIS).values()));
            assertEquals(allMoved, answers(commands.postpone(scene.topic(), later, LATER_MILLIS - DUE_MILLIS).values()));
            scene.awaitDelayed(SENT);
            broker.kill();
            broker.start();
            Await.until(20_000 + moreMillis, () -> "the consumer again", () -> receiver.consumer().isConnected());

            List<Sent> expected = new ArrayList<>(earlier);
            expected.addAll(shuffled.subList(2 * MOVED, SENT));
            expected.addAll(later);
            scene.verify(expected);
            System.out.println("RESCHEDULED " + line + " " + backend + ": " + 2 * MOVED + " of " + SENT);
        } finally {
            fixture.close();
        }
    }

    /** The same messages, due at another time. */
    private static List<Sent> moved(List<Sent> messages, long dueMillis) {
        return messages.stream().map(message -> new Sent(message.id(), message.key(), dueMillis, message.messageId())).toList();
    }

    private static Set<String> answers(Collection<String> all) {
        return new TreeSet<>(all);
    }
}
