/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import io.github.delayedtracker.it.MigrationJudge.Verdict;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pulsar.common.policies.data.stats.SubscriptionStatsImpl;

/**
 * One topic with a delayed backlog whose subscription goes from tracker to tracker while its producer and its consumers go on;
 * then all falls due. Everything that is measured is printed.
 */
final class MigrationRun implements AutoCloseable {

    static final long TICK_MILLIS = 1_000;

    private static final int MESSAGES_A_SECOND = 3_000;
    private static final long STEP_MILLIS = Long.getLong("migration.it.stepMillis", 30_000);
    private static final long LIFE_MILLIS = 10_000;
    private static final long FAR_WITHIN_MILLIS = 20_000;
    /** The interval of the journal, and two seconds. */
    private static final long YOUNG_MILLIS = 7_000;
    private static final long PATIENCE_MILLIS = 120_000;
    private static final int LEDGERS = 20;
    private static final String RECORD = "#pulsar.internal.delayedtracker.index";
    private static final int SMALLEST_LEDGER = 500;

    private final String title;
    private final MigrationJudge judge = new MigrationJudge(TICK_MILLIS, YOUNG_MILLIS);
    private final Scene scene;
    private final MigratedTopic topic;
    private final LedgersOfACluster ledgers;
    private long farFromMillis;
    private int far;
    private long lifeMillis;

    /** What changes the tracker. */
    interface Change {
        void make() throws Exception;
    }

    /**
     * What trackers have stored for the subscription.
     *
     * @param properties of the cursor
     * @param ledgers by their labels
     */
    record Left(Set<String> properties, Set<Long> ledgers) {

        /** Whether it is what a tracker may leave: a record of {@code bucket} that names nothing stays with its subscription. */
        boolean isNothingButARecordOf(String tracker) {
            return ledgers.isEmpty() && (tracker.equals("bucket") ? Set.of(RECORD) : Set.of()).containsAll(properties);
        }
    }

    /** The verdict, the counts of the broker when all had come, and what was left two minutes later at most. */
    record Outcome(Verdict verdict, long msgDelayed, long msgBacklog, Left left) {
    }

    /** A run that has not begun, on a broker that has. */
    MigrationRun(String title, Scene scene, BrokerFixture fixture, SmallStore store) throws Exception {
        this.title = title;
        this.scene = scene;
        topic = new MigratedTopic(fixture.client(), scene.topic(), judge);
        ledgers = new LedgersOfACluster(store.metadataUrl());
    }

    /** A broker's own limits, but ledgers small enough for the stock bucket tracker to seal several. */
    static BrokerSettings dressed(BrokerSettings settings, int backlog) {
        String entries = Integer.toString(Math.max(SMALLEST_LEDGER, backlog / LEDGERS));
        return settings.withDefaultLimits().with("managedLedgerMinLedgerRolloverTimeMinutes", "0")
                .with("managedLedgerMaxEntriesPerLedger", entries).with("delayedDeliveryMinIndexCountPerBucket", entries)
                // Brokers of 5.0.0 cannot read compressed records with a property.
                .with("managedCursorInfoCompressionType", "NONE")
                // Ledgers that are used up are held back for five times that.
                .with("metadataStoreSessionTimeoutMillis", "10000").with("brokerShutdownTimeoutMs", "20000");
    }

    /** Sends the backlog, of which all but one message in so many are due once so many steps may be over; goes on sending. */
    void begin(String first, int backlog, int nearEach, int steps) throws Exception {
        topic.connect();
        farFromMillis = System.currentTimeMillis() + 1_000L * backlog / MESSAGES_A_SECOND + STEP_MILLIS * (1 + steps);
        far = topic.fill(backlog, nearEach, farFromMillis, FAR_WITHIN_MILLIS);
        topic.startFlow();
        lifeMillis = System.currentTimeMillis();
        say(first + ": " + backlog + " sent, all tracked " + trackedAfter(lifeMillis));
    }

