/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.orphans.ClusterIdentity.ClusterId;
import io.github.delayedtracker.bucket.orphans.SharedValues.SharedText;
import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.faults.ModelValues;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How the brokers of a cluster come by its id, whatever the metadata store does. */
class ClusterIdentityTest {

    private static final long DAY = SweepWorld.DAY;
    private static final int SEEDS = 200;

    private final JobTime time = new JobTime(1);
    private final SplittableRandom random = new SplittableRandom(1);
    private final ModelValues values = new ModelValues(time, random);

    private Level levelBefore;

    @BeforeEach
    void silenceTheLogOfSoManyBrokers() {
        levelBefore = LogManager.getLogger(ClusterIdentity.class).getLevel();
        Configurator.setLevel(ClusterIdentity.class.getName(), Level.OFF);
    }

    @AfterEach
    void letTheLogSpeakAgain() {
        Configurator.setLevel(ClusterIdentity.class.getName(), levelBefore);
    }

    private ClusterIdentity broker(JobTime of, SharedValues shared, long seed) {
        SplittableRandom ids = new SplittableRandom(seed);
        return new ClusterIdentity(shared, of, of, random::nextLong, of.retries(random::nextLong, JobLimits.DEFAULT),
                () -> new UUID(ids.nextLong(), ids.nextLong()));
    }

    private Optional<String> stored() throws Exception {
        Optional<String> text = values.text(ClusterId.NAME);
        return text.isEmpty() ? Optional.empty() : Optional.of(ClusterId.decode(text.get()).toString());
    }

    @Test
    @DisplayName("S11: the first ledger waits for the id, and the id stays for every later broker")
    void theIdIsMadeOnceAndKept() throws Exception {
        Optional<String> first = time.get(broker(time, values, 1).forLabel());
        assertTrue(first.isPresent());
        assertEquals(stored(), first);
        assertEquals(first, time.get(broker(time, values, 2).forLabel()));
        assertEquals(1, values.puts());
    }

    @Test
    void ofBrokersThatStartAtOnceOneMakesTheIdAndAllHaveIt() throws Exception {
        for (long seed = 0; seed < SEEDS; seed++) {
            JobTime at = new JobTime(seed);
            ModelValues shared = new ModelValues(at, new SplittableRandom(seed));
            shared.faults(400);
            ClusterIdentity[] brokers = new ClusterIdentity[5];
            for (int i = 0; i < brokers.length; i++) {
                brokers[i] = broker(at, shared, i);
                brokers[i].begin();
            }
            at.runUntil(DAY);
            String id = ClusterId.decode(shared.text(ClusterId.NAME).orElseThrow()).toString();
            for (ClusterIdentity broker : brokers) {
                assertEquals(Optional.of(id), at.get(broker.forLabel()), "seed " + seed);
            }
            assertEquals(1, shared.puts(), "seed " + seed);
            assertEquals(0, at.armedCount(), "nobody looks any more, seed " + seed);
        }
    }

    @Test
    void theBrokerThatIsSecondLabelsItsFirstLedgerToo() throws Exception {
        for (long seed = 0; seed < SEEDS; seed++) {
            JobTime at = new JobTime(seed);
            ModelValues shared = new ModelValues(at, new SplittableRandom(seed));
            CompletableFuture<Optional<String>> one = broker(at, shared, 1).forLabel();
            CompletableFuture<Optional<String>> other = broker(at, shared, 2).forLabel();
            assertTrue(at.get(one).isPresent(), "seed " + seed);
            assertEquals(at.get(one), at.get(other), "seed " + seed);
        }
    }

    @Test
    void whileTheStoreFailsNobodyWaitsForAnIdAndLaterItIsKnown() throws Exception {
        values.faults(1_000);
        ClusterIdentity broker = broker(time, values, 1);
        assertEquals(Optional.empty(), time.get(broker.forLabel()));
        assertTrue(broker.forLabel().isDone(), "the second one does not wait at all");
        assertTrue(time.nowMillis() < 1_000, "the first one waited " + time.nowMillis() + " ms");
        values.faults(0);
        time.runUntil(time.nowMillis() + 2 * 60_000);
        values.delete(SweepPlace.NAME);
        assertEquals(stored(), time.get(broker.forLabel()));
        assertTrue(stored().isPresent());
    }

    @Test
    void aStoreThatHangsHoldsTheFirstLedgerUpForSecondsOnly() throws Exception {
        values.hang(true);
        ClusterIdentity broker = broker(time, values, 1);
        assertEquals(Optional.empty(), time.get(broker.forLabel()));
        assertEquals(5_000, time.nowMillis());
        values.hang(false);
        time.runUntil(DAY);
        assertEquals(stored(), time.get(broker.forLabel()));
        assertTrue(stored().isPresent());
    }

    @Test
    void itIsLookedForAtMostEveryHalfMinuteInTheEnd() {
        long[] asked = new long[1];
        SharedValues counting = new SharedValues() {
            @Override
            public CompletableFuture<Optional<Versioned>> get(String name) {
                asked[0]++;
                return CompletableFuture.failedFuture(new OutOfMemoryError("injected"));
            }

            @Override
            public CompletableFuture<Long> put(String name, String text, OptionalLong version) {
                throw new AssertionError("nothing is written unseen");
            }
        };
        broker(time, counting, 1).begin();
        time.runUntil(DAY);
        assertTrue(asked[0] > 100 && asked[0] < DAY / 30_000 + 50, asked[0] + " times a day");
    }

    @Test
    void anIdOfANewerVersionOrADamagedOneIsNeverReplaced() throws Exception {
        for (String text : new String[] {SharedText.sealed("2 something else "), "damaged"}) {
            ModelValues shared = new ModelValues(time, random);
            shared.set(ClusterId.NAME, text);
            ClusterIdentity broker = broker(time, shared, 1);
            broker.begin();
            time.runUntil(time.nowMillis() + DAY);
            assertEquals(Optional.of(text), shared.text(ClusterId.NAME));
            assertEquals(Optional.empty(), time.get(broker.forLabel()));
            broker.close();
        }
    }

    @Test
    void closedItLooksNoMoreAndHoldsNobodyUp() throws Exception {
        values.hang(true);
        ClusterIdentity broker = broker(time, values, 1);
        CompletableFuture<Optional<String>> label = broker.forLabel();
        assertFalse(label.isDone());
        broker.close();
        assertEquals(Optional.empty(), time.get(label));
        values.hang(false);
        time.runAll();
        assertEquals(Optional.empty(), stored());
    }
}
