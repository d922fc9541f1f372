/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.ServiceRig.Subscription;
import io.github.delayedtracker.bucket.chores.StorageWork.Work;
import io.github.delayedtracker.bucket.storage.Answering;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.metrics.Samples;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a broker tells of its work on the storage. */
class StorageWorkTest {

    private static final long HOUR_MILLIS = 3_600_000;

    private final ServiceRig rig = new ServiceRig();

    private long millis(String of) {
        return rig.services.samples().get("bucket_work_ms_" + of);
    }

    private long bytes(String of) {
        return rig.services.samples().get("bucket_work_bytes_" + of);
    }

    @Test
    void aSealCountsWithItsBytesAndTheRecordThatNamesIt() {
        Subscription one = rig.open();
        one.addFar(ServiceRig.SEAL);
        rig.run(10_000);
        assertEquals(1, one.figure("seals_total"));
        assertEquals(1, millis("count_seal"));
        long head = bytes("sum_seal") - one.buckets.storedParts().parts().get(0).bytes();
        assertTrue(head > 0 && head < 1_000, () -> head + " bytes beside the segments");
        assertTrue(millis("sum_seal") > 0 && millis("sum_seal") < 10_000, () -> millis("sum_seal") + " ms");
        assertTrue(millis("count_record") >= 1);
        assertTrue(bytes("sum_record") >= one.record().length());
        assertEquals(0, millis("count_load") + millis("count_merge") + millis("count_recover"));
    }

    @Test
    void mergesAndWhatIsReadBackAfterALoadOfTheTopicCount() {
        Subscription one = rig.open();
        for (int i = 0; i < 4; i++) {
            one.addFar(ServiceRig.SEAL);
            rig.run(10_000);
        }
        rig.run(HOUR_MILLIS);
        assertEquals(1, one.figure("merges_total"));
        assertEquals(1, millis("count_merge"));
        assertTrue(bytes("sum_merge") > bytes("sum_seal") / 2, "of the four together");
        rig.reload(one, () -> { });
        rig.run(10_000);
        assertEquals(1, millis("count_recover"));
        assertTrue(millis("sum_recover") > 0);
    }

    @Test
    void aSegmentThatIsLoadedCountsWithItsBytes() {
        Subscription one = rig.open();
        long dueMillis = rig.time.nowMillis() + HOUR_MILLIS;
        for (int i = 0; i < ServiceRig.SEAL; i++) {
            one.add(dueMillis, i);
        }
        rig.run(10_000);
        assertEquals(1, one.figure("seals_total"));
        long storedBytes = one.buckets.storedParts().parts().get(0).bytes();
        rig.run(HOUR_MILLIS);
        assertEquals(1, one.figure("loads_total"));
        assertEquals(1, millis("count_load"));
        assertEquals(storedBytes, bytes("sum_load"));
    }

    @Test
    void workThatFailsDoesNotCount() {
        StorageWork work = new StorageWork();
        CompletableFuture<Void> put = new CompletableFuture<>();
        CatalogueStore store = work.measured(Answering.with(CatalogueStore.class, (name, arguments) -> put), () -> 0);
        assertSame(put, store.put("index", "text"), "whoever cancels it cancels the write");
        put.completeExceptionally(new IllegalStateException("no"));
        assertEquals(0, work.samples().get("bucket_work_ms_count_record"));
    }

    @Test
    void aWriteOfTheRecordTakesAsLongAsItsAnswer() {
        StorageWork work = new StorageWork();
        AtomicLong now = new AtomicLong(100);
        CompletableFuture<Void> put = new CompletableFuture<>();
        CatalogueStore store = work.measured(Answering.with(CatalogueStore.class, (name, arguments) -> put), now::get);
        store.put("index", "text").isDone();
        now.set(140);
        put.complete(null);
        Samples samples = work.samples();
        assertEquals(40, samples.get("bucket_work_ms_sum_record"));
        assertEquals(0, samples.get("bucket_work_ms_bucket_record_10"));
        assertEquals(1, samples.get("bucket_work_ms_bucket_record_50"));
        assertEquals(4, samples.get("bucket_work_bytes_sum_record"));
    }

    @Test
    void aClockThatWasSetBackMakesNoTimeNegative() {
        StorageWork work = new StorageWork();
        work.took(Work.RECOVER, -5);
        assertEquals(0, work.samples().get("bucket_work_ms_sum_recover"));
        assertEquals(1, work.samples().get("bucket_work_ms_bucket_recover_5"));
    }

    @Test
    void everyHistogramIsThereFromTheBeginning() {
        Samples samples = new StorageWork().samples();
        for (String work : List.of("seal", "load", "merge", "record")) {
            assertEquals(0, samples.get("bucket_work_ms_count_" + work));
            assertEquals(0, samples.get("bucket_work_bytes_bucket_" + work + "_+Inf"));
        }
        assertEquals(0, samples.get("bucket_work_ms_count_recover"));
        assertFalse(samples.toString().contains("bytes_count_recover"), "what is found again has no size");
    }
}
