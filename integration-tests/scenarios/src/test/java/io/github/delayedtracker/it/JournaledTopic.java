/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;

/** A topic whose one subscription has more acknowledged in no order than the cursor's record holds, and a journal of it. */
final class JournaledTopic implements AutoCloseable {

    static final int MESSAGES = 2_000;
    static final String EPOCH = "pulsar.delayed.index.acks.ledger";
    static final long QUIET_MILLIS = 2_000;

    private static final long FROM_MILLIS = 500;
    private static final long WITHIN_MILLIS = 1_500;
    private static final long PATIENCE_MILLIS = 30_000;
    private static final String ANOTHER = "another";

    private final BrokerFixture fixture;
    private final Scene scene;
    private final HalfAcknowledged backlog;

    /** Nothing is sent yet. */
    JournaledTopic(BrokerFixture fixture, String name) throws Exception {
        this.fixture = fixture;
        scene = fixture.scene(name);
        backlog = another(MESSAGES, name.hashCode());
    }

    /** Limits low enough to be exceeded by a random half of two thousand, and short intervals. */
    static BrokerSettings settings() {
        return withLowLimits(BrokerSettings.of("timebucket", false, 1_000))
                .with("delayedDeliveryIndexAckJournalFlushMillis", "500");
    }

    /** The same broker with the stock tracker, which keeps no journal. */
    static BrokerSettings stockSettings() {
        return withLowLimits(BrokerSettings.stockMemory(false, 1_000));
    }

    private static BrokerSettings withLowLimits(BrokerSettings settings) {
        return settings.with("managedLedgerMaxUnackedRangesToPersist", "200")
                .with("managedLedgerMaxUnackedRangesToPersistInMetadataStore", "50")
                .with("managedLedgerCursorPositionFlushSeconds", "1");
    }

    /** The topic of a new namespace, half acknowledged, with a stamped journal and no consumer. */
    static JournaledTopic halfAcknowledged(BrokerFixture fixture, String name) throws Exception {
        JournaledTopic topic = new JournaledTopic(fixture, name);
        topic.acknowledge();
        return topic;
    }

    /** The same with a second subscription, so that the cursor writes ranges as the broker is set to, not bitmaps. */
    static JournaledTopic halfAcknowledgedInRanges(BrokerFixture fixture, String name) throws Exception {
        JournaledTopic topic = new JournaledTopic(fixture, name);
        topic.scene.admin().topics().createSubscription(topic.scene.topic(), ANOTHER, MessageId.latest);
        topic.acknowledge();
        return topic;
    }

    private void acknowledge() throws Exception {
        sendAndAcknowledge();
        awaitJournal();
        backlog.disconnect();
    }

    /** Sends all and has half of them acknowledged; the consumer stays. */
    void sendAndAcknowledge() throws Exception {
        backlog.connect();
        backlog.send(FROM_MILLIS, WITHIN_MILLIS);
        backlog.awaitAcknowledged(0);
    }

    Scene scene() {
        return scene;
    }

    String name() {
        return scene.topic();
    }

    HalfAcknowledged backlog() {
        return backlog;
    }

    /** Other messages of this topic, or another choice of which to acknowledge. */
    HalfAcknowledged another(int messages, long seed) {
        return new HalfAcknowledged(fixture, scene.topic(), messages, seed);
    }

    /** The ledger of the journal that the cursor names in memory; 0 or less if none. */
    long stamped() throws Exception {
        Map<String, Long> properties = scene.admin().topics().getInternalStats(name()).cursors.get(Scene.SUB).getProperties();
        return properties.getOrDefault(EPOCH, -1L);
    }

    /** Waits until a journal is stamped and no other one is any more. */
    long awaitJournal() throws Exception {
        Await.until(PATIENCE_MILLIS, () -> "a journal of " + name(), () -> stamped() > 0);
        return Await.atRest(PATIENCE_MILLIS, "the journal of " + name(), this::stamped);
    }

    /** How many positions the statistics say were acknowledged at the last load. */
    double restored() throws Exception {
        return scene.pluginStat("ack_journal_restored");
    }

    /** A planned unload without a consumer. */
    void unload() throws Exception {
        backlog.disconnect();
        scene.admin().topics().unload(name());
    }

    /** A reset of the cursor by an administrator, without a consumer. */
    void seek(MessageId to) throws Exception {
        backlog.disconnect();
        scene.admin().topics().resetCursor(name(), Scene.SUB, to);
    }

    /** The same to a time of publishing. */
    void seek(long publishedMillis) throws Exception {
        backlog.disconnect();
        scene.admin().topics().resetCursor(name(), Scene.SUB, publishedMillis);
    }

    /** When a message was published. */
    long publishedMillis(int number) throws Exception {
        MessageIdAdv id = (MessageIdAdv) backlog.id(number);
        return scene.admin().topics().getMessagesById(name(), id.getLedgerId(), id.getEntryId()).get(0)
                .getPublishTime();
    }

    /** A new consumer gets each of these once and nothing else. */
    void mustCome(Set<Integer> expected, String when) throws Exception {
        mustCome(backlog, expected, when, () -> true);
    }

    /** The same, and it stays until a journal is stamped. */
    void mustComeAndBeJournaled(Set<Integer> expected, String when) throws Exception {
        mustCome(backlog, expected, when, () -> awaitJournal() > 0);
    }

    /** The same by a consumer of others. */
    static void mustCome(HalfAcknowledged by, Set<Integer> expected, String when, Await.Condition beforeItGoes)
            throws Exception {
        Map<Integer, Integer> came = by.comes(expected, QUIET_MILLIS, beforeItGoes);
        assertEquals(Set.of(), less(expected, came.keySet()), "missing " + when);
        assertEquals(Set.of(), less(came.keySet(), expected), "must not come " + when);
        assertEquals(Map.of(), came.entrySet().stream().filter(entry -> entry.getValue() > 1)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)), "twice " + when);
    }

    /** What a new consumer gets, of which nothing that is owed may be missing; returns what comes though it is acknowledged. */
    Set<Integer> comesThoughAcknowledged(String when) throws Exception {
        Set<Integer> owed = backlog.unacknowledged();
        Set<Integer> came = backlog.comes(owed, QUIET_MILLIS, () -> true).keySet();
        assertEquals(Set.of(), less(owed, came), "missing " + when);
        return less(came, owed);
    }

    static Set<Integer> less(Set<Integer> these, Set<Integer> those) {
        Set<Integer> left = new HashSet<>(these);
        left.removeAll(those);
        return left;
    }

    /** The numbers from one on. */
    static Set<Integer> allFrom(int first) {
        return IntStream.range(first, MESSAGES).boxed().collect(Collectors.toSet());
    }

    @Override
    public void close() throws Exception {
        backlog.close();
        scene.close();
    }
}
