/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import io.github.delayedtracker.timebucket.CutRule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A subscription has works only while something is stored or worth it, and loses nothing on the way to rest and back. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RestTest {

    private static final String TOPIC = "topic";
    private static final String CURSOR = "cursor";
    private static final long FAR_MILLIS = 100_000_000;
    private static final int WAKE = 100;
    private static final int SEEDS = 200;
    private static final CutRule RULE = new CutRule(100, 1, 300_000);
    /** Every position wakes, and is sealed at once. */
    private static final BucketSettings EAGER = new SomeSettings().seal(2).ageSeal(1).sealAgeMillis(1).make();

    private JobTime time;
    private FaultyStorage storage;
    private StorageLife life;
    private BucketServices services;
    private SubscriptionBuckets buckets;
    private Optional<Runnable> work = Optional.empty();

    /** One thread for all is the lock. */
    private void open(long seed, BucketSettings settings) {
        time = new JobTime(seed);
        storage = new FaultyStorage(seed, new FaultRates(20, 0), time);
        life = storage.newLife();
        start(settings);
    }

    private void start(BucketSettings settings) {
        services = SomeServices.in(time, life.storage()).merges(1, SomeServices.MERGE_BYTES_A_SECOND)
                .settings(new SomeSettings(settings).segments(RULE).make()).make();
        StorageLife opened = life;
        buckets = new SubscriptionBuckets(services, BucketOrigin.of(new BucketKey(TOPIC, CURSOR, BucketKey.WHOLE),
                () -> opened.catalogue(TOPIC, CURSOR)));
        buckets.start(new QuietHost());
    }

    private void openAtRest() {
        open(1, SomeSettings.DEFAULT);
        run(1_000);
        assertRests();
    }

    private void run(long millis) {
        time.runUntil(time.nowMillis() + millis);
    }

    private void add(int from, int to) {
        for (int entry = from; entry < to; entry++) {
            buckets.index().add(dueMillis(entry), 7, entry);
            work = buckets.index().takeWork();
            work.ifPresent(Runnable::run);
        }
    }

    private static long dueMillis(int entry) {
        return FAR_MILLIS + entry * 7_919L % 100_003;
    }

    private void assertRests() {
        assertTrue(buckets.awakeIndex().isEmpty(), "it rests");
        assertEquals(0, time.armedCount(), "nothing is waited for");
        assertEquals(0, services.limits().memory().samples().get("bucket_memory_used_bytes"), "it has no share of the budget");
    }

    private void assertNothingIsStored(String when) {
        assertEquals(List.of(), storage.world().ledgerIds(), when);
        assertEquals(Map.of(), storage.world().propertiesOf(TOPIC, CURSOR), when);
    }

    /** Everything that is there, with its due time. */
    private Map<Long, Long> handOut() {
        Map<Long, Long> taken = new TreeMap<>();
        run(FAR_MILLIS - 120_000 - time.nowMillis());
        while (buckets.index().size() > 0 && time.nowMillis() < 2 * FAR_MILLIS) {
            run(1_000);
            long due = buckets.index().nextDueMillis();
            while (due <= time.nowMillis()) {
                long at = due;
                buckets.index().takeDue(due, 1, (ledgerId, entryId) -> taken.put(entryId, at));
                due = buckets.index().nextDueMillis();
            }
        }
        return taken;
    }

    private static Map<Long, Long> all(int from, int to) {
        Map<Long, Long> all = new TreeMap<>();
        for (int entry = from; entry < to; entry++) {
            all.put((long) entry, dueMillis(entry));
        }
        return all;
    }

    @Test
    void aSubscriptionOfWhichNothingIsStoredRestsOnceThatIsKnown() {
        open(1, SomeSettings.DEFAULT);
        assertTrue(buckets.awakeIndex().orElseThrow().given().isPresent(), "it remembers from the first moment");
        add(0, 3);
        run(1_000);
        assertRests();
        assertEquals(3, buckets.samples().get("bucket_loaded_positions"));
        assertNothingIsStored("at rest");
        assertEquals(all(0, 3), handOut());
    }

    @Test
    void itWakesOnceItIsWorthALedgerAndSealsAndRecoversThen() {
        openAtRest();
        add(0, WAKE - 1);
        run(1_000);
        assertRests();
        add(WAKE - 1, WAKE);
        run(1_000);
        assertTrue(buckets.awakeIndex().isPresent());
        assertNothingIsStored("it is too short for a seal by age");
        add(WAKE, 1_000);
        run(10_000);
        assertEquals(1_000, buckets.awakeIndex().orElseThrow().sleepingPositions());
        assertEquals(1, buckets.samples().get("bucket_seals_total"));

        life.crash();
        time.close();
        life = storage.newLife();
        start(SomeSettings.DEFAULT);
        run(1_000);
        assertEquals(1_000, buckets.index().size());
        assertEquals(all(0, 1_000), handOut());
    }

    @Test
    void aTailThatGrowsToASealBeforeThereAreWorksIsSealed() {
        openAtRest();
        for (int entry = 0; entry < 1_000; entry++) {
            buckets.index().add(dueMillis(entry), 7, entry);
        }
        buckets.index().takeWork().orElseThrow().run();
        run(10_000);
        assertEquals(1_000, buckets.awakeIndex().orElseThrow().sleepingPositions());
    }

    @Test
    void itRestsAgainWhenFewAreLeftAndNothingWasStored() {
        openAtRest();
        add(0, 3 * WAKE);
        run(1_000);
        buckets.index().forgetUpTo(7, 3 * WAKE - WAKE / 2 - 1);
        buckets.sweep();
        run(1_000);
        assertRests();
        add(3 * WAKE, 4 * WAKE);
        run(1_000);
        assertTrue(buckets.awakeIndex().isPresent());
        assertEquals(all(3 * WAKE - WAKE / 2, 4 * WAKE), handOut());
    }

    @Test
    void aWakeUpThatWasDroppedIsMadeUpForByTheNextLook() {
        openAtRest();
        for (int entry = 0; entry < 1_000; entry++) {
            buckets.index().add(dueMillis(entry), 7, entry);
        }
        assertTrue(buckets.index().takeWork().isPresent(), "passed on, and not run");
        run(60_000);
        assertNothingIsStored("without works");
        buckets.sweep();
        run(10_000);
        assertEquals(1_000, buckets.awakeIndex().orElseThrow().sleepingPositions());
    }

    @Test
    void whatWasCountedIsKeptAtRestAndGoesOn() {
        openAtRest();
        add(0, 1_000);
        run(10_000);
        buckets.index().forgetUpTo(7, 1_000);
        CompletableFuture<Void> cleared = buckets.clear();
        run(10_000);
        assertTrue(cleared.isDone());
        buckets.sweep();
        run(10_000);
        assertRests();
        assertNothingIsStored("cleared");
        assertEquals(1, buckets.samples().get("bucket_seals_total"));
        assertEquals(0, buckets.samples().get("bucket_buckets"));
        add(1_000, 2_000);
        run(10_000);
        assertEquals(2, buckets.samples().get("bucket_seals_total"));
    }

    @Test
    void aSubscriptionWithARecordStaysAwakeForTheClearThatRemovesIt() {
        openAtRest();
        add(0, 1_000);
        run(10_000);
        assertEquals(all(0, 1_000), handOut());
        buckets.sweep();
        run(10_000);
        assertEquals(1, storage.world().ledgerIds().size(), "doomed, and held back");
        run(SomeSettings.DEFAULT.holdMillis());
        assertEquals(List.of(), storage.world().ledgerIds());
        assertEquals(1, storage.world().propertiesOf(TOPIC, CURSOR).size());
        assertTrue(buckets.awakeIndex().isPresent());
        CompletableFuture<Void> cleared = buckets.clear();
        run(10_000);
        assertTrue(cleared.isDone());
        assertNothingIsStored("cleared");
    }

    @Test
    void clearingAtRestAsksNobody() {
        openAtRest();
        add(0, 3);
        CompletableFuture<Void> cleared = buckets.clear();
        assertTrue(cleared.isDone());
        assertRests();
        assertEquals(3, buckets.index().size());
    }

    /** At every moment of waking, sealing and resting again. */
    @Test
    void aClearWhileItWakesLeavesNothing() {
        for (int seed = 0; seed < SEEDS; seed++) {
            open(seed, EAGER);
            run(1_000);
            assertRests();
            buckets.index().add(FAR_MILLIS, 7, 1);
            buckets.index().add(FAR_MILLIS, 7, 2);
            Runnable wake = buckets.index().takeWork().orElseThrow();
            boolean dropped = seed % 5 == 0;
            if (!dropped) {
                wake.run();
            }
            time.run(seed / 5);
            buckets.index().forgetUpTo(7, 1);
            CompletableFuture<Void> cleared = buckets.clear();
            if (dropped) {
                wake.run();
            }
            run(20_000);
            assertTrue(cleared.isDone(), "seed " + seed);
            assertNothingIsStored("seed " + seed);
            buckets.index().forgetUpTo(7, 2);
            buckets.sweep();
            run(20_000);
            assertRests();
        }
    }

    @Test
    void aClosedSubscriptionStaysAtRest() {
        openAtRest();
        buckets.close();
        add(0, 2_000);
        buckets.sweep();
        run(60_000);
        assertNothingIsStored("closed at rest");
        assertEquals(0, time.armedCount());
    }

    /** At every moment of waking. */
    @Test
    void aSubscriptionThatIsClosedWhileItWakesDoesNothingMore() {
        for (int events = 0; events < SEEDS / 5; events++) {
            open(events, SomeSettings.DEFAULT);
            run(1_000);
            add(0, 2_000);
            time.run(events);
            buckets.close();
            run(60_000);
            int ledgers = storage.world().ledgerIds().size();
            add(2_000, 4_000);
            buckets.sweep();
            run(60_000);
            assertEquals(ledgers, storage.world().ledgerIds().size(), "after " + events + " events");
            assertEquals(0, time.armedCount(), "after " + events + " events");
        }
    }
}
