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

import java.util.List;
import java.util.stream.IntStream;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.MessageId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The statistics say beforehand how many acknowledgements a restart brings back, by the rule of the broker line (A6). */
class AcksLostIT {

    private static final int SENT = 1_000;
    private static final int ACKNOWLEDGED = SENT / 2;
    /** Brokers of 4.x write one range more than the limit; here a range is one message. */
    private static final int RANGES_TOO_MANY = 1;
    /** With another subscription on the topic, the cursors write as the broker is set to. */
    private static final String ANOTHER = "another";
    private static final long LOOK_MILLIS = 60_000;
    private static final long FLUSH_MILLIS = 500;
    private static final int MOST_STARTS = 3;

    /** Limits low enough to be reached by a thousand messages. */
    private static BrokerSettings settings() {
        return BrokerSettings.of("timebucket", true, 500)
                .with("managedLedgerMaxEntriesPerLedger", "100")
                .with("managedLedgerMinLedgerRolloverTimeMinutes", "0")
                .with("managedLedgerMaxUnackedRangesToPersist", "150")
                .with("managedLedgerMaxUnackedRangesToPersistInMetadataStore", "50")
                .with("managedLedgerCursorPositionFlushSeconds", "1")
                .with("delayedDeliveryIndexAckJournal", "off")
                .with("delayedDeliveryIndexAckJournalFlushMillis", Long.toString(FLUSH_MILLIS));
    }

    @Test
    void rangesBeyondTheLimitComeAgainOnThe40Line() throws Exception {
        lossIsAsTold(ForkedBroker.of("acks-lost-4.0", settings()), true, RANGES_TOO_MANY);
    }

    @Test
    void theOnlyCursorOfATopicKeepsMoreInBitmapsOnThe40Line() throws Exception {
        lossIsAsTold(ForkedBroker.of("acks-lost-4.0-alone", settings()), false, 0);
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void wholeLedgersBeyondTheLimitComeAgainOnThe42Line() throws Exception {
        lossIsAsTold(ForkedBroker.ofLine("4.2", "acks-lost-4.2", settings(), Harness.ownJavaHome()), true, 0);
    }

    private static void lossIsAsTold(ForkedBroker broker, boolean another, int toldTooMany) throws Exception {
        BrokerFixture fixture = BrokerFixture.start(broker);
        try (Scene planned = fixture.scene("planned"); Scene crash = fixture.scene("crash")) {
            for (Scene scene : List.of(planned, crash)) {
                if (another) {
                    scene.admin().topics().createSubscription(scene.topic(), ANOTHER, MessageId.latest);
                }
            }
            acknowledgeEverySecond(planned);
            double toldPlanned = told(planned, "planned");
            planned.admin().topics().unload(planned.topic());
            mustBeLost(planned, toldPlanned - toldTooMany);
            acknowledgeEverySecond(crash);
            double toldCrash = told(crash, "crash");
            // A record in another form than before is written with the next flush.
            long writtenMillis = System.currentTimeMillis() + 4 * FLUSH_MILLIS;
            Await.until(LOOK_MILLIS, () -> "a flush", () -> System.currentTimeMillis() > writtenMillis);
            Await.atRest(20_000, "the cursor's ledger", () -> List.of(
                    crash.admin().topics().getInternalStats(crash.topic()).cursors.get(Scene.SUB).cursorLedgerLastEntry));
            broker.kill();
            startAgain(broker, crash);
            mustBeLost(crash, toldCrash - toldTooMany);
        } finally {
            fixture.close();
        }
    }

    /** The bookie of a standalone broker that was killed may register and unregister itself without end: it is started anew. */
    private static void startAgain(ForkedBroker broker, Scene scene) throws Exception {
        broker.start();
        for (int starts = 1; !isLoaded(scene); starts++) {
            assertTrue(starts < MOST_STARTS, "the topic was not loaded after " + starts + " starts of the broker");
            broker.kill();
            broker.start();
        }
    }

    private static boolean isLoaded(Scene scene) throws Exception {
        try {
            return Await.within(30_000, () -> scene.stats(Scene.SUB) != null);
        } catch (PulsarAdminException e) {
            System.out.println("the broker is started anew, its topic is not loaded: " + e.getMessage());
            return false;
        }
    }

    private static void acknowledgeEverySecond(Scene scene) throws Exception {
        Receiver receiver = scene.receive(Shared);
        List<Sent> sent = scene.send(SENT, i -> 3_600_000);
        scene.awaitDelayed(SENT);
        receiver.consumer().acknowledge(IntStream.range(0, SENT).filter(i -> i % 2 > 0)
                .mapToObj(i -> sent.get(i).messageId()).toList());
        Await.until(LOOK_MILLIS, () -> "all acknowledgements seen", () -> scene.pluginStat("purged_total") == ACKNOWLEDGED);
    }

    /** Figures are of the last pass, begun before all was acknowledged, or before the cursor had opened its ledger, perhaps. */
    private static double told(Scene scene, String restart) throws Exception {
        Await.until(LOOK_MILLIS, () -> "all holes seen", () -> scene.pluginStat("ack_holes") == ACKNOWLEDGED);
        Await.until(LOOK_MILLIS, () -> "a figure for " + restart, () -> figure(scene, restart) > 0);
        double lost = figure(scene, restart);
        assertTrue(lost < ACKNOWLEDGED, lost + " told");
        return lost;
    }

    private static double figure(Scene scene, String restart) throws Exception {
        return scene.pluginLines("acks_lost_on_restart").filter(line -> line.contains("restart=\"" + restart + "\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).findFirst().orElse(0);
    }

    private static void mustBeLost(Scene scene, double lost) throws Exception {
        Await.until(30_000, () -> "the subscription again", () -> scene.stats(Scene.SUB) != null);
        assertEquals(SENT - ACKNOWLEDGED + lost, scene.stats(Scene.SUB).getMsgBacklog());
    }
}
