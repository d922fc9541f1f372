/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.record.CatalogueKeeper.Removal;
import io.github.delayedtracker.bucket.steps.JobWorld;
import io.github.delayedtracker.bucket.storage.DeleteLedgers.Deletions;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a record that is damaged, or of a newer version of the plugin. */
class UnreadableRecordKeeperTest {

    private static final String RECORDED = new CatalogueRecord(1, List.of(7L), List.of()).encode();

    private JobWorld world = new JobWorld(1);

    @AfterEach
    void nothingIsHeld() {
        world.assertNothingHeld("");
    }

    private Map<String, String> durable() {
        return world.faulty.world().propertiesOf(JobWorld.TOPIC, JobWorld.CURSOR);
    }

    private CatalogueKeeper keeperOf(String text) throws Exception {
        world = new JobWorld(1);
        world.get(world.life.catalogue(JobWorld.TOPIC, JobWorld.CURSOR).put(CatalogueKeeper.PROPERTY, text));
        return world.keeper();
    }

    private void assertRecordStays(String text, Kind kind) throws Exception {
        CatalogueKeeper keeper = keeperOf(text);
        StorageException failure = world.failure(kind, keeper.load());
        assertTrue(failure.getMessage().contains("record"), failure.getMessage());
        world.failure(Kind.UNEXPECTED, keeper.update(record -> record.sealed(5)));
        assertEquals(Deletions.NONE, world.get(keeper.deleteDoomed()));
        assertEquals(Map.of(CatalogueKeeper.PROPERTY, text), durable());
    }

    /** #22735: one record that cannot be read; it is a typed failure, and the record stays for who can read it. */
    @Test
    void aRecordThatCannotBeReadIsATypedFailureAndStays() throws Exception {
        for (String text : List.of("?", "", "AgAAAA", RECORDED + "AAAA")) {
            assertRecordStays(text, Kind.CORRUPT);
        }
        assertRecordStays(RecordTexts.nextVersionOf(RECORDED), Kind.NEWER_VERSION);
    }

    @Test
    void aRecordThatCannotBeReadIsWrittenOverOnceSomebodySaysSo() throws Exception {
        CatalogueKeeper keeper = keeperOf("?");
        world.failure(Kind.CORRUPT, keeper.load());
        assertEquals(CatalogueRecord.EMPTY, world.get(keeper.replace()));
        assertTrue(keeper.isReplacing());
        assertEquals("?", durable().get(CatalogueKeeper.PROPERTY));
        world.get(keeper.update(record -> record.sealed(5)));
        assertFalse(keeper.isReplacing());
        assertEquals(List.of(5L), CatalogueRecord.decode(durable().get(CatalogueKeeper.PROPERTY)).live());
    }

    @Test
    void s1_removingEverythingRemovesARecordThatCannotBeReadWhateverItsVersion() throws Exception {
        for (String text : List.of("?", RecordTexts.nextVersionOf(RECORDED))) {
            CatalogueKeeper keeper = keeperOf(text);
            long leftover = world.write(JobWorld.columns(1, 5, 1_000, 100)).ledgerId();
            Removal removal = world.get(keeper.removeAll(60_000));
            assertTrue(removal.isComplete(), removal::toString);
            assertEquals(Set.of(leftover), removal.ledgers().gone());
            assertEquals(Map.of(), durable());
        }
    }
}
