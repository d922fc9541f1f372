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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.pulsar.client.api.transaction.Transaction;
import org.apache.pulsar.common.policies.data.EntryFilters;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ways on which a message leaves the broker's road to the consumer, before or after the tracker has handed it out. */
abstract class EdgeScenarios extends Scenarios {

    /** The broker's key for transactions. */
    static final String TRANSACTIONS = "transactionCoordinatorEnabled";

    /** The broker's key for the time between two looks at messages older than their time to live, in minutes. */
    static final String EXPIRY_CHECK = "messageExpiryCheckIntervalInMinutes";

    private static final int COUNT = 40;

    @Test
    @Tag(SMOKE)
    void whatAnAbortedTransactionAcknowledgedComesAgainOnce() throws Exception {
        needs(TRANSACTIONS);
        try (Scene scene = scene("txn-abort")) {
            Receiver receiver = scene.receive(Shared, Receiver.Options.usual().neverAcknowledging());
            List<Sent> again = scene.send(COUNT, i -> Scene.LATER_MILLIS + i * 10L);
            List<Sent> done = scene.send(COUNT, i -> Scene.LATER_MILLIS + i * 10L);
            List<Sent> all = Stream.concat(again.stream(), done.stream()).toList();
            scene.awaitDelayed(2 * COUNT);
            awaitArrived(scene, all, 1);
            Transaction aborted = scene.transaction();
            Transaction committed = scene.transaction();
            acknowledge(receiver, again, aborted);
            acknowledge(receiver, done, committed);
            aborted.abort().get();
            committed.commit().get();
            awaitArrived(scene, again, 2);
            acknowledge(receiver, again);
            scene.awaitEmpty(Scene.SUB);
            scene.arrivals().mustBeTimes(again, 2);
            scene.arrivals().mustBeTimes(done, 1);
        }
    }

    @Test
    void whatATransactionAcknowledgedBeforeItsTimeComesOnceItAborts() throws Exception {
        needs(TRANSACTIONS);
        try (Scene scene = scene("txn-early")) {
            Receiver receiver = scene.receive(Shared);
            Transaction abortedEarly = scene.transaction();
            Transaction abortedLate = scene.transaction();
            Transaction committed = scene.transaction();
            List<Sent> sent = scene.send(3 * COUNT, i -> Scene.MUCH_LATER_MILLIS);
            List<Sent> early = sent.subList(0, COUNT);
            List<Sent> late = sent.subList(COUNT, 2 * COUNT);
            List<Sent> done = sent.subList(2 * COUNT, 3 * COUNT);
            scene.awaitDelayed(3 * COUNT);
            acknowledge(receiver, early, abortedEarly);
            acknowledge(receiver, late, abortedLate);
            acknowledge(receiver, done, committed);
            abortedEarly.abort().get();
            committed.commit().get();
            scene.awaitAcked(early);
            scene.mustBeInTime(Scene.SUB, early);
            abortedLate.abort().get();
            scene.awaitAcked(late);
            awaitNoBacklog(scene);
            scene.arrivals().mustBeTimes(early, 1);
            scene.arrivals().mustBeTimes(late, 1);
            scene.arrivals().mustBeNone(done);
        }
    }

    @Test
    @Tag(SMOKE)
    @DisplayName("messages that an entry filter reschedules before they are tracked or after they were handed out come once")
    void rescheduledMessagesComeOnce() throws Exception {
        needs(EntryFilterArchive.ALLOWED);
        try (Scene scene = scene("reschedule")) {
            scene.admin().namespaces().setNamespaceEntryFilters(scene.namespace(), new EntryFilters(EntryFilterArchive.NAME));
            List<Sent> delayed = new ArrayList<>();
            List<Sent> plain = new ArrayList<>();
            // Read while not due, when due, and both; with plain ones between.
            for (String answers : List.of("RR", "ARR", "RARR", "AAA")) {
                delayed.addAll(scene.send(COUNT, i -> Scene.MUCH_LATER_MILLIS + i * 10L,
                        Map.of(RescheduleFilter.ANSWERS, answers)));
                plain.addAll(scene.send(COUNT, i -> 0, Map.of(RescheduleFilter.ANSWERS, "R")));
            }
            // After the last is stored: a dispatcher that reads new messages while it reads rescheduled ones may send some twice.
            scene.receive(Shared);
            scene.awaitDelayed(4 * COUNT);
            scene.awaitAcked(plain);
            scene.awaitAcked(delayed);
            // On a busy machine it sends plain ones twice all the same, which no tracker has held.
            scene.awaitEmptyBut(Scene.SUB, () -> scene.arrivals().repeats(plain));
            scene.arrivals().mustBeTimes(delayed, 1);
            scene.mustBeInTime(Scene.SUB, delayed);
            scene.mustBeInTime(Scene.SUB, plain);
            int rescheduled = (2 + 2 + 3) * COUNT + 4 * COUNT;
            assertEquals(rescheduled, scene.stats(Scene.SUB).getFilterRescheduledMsgCount(), "what the filter rescheduled");
        }
    }

