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
import java.util.Random;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.junit.jupiter.api.Test;

/**
 * A broker whose messages have at most 5 KiB, as in tests of Pulsar's own: an entry of a snapshot or a journal has at most half
 * of that. The topic is one ledger, whose acknowledgements are a longer bitmap than such an entry has room for.
 */
class SmallMessagesIT {

    /** Beside a second one a cursor writes ranges, of which its record leaves most out. */
    private static final String ANOTHER = "another";
    private static final int MESSAGES = 24_000;
    private static final int SEAL = 1_000;
    /** A request with more ids would be longer than the broker takes. */
    private static final int ACKNOWLEDGED_AT_ONCE = 200;
    private static final long FIRST_DUE_MILLIS = 75_000;
    private static final int DUE_A_MILLI = 3;
    private static final long PATIENCE_MILLIS = 60_000;

    private static final BrokerSettings SETTINGS = BrokerSettings.of("bucket", true, 500)
            .with("maxMessageSize", "5120")
            .with("delayedDeliveryMinIndexCountPerBucket", Integer.toString(SEAL))
            .with("delayedDeliveryIndexLoadAheadMillis", "2000")
            .with("delayedDeliveryIndexAckJournalFlushMillis", "500")
            .with("managedLedgerMaxEntriesPerLedger", "50000")
            .with("managedLedgerMaxUnackedRangesToPersist", "200")
            .with("managedLedgerMaxUnackedRangesToPersistInMetadataStore", "50");

    /** What was sent: messages whose acknowledgement is left to their receiver, and those acknowledged long before. */
    private record Halves(List<Sent> owed, List<Sent> acknowledged, int leading) {

        static Halves of(List<Sent> sent) {
            Halves halves = new Halves(new ArrayList<>(), new ArrayList<>(), 0);
            Random random = new Random(7);
            sent.forEach(message -> (random.nextBoolean() ? halves.owed : halves.acknowledged).add(message));
            return new Halves(halves.owed, halves.acknowledged, sent.indexOf(halves.owed.get(0)));
        }

        /** Acknowledged, and not passed by mark-delete. */
        int holes() {
            return acknowledged.size() - leading;
        }
    }

    @Test
    void bucketsAreSealedMergedAndReadBackAndTheJournalToo() throws Exception {
        ForkedBroker broker = ForkedBroker.of("small-messages", SETTINGS);
        BrokerFixture fixture = BrokerFixture.start(broker);
        try (Scene scene = fixture.scene("small-messages")) {
            Receiver receiver = scene.receive(Shared);
            scene.admin().topics().createSubscription(scene.topic(), ANOTHER, MessageId.latest);
            long dueMillis = System.currentTimeMillis() + FIRST_DUE_MILLIS;
            Halves halves = Halves.of(scene.send(MESSAGES, i -> dueMillis - System.currentTimeMillis() + i / DUE_A_MILLI));
            acknowledge(receiver.consumer(), halves.acknowledged());
            Await.until(PATIENCE_MILLIS, () -> "the acknowledgements in a journal", () ->
                    scene.stats(Scene.SUB).getMsgBacklog() == halves.owed().size()
                            && scene.pluginStat("ack_journal_positions") >= halves.holes());
            scene.awaitRecorded();
            assertTrue(scene.pluginStat("bucket_seals_total") >= MESSAGES / SEAL / 2.0, "seals");
            assertTrue(scene.pluginStat("bucket_merges_total") > 0, "merges");
            mustHaveFailedNowhere(scene);
            assertTrue(System.currentTimeMillis() < dueMillis, "nothing is due before the kill");

            broker.kill();
            broker.start();
            String[] seen = {""};
            Await.until(PATIENCE_MILLIS, () -> "all buckets and acknowledgements again, but" + seen[0]
                    + ", the log of the broker ends:\n" + broker.folder().logTail(), () -> {
                long delayed = scene.stats(Scene.SUB) == null ? -1 : scene.stats(Scene.SUB).getMsgDelayed();
                double restored = scene.pluginStat("ack_journal_restored");
                double recovering = scene.pluginStat("bucket_recovering");
                seen[0] = " delayed " + delayed + " of " + halves.owed().size() + ", restored " + restored + " of "
                        + halves.holes() + ", recovering " + recovering;
                return delayed > halves.owed().size() * 9 / 10 && restored > halves.holes() / 2.0 && recovering == 0;
            });
            double read = scene.pluginStat("offers_total");
            assertTrue(read < MESSAGES / 4.0, () -> read + " messages were read again");

            scene.verify(halves.owed());
            mustHaveFailedNowhere(scene);
        } finally {
            fixture.close();
        }
    }

    private static void acknowledge(Consumer<String> consumer, List<Sent> messages) throws Exception {
        List<MessageId> ids = messages.stream().map(Sent::messageId).toList();
        for (int from = 0; from < ids.size(); from += ACKNOWLEDGED_AT_ONCE) {
            consumer.acknowledge(ids.subList(from, Math.min(ids.size(), from + ACKNOWLEDGED_AT_ONCE)));
        }
    }

    private static void mustHaveFailedNowhere(Scene scene) throws Exception {
        for (String failures : List.of("seal_failures", "merge_failures", "load_failures", "record_failures", "lost_buckets")) {
            assertEquals(0, scene.pluginStat("bucket_" + failures + "_total"), failures);
        }
    }
}
