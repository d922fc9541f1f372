/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CatalogueRecordTest {

    @Test
    void aSealAddsAMergeReplacesADropDoomsAndADeletionForgets() {
        CatalogueRecord record = CatalogueRecord.EMPTY.sealed(10).sealed(11).sealed(12).sealed(13).sealed(20);
        record = record.merged(List.of(11L, 13L), 30);
        assertEquals(List.of(10L, 30L, 12L, 20L), record.live());
        assertEquals(List.of(11L, 13L), record.doomed());
        record = record.dropped(List.of(20L, 99L)).deleted(List.of(11L));
        assertEquals(List.of(10L, 30L, 12L), record.live());
        assertEquals(List.of(13L, 20L), record.doomed());
        assertEquals(8, record.sequence());
    }

    @Test
    void theTextIsTheOneOfVersionOne() {
        CatalogueRecord record = new CatalogueRecord(300, List.of(70L, 64L), List.of(71L));
        byte[] bytes = {1, (byte) 0xac, 2, 2, 1, (byte) 0x8c, 1, 11, 14};
        assertEquals(Base64.getEncoder().withoutPadding().encodeToString(bytes), record.encode());
    }

    @Test
    void anyRecordSurvives() throws CorruptRecordException {
        Random random = new Random(1);
        for (int run = 0; run < 1_000; run++) {
            List<Long> ids = new ArrayList<>();
            for (int i = random.nextInt(50); i > 0; i--) {
                long id = random.nextLong() >>> 1 + random.nextInt(62);
                if (!ids.contains(id)) {
                    ids.add(id);
                }
            }
            Collections.shuffle(ids, random);
            int live = ids.isEmpty() ? 0 : random.nextInt(ids.size());
            CatalogueRecord record = new CatalogueRecord(random.nextLong() >>> 1, ids.subList(0, live),
                    ids.subList(live, ids.size()));
            assertEquals(record, CatalogueRecord.decode(record.encode()));
        }
    }

    @Test
    void damagedTextsAreRefusedOrMeanARecord() {
        String text = new CatalogueRecord(5, List.of(1_000L, 1_050L, 2_000L), List.of(900L)).encode();
        Random random = new Random(2);
        int refused = 0;
        for (int i = 0; i < 10_000; i++) {
            char[] damaged = text.toCharArray();
            damaged[random.nextInt(damaged.length)] = (char) (' ' + random.nextInt(95));
            try {
                CatalogueRecord record = CatalogueRecord.decode(new String(damaged));
                assertEquals(record, CatalogueRecord.decode(record.encode()));
            } catch (CorruptRecordException e) {
                refused++;
            }
        }
        assertTrue(refused > 0);
    }

    @Test
    void aRecordThatClaimsMoreThanItHasIsRefused() {
        byte[] claims = {1, 0, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x7f, 0};
        String text = Base64.getEncoder().encodeToString(claims);
        CorruptRecordException refused = assertThrows(CorruptRecordException.class, () -> CatalogueRecord.decode(text));
        assertTrue(refused.getMessage().contains("each id has a byte"), refused::getMessage);
    }

    @Test
    void anotherVersionIsTold() {
        String text = Base64.getEncoder().encodeToString(ByteBuffer.allocate(4).put((byte) 2).array());
        CorruptRecordException refused = assertThrows(CorruptRecordException.class, () -> CatalogueRecord.decode(text));
        assertTrue(refused.getMessage().contains("the version is 1"), refused::getMessage);
    }

    @Test
    void aLedgerStandsOnce() {
        assertThrows(IllegalArgumentException.class, () -> CatalogueRecord.EMPTY.sealed(7).sealed(7));
        assertThrows(IllegalArgumentException.class, () -> new CatalogueRecord(1, List.of(7L), List.of(7L)));
    }
}