    @Test
    void whatAFilterRejectsOnceItIsDueLeavesTheCounts() throws Exception {
        needs(EntryFilterArchive.ALLOWED);
        try (Scene scene = scene("reject")) {
            scene.admin().namespaces().setNamespaceEntryFilters(scene.namespace(), new EntryFilters(EntryFilterArchive.NAME));
            scene.receive(Shared);
            List<Sent> rejected = scene.send(COUNT, i -> Scene.LATER_MILLIS + i * 10L, Map.of(RescheduleFilter.ANSWERS, "AX"));
            List<Sent> kept = scene.send(COUNT, i -> Scene.LATER_MILLIS + i * 10L, Map.of(RescheduleFilter.ANSWERS, "AA"));
            scene.awaitDelayed(2 * COUNT);
            scene.verify(kept);
            scene.arrivals().mustBeNone(rejected);
            assertEquals(COUNT, scene.stats(Scene.SUB).getFilterRejectedMsgCount(), "what the filter rejected");
        }
    }

    @Test
    void messagesThatOutliveTheirTimeToLiveAreForgotten() throws Exception {
        needs(EXPIRY_CHECK);
        try (Scene scene = scene("time-to-live")) {
            scene.receive(Shared);
            List<Sent> expired = scene.send(300, i -> 100_000);
            scene.awaitDelayed(300);
            scene.admin().namespaces().setNamespaceMessageTTL(scene.namespace(), 2);
            Await.until(80_000, () -> "the next look at old messages", () -> scene.stats(Scene.SUB).getMsgBacklog() == 0);
            scene.awaitDelayed(0);
            List<Sent> kept = scene.send(50, i -> 2_000 + i * 10L);
            scene.verify(kept);
            scene.arrivals().mustBeNone(expired);
        }
    }

    @Test
    void encryptedMessagesComeOnceAndInTime() throws Exception {
        KeyPairReader keys = new KeyPairReader();
        try (Scene scene = scene("encrypted")) {
            scene.producing(builder -> builder.addEncryptionKey("k").cryptoKeyReader(keys));
            scene.receive(Shared, Receiver.Options.usual().with(builder -> builder.cryptoKeyReader(keys)));
            List<Sent> sent = scene.send(100, i -> i % 4 == 0 ? 0 : 500 + i * 20L);
            scene.verify(sent);
            assertTrue(scene.storesEncrypted(), "was to be stored encrypted");
        }
    }

    private static void awaitArrived(Scene scene, List<Sent> sent, int times) throws Exception {
        long lastMillis = sent.stream().mapToLong(Sent::deliverAtMillis).max().orElseThrow();
        long waitMillis = Math.max(0, lastMillis - System.currentTimeMillis()) + scene.latestMillis() + Scene.READ_MILLIS;
        Await.until(waitMillis, () -> sent.size() + " messages " + times + " times: " + scene.arrivals(),
                () -> sent.stream().allMatch(message -> scene.arrivals().count(message.id()) >= times));
    }

    /** All but the unacknowledged, of which the broker counts one less for each acknowledged before it was sent. */
    private static void awaitNoBacklog(Scene scene) throws Exception {
        Await.until(75_000, () -> "no backlog, nothing delayed in " + scene.topic() + ": " + scene.arrivals(),
                () -> scene.stats(Scene.SUB).getMsgBacklog() == 0 && scene.stats(Scene.SUB).getMsgDelayed() == 0);
    }

    private static void acknowledge(Receiver receiver, List<Sent> sent, Transaction transaction) throws Exception {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (Sent message : sent) {
            all.add(receiver.consumer().acknowledgeAsync(message.messageId(), transaction));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get();
    }

    private static void acknowledge(Receiver receiver, List<Sent> sent) throws Exception {
        receiver.consumer().acknowledge(sent.stream().map(Sent::messageId).toList());
    }
}
