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
 * A broker under load, each call of whose storage takes 5 ms: merging keeps up, no subscription waits for the others, and metadata
 * are updated no more than a metadata store bears (S3). Two minutes of virtual time, or as many as the property
 * {@code load.minutes} says.
 */
class BrokerLoadTest {

    private static final int MINUTES = Integer.getInteger("load.minutes", 2);
    private static final long MINUTE_MILLIS = 60_000;
    private static final double MINUTE_SECONDS = 60;
    private static final long CALL_MILLIS = 5;
    private static final long AGE_SEAL_MILLIS = 500;
    private static final double NO_LIMIT = 1e9;
    private static final long MOST_DELAY_MILLIS = 1_800_000;
    private static final int MOST_BUCKETS = 24;
    private static final double MOST_UPDATES_A_SECOND = 15;
    private static final int MOST_TIMES_THE_MEDIAN = 5;
    /** What is about to be due was loaded by then. */
    private static final String LATE = "overdue_positions";

    @ParameterizedTest(name = "{0} subscriptions of {1} messages a second")
    @CsvSource({"100, 1000", "1000, 100", "100000, 0.01667"})
    void mergingKeepsUpAndMetadataAreSpared(int subscriptions, double messagesASecond) {
        JobTime time = new JobTime(1);
        PricedStorage storage = new PricedStorage(time, CALL_MILLIS, NO_LIMIT);
        BucketServices services = SomeServices.in(time, storage).ageSealMillis(AGE_SEAL_MILLIS).make();
        BrokerUnderLoad broker = new BrokerUnderLoad(time, storage, services, MOST_DELAY_MILLIS);
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
            System.out.printf("%d min: buckets %d%n", minute, broker.most("buckets"));
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
        assertTrue(mostUpdates <= MOST_UPDATES_A_SECOND, mostUpdates + " creations and updates of records a second");
        assertTrue(longest <= MOST_TIMES_THE_MEDIAN * Math.max(median, 100), () -> "waits " + Arrays.toString(waits));
        assertEquals(0, broker.sum("seal_failures_total") + broker.sum("merge_failures_total")
                + broker.sum("load_failures_total"));
    }
}
