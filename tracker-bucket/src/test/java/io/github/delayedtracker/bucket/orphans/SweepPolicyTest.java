/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.bucket.orphans.SweepReport.SweepPolicy.Fate;
import io.github.delayedtracker.bucket.orphans.SweepReport.SweepPolicy;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.record.JournalNames;
import io.github.delayedtracker.bucket.record.RecordTexts;
import io.github.delayedtracker.bucket.storage.LedgerLabel;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a ledger is taken for. */
class SweepPolicyTest {

    private static final long DAY = 86_400_000;
    private static final String INDEX = "#pulsar.internal.delayedtracker.index";
    private static final String JOURNAL = "#pulsar.internal.delayedtracker.acks";

    private final SweepPolicy policy = new SweepPolicy(DAY);

    private Fate byAge(long createdAtMillis, long nowMillis) {
        return policy.byLabel(label(createdAtMillis, Optional.of("id")), "id", nowMillis);
    }

    private static Optional<LedgerLabel> label(long createdAtMillis, Optional<String> clusterId) {
        return Optional.of(new LedgerLabel(new SnapshotOwner("t", "c", createdAtMillis), clusterId));
    }

    @Test
    void aLedgerOfNobodyKnownIsForeign() {
        assertEquals(Fate.FOREIGN, policy.byLabel(Optional.empty(), "id", 5 * DAY));
    }

    @Test
    @DisplayName("S11: a ledger without the id of the cluster is not suspected, however old, whatever its cluster is called")
    void aLedgerOfAnotherIdOrOfNoneIsLeft() {
        assertEquals(Fate.WITHOUT_ID, policy.byLabel(label(0, Optional.empty()), "id", 50 * DAY));
        assertEquals(Fate.OF_ANOTHER_ID, policy.byLabel(label(0, Optional.of("another")), "id", 50 * DAY));
        assertEquals(Fate.SUSPECT, policy.byLabel(label(0, Optional.of("id")), "id", 50 * DAY));
    }

    @Test
    void aLedgerIsSuspectFromItsFirstDayOn() {
        assertEquals(Fate.YOUNG, byAge(1_000, 999 + DAY));
        assertEquals(Fate.SUSPECT, byAge(1_000, 1_000 + DAY));
    }

    @Test
    void aTimeOfCreationYetToComeIsYoungAndNothingOverflows() {
        assertEquals(Fate.YOUNG, byAge(2_000, 1_999));
        assertEquals(Fate.YOUNG, byAge(Long.MAX_VALUE, 1_000));
        assertEquals(Fate.YOUNG, new SweepPolicy(Long.MAX_VALUE).byLabel(label(0, Optional.of("id")), "id", DAY));
    }

    @Test
    void theRecordNamesWhatIsLiveAndWhatIsDoomed() {
        Map<String, String> properties = Map.of(INDEX, new CatalogueRecord(3, List.of(5L), List.of(7L)).encode());
        assertEquals(Fate.NAMED, policy.byRecord(5, properties));
        assertEquals(Fate.NAMED, policy.byRecord(7, properties));
        assertEquals(Fate.ORPHAN, policy.byRecord(6, properties));
    }

    @Test
    void theRecordNamesTheLedgersOfAJournal() {
        Map<String, String> properties = Map.of(JOURNAL, JournalNames.encode(List.of(5L, 8L)));
        assertEquals(Fate.NAMED, policy.byRecord(8, properties));
        assertEquals(Fate.ORPHAN, policy.byRecord(6, properties));
        assertEquals(Fate.NEWER, policy.byRecord(6, Map.of(JOURNAL, "2 5")));
    }

    @Test
    void aCursorThatIsGoneOrSaysNothingNamesNothing() {
        assertEquals(Fate.ORPHAN, policy.byRecord(5, Map.of()));
        assertEquals(Fate.ORPHAN, policy.byRecord(5, Map.of("somebody's", "5")));
    }

    @Test
    void aRecordThatIsNotUnderstoodNamesEverything() {
        assertEquals(Fate.DOUBTFUL, policy.byRecord(5, Map.of(INDEX, "?")));
        assertEquals(Fate.DOUBTFUL, policy.byRecord(5, Map.of(JOURNAL, "?")));
    }

    @Test
    void aRecordOfANewerVersionNamesEverythingToo() {
        String known = new CatalogueRecord(3, List.of(6L), List.of()).encode();
        assertEquals(Fate.NEWER, policy.byRecord(5, Map.of(INDEX, RecordTexts.nextVersionOf(known))));
        assertEquals(Fate.NEWER, policy.byRecord(5, Map.of("#pulsar.internal.delayedtracker.other", "x")));
        assertEquals(Fate.NEWER, policy.byRecord(5, Map.of("#pulsar.internal.delayedtracker.other", "x", INDEX, known)));
        assertEquals(Fate.NAMED, policy.byRecord(6, Map.of("#pulsar.internal.delayedtracker.other", "x", INDEX, known)));
    }

    @Test
    void aDamagedRecordBesideANewerOneIsTheGreaterDoubt() {
        assertEquals(Fate.DOUBTFUL, policy.byRecord(5, Map.of(INDEX, "?", JOURNAL, "2 5")));
        assertEquals(Fate.DOUBTFUL, policy.byRecord(5, Map.of(INDEX, "?", "#pulsar.internal.delayedtracker.other", "x")));
    }

    @Test
    void aPropertyOfTheStockTrackerNamesItsLedger() {
        Map<String, String> properties = Map.of("#pulsar.internal.delayed.bucket_1_9", "5");
        assertEquals(Fate.NAMED, policy.byRecord(5, properties));
        assertEquals(Fate.ORPHAN, policy.byRecord(55, properties));
    }
}
