/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static io.github.delayedtracker.bucket.chores.ServiceRig.CURSOR;
import static io.github.delayedtracker.bucket.chores.ServiceRig.FAR_MILLIS;
import static io.github.delayedtracker.bucket.chores.ServiceRig.PAUSE_MILLIS;
import static io.github.delayedtracker.bucket.chores.ServiceRig.SEAL;
import static io.github.delayedtracker.bucket.chores.ServiceRig.TOPIC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.ServiceRig.Subscription;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.record.RecordTexts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S1: a record that is damaged, or of a newer version of the plugin. */
class UnreadableRecordTest {

    private static final String DAMAGED = "!!";
    private static final String NEWER = "newer";

    private final ServiceRig rig = new ServiceRig();

    private Subscription openOn(String kind) {
        rig.setRecord(CURSOR, textOf(kind, new CatalogueRecord(1, List.of(70L), List.of()).encode()));
        return rig.open();
    }

    private static String textOf(String kind, String text) {
        return kind.equals(NEWER) ? RecordTexts.nextVersionOf(text) : kind;
    }

    @ParameterizedTest
    @ValueSource(strings = {DAMAGED, NEWER})
    void s1_nothingSpinsHoweverFullTheTail(String kind) {
        Subscription one = openOn(kind);
        one.addFar(3 * SEAL);
        long events = rig.eventsWithin(10 * PAUSE_MILLIS);
        assertTrue(events < 1_000, () -> events + " events in ten minutes");
        for (int minute = 0; minute < 10; minute++) {
            one.buckets.sweep();
            long more = rig.eventsWithin(PAUSE_MILLIS);
            assertTrue(more < 100, () -> more + " events after a look");
        }
    }

    @Test
    void s1_aDamagedRecordIsWrittenAnewOnceThereIsSomethingToSeal() {
        Subscription one = openOn(DAMAGED);
        rig.run(10 * PAUSE_MILLIS);
        assertEquals(DAMAGED, one.record(), "there is nothing to say yet");
        assertEquals(1, one.figure("record_damaged"));
        assertEquals(1, one.figure("record_damaged_total"));
        assertEquals(0, one.figure("recovering"));
        one.addFar(2 * SEAL);
        rig.run(PAUSE_MILLIS);
        assertEquals(0, one.figure("record_damaged"));
        assertEquals(1, one.figure("record_damaged_total"), "it is still told when the record is written over");
        assertEquals(2L * SEAL, one.figure("sealed_positions_total"));
        Subscription again = rig.reload(one, () -> { });
        assertEquals(0, again.figure("record_damaged_total"));
        assertEquals(2L * SEAL, again.figure("sleeping_positions"));
    }

    @Test
    void s1_aNewerRecordIsNeverTouchedAndWhatItNamesIsThereWhenTheNewerVersionIsBack() {
        Subscription before = rig.open();
        before.addFar(4 * SEAL);
        rig.run(PAUSE_MILLIS);
        String text = before.record();
        List<Long> ledgers = rig.storage.world().ledgersOf(TOPIC, CURSOR);
        Subscription older = rig.reload(before, () -> rig.setRecord(CURSOR, RecordTexts.nextVersionOf(text)));
        assertEquals(1, older.figure("record_newer"));
        assertEquals(0, older.figure("record_damaged_total"));
        assertEquals(0, older.figure("recovering"));
        older.addFar(5 * SEAL);
        for (int minute = 0; minute < 60; minute++) {
            older.buckets.sweep();
            rig.run(PAUSE_MILLIS);
        }
        assertEquals(0, older.figure("seals_total"));
        assertEquals(RecordTexts.nextVersionOf(text), older.record());
        assertEquals(ledgers, rig.storage.world().ledgersOf(TOPIC, CURSOR));
        assertEquals(5 * SEAL, older.takeDue(2 * FAR_MILLIS).size(), "from memory");
        Subscription newer = rig.reload(older, () -> rig.setRecord(CURSOR, text));
        assertEquals(4L * SEAL, newer.figure("sleeping_positions"));
        assertTrue(LongStream.range(0, 4 * SEAL).allMatch(entry -> newer.buckets.index().contains(ServiceRig.LEDGER, entry)));
    }

    @ParameterizedTest
    @ValueSource(strings = {DAMAGED, NEWER})
    void s1_clearingPutsItRight(String kind) {
        Subscription one = openOn(kind);
        one.addFar(5 * SEAL / 2);
        one.buckets.index().clear();
        CompletableFuture<Void> cleared = one.buckets.clear();
        rig.run(PAUSE_MILLIS);
        assertTrue(cleared.isDone());
        assertNull(one.record());
        assertEquals(0, one.figure("record_damaged") + one.figure("record_newer"));
        one.addFar(SEAL);
        rig.run(PAUSE_MILLIS);
        assertEquals(SEAL, one.figure("sleeping_positions"));
        assertNotEquals(null, one.record());
    }

    @ParameterizedTest
    @ValueSource(strings = {DAMAGED, NEWER})
    void s1_deletingTheSubscriptionRemovesItWithoutATracker(String kind) {
        Subscription one = openOn(kind);
        one.buckets.close();
        rig.removeAll(CURSOR);
        assertNull(one.record());
    }
}
