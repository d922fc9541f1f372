/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.SomeBroker.Subscription;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S10: a broker that has lost a topic and has not heard of it merges what the next one goes by. */
class TwoOwnersTest {

    private static final String CURSOR = "cursor";
    private static final int SEAL = 20_000;
    private static final long FAR_MILLIS = 3_600_000_000L;
    private static final long HOLD_MILLIS = SomeSettings.DEFAULT.holdMillis();
    private static final long SOON_MILLIS = 30_000;

    private final JobTime time = new JobTime(1);
    private final FaultyStorage storage = new FaultyStorage(1, new FaultRates(20, 0), time);
    private final StorageLife formerLife = storage.newLife();
    private final StorageLife nextLife = storage.newLife();
    private Subscription former;
    private List<Long> sources;

    private static SomeBroker broker(JobTime time, StorageLife life) {
        return new SomeBroker(time, life);
    }

    private Subscription openNext() {
        Subscription next = broker(time, nextLife).open(CURSOR);
        next.goOnFrom(4L * SEAL);
        return next;
    }

    private void run(long millis) {
        time.runUntil(time.nowMillis() + millis);
    }

    private CatalogueRecord recorded() throws Exception {
        return CatalogueRecord.in(storage.world().propertiesOf(SomeBroker.TOPIC, CURSOR));
    }

    /** Two buckets are recorded when the next owner reads the record; then two more, and the merge of all. */
    @BeforeEach
    void mergeAfterTheNextOwnerHasReadTheRecord() throws Exception {
        former = broker(time, formerLife).open(CURSOR);
        run(1_000);
        former.add(SEAL, FAR_MILLIS);
        run(10_000);
        former.add(SEAL, FAR_MILLIS);
        run(10_000);
        sources = recorded().live();
        assertEquals(2, sources.size());
        nextLife.catalogue(SomeBroker.TOPIC, CURSOR);
        former.add(SEAL, FAR_MILLIS);
        run(10_000);
        former.add(SEAL, FAR_MILLIS);
        run(10_000);
        assertEquals(1, former.figure("merges_total"));
        assertTrue(recorded().doomed().containsAll(sources), recorded()::toString);
    }

    private boolean sourcesAreThere() {
        return storage.world().ledgerIds().containsAll(sources);
    }

    @Test
    @DisplayName("S10: what was merged away stays for five session time-outs, so that nothing is read again")
    void theNextOwnerFindsEveryLedgerOfTheRecordItHasRead() {
        Subscription next = openNext();
        run(HOLD_MILLIS - SOON_MILLIS);
        assertEquals(0, next.figure("lost_buckets_total"));
        assertEquals(2L * SEAL, next.figure("sleeping_positions"));
    }

    @Test
    @DisplayName("S10: a former owner that finds another record than its own deletes nothing, however long ago it wrote")
    void aRecordThatSomebodyElseHasWrittenKeepsTheLedgers() throws Exception {
        Subscription next = openNext();
        run(SOON_MILLIS);
        nextLife.refreshCursor(SomeBroker.TOPIC, CURSOR);
        next.add(SEAL, FAR_MILLIS);
        run(HOLD_MILLIS - 3 * SOON_MILLIS);
        List<Long> theirs = recorded().live();
        assertTrue(theirs.containsAll(sources), theirs::toString);
        next.buckets().close();
        run(10 * HOLD_MILLIS);
        assertTrue(storage.world().ledgerIds().containsAll(theirs), "what the record names is there");
        StorageLife thirdLife = storage.newLife();
        Subscription third = broker(time, thirdLife).open(CURSOR);
        run(SOON_MILLIS);
        assertEquals(0, third.figure("lost_buckets_total"));
        assertEquals(3L * SEAL, third.figure("sleeping_positions"));
    }

    @Test
    @DisplayName("S10: what cannot be read again is deleted once it can")
    void ledgersStayWhileTheMetadataStoreIsAway() {
        storage.onEvery(Operation.GET_PROPERTIES, CURSOR, Fault.failBefore(Kind.UNAVAILABLE));
        run(3 * HOLD_MILLIS);
        assertTrue(sourcesAreThere());
        storage.heal();
        run(HOLD_MILLIS);
        assertEquals(1, storage.world().ledgerIds().size());
    }

    @Test
    @DisplayName("S10: an owner that nobody has followed deletes what it has merged away, and the record gets short again")
    void afterTheHoldTheLedgersAreDeleted() throws Exception {
        run(HOLD_MILLIS - SOON_MILLIS);
        assertTrue(sourcesAreThere());
        run(2 * SOON_MILLIS);
        assertEquals(recorded().live(), storage.world().ledgerIds());
        assertEquals(4, former.figure("deleted_ledgers_total"));
    }

    @Test
    @DisplayName("S10: a topic that is unloaded meanwhile leaves them to whoever loads it next")
    void whatIsHeldAtTheCloseIsDeletedByTheNextOwner() throws Exception {
        former.buckets().close();
        run(10 * HOLD_MILLIS);
        assertTrue(sourcesAreThere());
        assertTrue(recorded().doomed().containsAll(sources));
        nextLife.reloadCursor(SomeBroker.TOPIC, CURSOR);
        Subscription next = openNext();
        run(SOON_MILLIS);
        assertEquals(recorded().live(), storage.world().ledgerIds());
        assertEquals(4L * SEAL, next.figure("sleeping_positions"));
    }

    @Test
    @DisplayName("S10: deleting the subscription holds nothing back")
    void aClearDeletesWhatIsHeldAtOnce() {
        CompletableFuture<Void> cleared = former.buckets().clear();
        run(SOON_MILLIS);
        assertTrue(cleared.isDone());
        assertEquals(List.of(), storage.world().ledgerIds());
    }
}
