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
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A broker under load, each call of whose storage takes 5 ms: merging keeps up, no subscription waits for the others, and
 * metadata are updated no more than a metadata store bears (S3); all subscriptions of a broker that restarts are back without a
 * time-out (S9). Two minutes of virtual time, or as many as the property {@code load.minutes} says.
 */
class BrokerLoadTest {

    private static final int MINUTES = Integer.getInteger("load.minutes", 2);
    private static final long MINUTE_MILLIS = 60_000;
    private static final double MINUTE_SECONDS = 60;
    private static final long CALL_MILLIS = 5;
    private static final long AGE_SEAL_MILLIS = 500;
    private static final double NO_LIMIT = 1e9;
    private static final long MOST_DELAY_MILLIS = 1_800_000;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final double MILLIS_A_SECOND = 1_000;
    private static final int LEDGERS = 3;
    /** Whose it is, and its opening, which would end the writing of another's. */
    private static final int READS_A_LEDGER = 2;
    private static final int LEAST_SEAL = 10;
    /** From the last answer of the server of metadata until the last bucket is back, and it is seen. */
    private static final long MOST_MORE_MILLIS = 100;
    private static final int MOST_BUCKETS = 24;
    private static final double MOST_UPDATES_A_SECOND = 15;
    private static final int MOST_TIMES_THE_MEDIAN = 5;
    /** Where most do not wait at all. */
    private static final long NO_WAIT_MILLIS = 1_000;

    @ParameterizedTest(name = "{0} subscriptions of {1} messages a second")
    @CsvSource({"100, 1000, 100", "1000, 100, 100", "100000, 0.01667, 1000"})
    void mergingKeepsUpAndMetadataAreSpared(int subscriptions, double messagesASecond, long stepMillis) {
        JobTime time = new JobTime(1);
        PricedStorage storage = new PricedStorage(time, CALL_MILLIS, NO_LIMIT);
        BucketServices services = SomeServices.in(time, storage).ageSealMillis(AGE_SEAL_MILLIS).make();
        BrokerUnderLoad broker = new BrokerUnderLoad(time, storage, services, MOST_DELAY_MILLIS, stepMillis);
        broker.open(subscriptions, messagesASecond);
        long updates = 0;
        double mostUpdates = 0;
        long mostBuckets = 0;
        for (int minute = 1; minute <= MINUTES; minute++) {
            broker.run(MINUTE_MILLIS);
            long now = storage.calls("create") + storage.calls("put") + storage.calls("remove");
            mostUpdates = Math.max(mostUpdates, (now - updates) / MINUTE_SECONDS);
            updates = now;
            mostBuckets = Math.max(mostBuckets, broker.most("buckets"));
        }
        long[] waits = broker.subscriptions().stream().mapToLong(BrokerUnderLoad.Subscription::longestWaitMillis).sorted()
                .toArray();
        long median = waits[waits.length / 2];
        long longest = waits[waits.length - 1];
        System.out.printf("%d x %.3f/s, %d min: %d messages, %d seals, %d merges, most buckets %d, updates of metadata %.1f/s"
                + " (the busiest minute %.1f), deletions %.1f/s, longest waits for a merge: median %d ms, most %d ms,"
                + " calls at a time %d%n", subscriptions, messagesASecond, MINUTES, broker.messages(), broker.sum("seals_total"),
                broker.sum("merges_total"), mostBuckets, updates / (MINUTES * MINUTE_SECONDS), mostUpdates,
                storage.calls("delete") / (MINUTES * MINUTE_SECONDS), median, longest, storage.mostUnderWay());
        assertTrue(mostBuckets <= MOST_BUCKETS, mostBuckets + " buckets of one subscription");
        double meanUpdates = updates / (MINUTES * MINUTE_SECONDS);
        assertTrue(meanUpdates <= MOST_UPDATES_A_SECOND, meanUpdates + " creations and updates of records a second");
        assertTrue(longest <= Math.max(NO_WAIT_MILLIS, MOST_TIMES_THE_MEDIAN * median), () -> "waits " + Arrays.toString(waits));
        assertEquals(0, broker.sum("seal_failures_total") + broker.sum("merge_failures_total")
                + broker.sum("load_failures_total"));
    }

    @ParameterizedTest(name = "{0} subscriptions, {1} reads of metadata a second")
    @CsvSource({"10000, 200, 10000", "2000, 4000, 100"})
    void aRestartIsNoHerd(int subscriptions, double metadataReadsASecond, long stepMillis) {
        JobTime time = new JobTime(1);
        PricedStorage storage = new PricedStorage(time, CALL_MILLIS, metadataReadsASecond);
        SomeServices services = SomeServices.in(time, storage).settings(new SomeSettings().seal(LEAST_SEAL).make());
        BrokerUnderLoad before = new BrokerUnderLoad(time, storage, services.make(), HOUR_MILLIS, stepMillis);
        before.open(subscriptions, 0);
        for (int i = 0; i < LEDGERS; i++) {
            before.sealEach(LEAST_SEAL);
        }
        BrokerUnderLoad after = before.movedTo(services.make());
        long tookMillis = after.recoveredMillis((long) LEDGERS * subscriptions);
        System.out.printf("%d subscriptions of %d ledgers, %.0f reads of metadata a second: back after %d ms,"
                + " %d calls given up%n", subscriptions, LEDGERS, metadataReadsASecond, tookMillis, storage.givenUp());
        assertEquals(0, storage.givenUp());
        assertEquals(0, after.sum("late_buckets") + after.sum("lost_buckets_total"));
        double leastMillis = READS_A_LEDGER * LEDGERS * subscriptions * MILLIS_A_SECOND / metadataReadsASecond;
        assertTrue(tookMillis <= leastMillis + MOST_MORE_MILLIS + stepMillis,
                tookMillis + " ms, by the metadata server " + leastMillis);
    }
}