    /** Ends a tracker that has worked for ten seconds, and begins another; returns once that has the whole backlog. */
    void step(String what, Change end, Change begin) throws Exception {
        Await.until(LIFE_MILLIS * 2, () -> "a life", () -> System.currentTimeMillis() > lifeMillis + LIFE_MILLIS);
        int holes = scene.admin().topics().getInternalStats(scene.topic()).cursors.get(Scene.SUB)
                .totalNonContiguousDeletedMessagesRange;
        int sentBefore = judge.sentCount();
        long beginMillis = System.currentTimeMillis();
        judge.trackerEnds(beginMillis);
        end.make();
        long endMillis = System.currentTimeMillis();
        judge.trackerEnded(endMillis);
        begin.make();
        lifeMillis = System.currentTimeMillis();
        Await.until(PATIENCE_MILLIS, () -> "the first due message after " + what,
                () -> judge.firstAfter(endMillis, sentBefore).isPresent());
        long firstMillis = judge.firstAfter(endMillis, sentBefore).orElseThrow();
        String tracked = trackedAfter(lifeMillis);
        say(what + ": " + holes + " ranges acknowledged; ended after " + (endMillis - beginMillis) + " ms, serves after "
                + (lifeMillis - endMillis) + " ms more, first due message " + (firstMillis - lifeMillis)
                + " ms after that, all tracked " + tracked + ", offered to the plugin "
                + Math.round(scene.pluginStat("offers_total")) + "; stored " + left());
    }

    /** Sends no more; returns when all has come and nothing is left by the last tracker, or the patience is at its end. */
    Outcome end(String lastTracker) throws Exception {
        topic.stopFlow();
        long drainMillis = Math.max(0, farFromMillis - System.currentTimeMillis()) + FAR_WITHIN_MILLIS + PATIENCE_MILLIS;
        Await.within(drainMillis, judge::allAcked);
        Await.within(PATIENCE_MILLIS, () -> scene.stats(Scene.SUB).getMsgBacklog() == 0
                && scene.stats(Scene.SUB).getMsgDelayed() == 0);
        SubscriptionStatsImpl counts = scene.stats(Scene.SUB);
        Await.within(PATIENCE_MILLIS, () -> left().isNothingButARecordOf(lastTracker));
        Outcome outcome = new Outcome(judge.verdict(), counts.getMsgDelayed(), counts.getMsgBacklog(), left());
        say("of " + judge.storedCount() + " messages " + outcome.verdict());
        say("left in the end: " + outcome.left());
        return outcome;
    }

    private Left left() throws Exception {
        Set<String> properties = new TreeSet<>(ledgers.cursorProperties(scene.topic(), Scene.SUB));
        properties.removeIf(name -> !name.startsWith("#pulsar.internal.delayed"));
        return new Left(properties, ledgers.ofTrackers(scene.topic()));
    }

    /** Waits until the whole backlog is tracked, unless it falls due before; says how long after a time. */
    private String trackedAfter(long sinceMillis) throws Exception {
        AtomicLong most = new AtomicLong();
        OptionalLong[] tracked = {OptionalLong.empty()};
        Await.within(PATIENCE_MILLIS, () -> {
            long now = System.currentTimeMillis();
            long delayed = scene.stats(Scene.SUB).getMsgDelayed();
            most.accumulateAndGet(delayed, Math::max);
            if (delayed >= far) {
                tracked[0] = OptionalLong.of(now);
            }
            return delayed >= far || now > farFromMillis;
        });
        return tracked[0].isPresent() ? tracked[0].getAsLong() - sinceMillis + " ms after" : "not before it fell due, at most "
                + most + " of " + far;
    }

    private void say(String line) {
        System.out.println("MIGRATION " + title + " | " + line);
    }

    @Override
    public void close() throws Exception {
        topic.close();
        ledgers.close();
    }
}
