/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.record.RecordText.RecordField;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
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

    private static final byte[] LEDGERS = {(byte) 0xac, 2, 2, 1, (byte) 0x8c, 1, 11, 14};

    @Test
    void theTextIsTheOneOfVersionTwo() {
        CatalogueRecord record = new CatalogueRecord(300, List.of(70L, 64L), List.of(71L));
        assertEquals(RecordTexts.of(2, LEDGERS), record.encode());
        CatalogueRecord withFields = new CatalogueRecord(300, List.of(70L, 64L), List.of(71L),
                List.of(new RecordField(1, false, new byte[] {9, 8}), new RecordField(3, true, new byte[0])));
        assertEquals(RecordTexts.of(2, LEDGERS, new byte[] {2, 2, 9, 8, 7, 0}), withFields.encode());
    }

    @Test
    void aTextOfVersionOneIsReadAndWrittenAsVersionTwo() throws StorageException {
        byte[] bytes = {1, (byte) 0xac, 2, 2, 1, (byte) 0x8c, 1, 11, 14};
        CatalogueRecord read = CatalogueRecord.decode(Base64.getEncoder().withoutPadding().encodeToString(bytes));
        assertEquals(new CatalogueRecord(300, List.of(70L, 64L), List.of(71L)), read);
        assertEquals(RecordTexts.of(2, LEDGERS), read.encode());
    }

    @Test
    void fieldsThatNobodyKnowsGoFromEachRecordToTheNext() throws StorageException {
        RecordField field = new RecordField(17, false, new byte[] {1, 2, 3});
        CatalogueRecord record = CatalogueRecord.decode(new CatalogueRecord(1, List.of(5L), List.of(), List.of(field)).encode());
        assertTrue(record.hasUnknownFields());
        record = record.sealed(6).sealed(7).merged(List.of(5L, 6L), 8).imported(9, Optional.of(10L)).dropped(List.of(7L))
                .deleted(List.of(5L));
        assertEquals(List.of(field), CatalogueRecord.decode(record.encode()).fields());
        assertFalse(record.withLedgers(List.of(), List.of()).saysNothing());
    }

    @Test
    void aRequiredFieldThatNobodyKnowsIsANewerVersion() {
        String text = new CatalogueRecord(1, List.of(5L), List.of(), List.of(new RecordField(4, true, new byte[1]))).encode();
        StorageException newer = refused(Kind.NEWER_VERSION, text);
        assertTrue(newer.getMessage().contains("required field 4 of 1 bytes"), newer::getMessage);
    }

    @Test
    void fieldsAscendStandOnceAndAreShort() {
        for (byte[] fields : new byte[][] {{4, 0, 2, 0}, {2, 0, 2, 0}, {2, 0, 3, 0}, {2, 5, 0}, {2}}) {
            refused(Kind.CORRUPT, RecordTexts.of(2, LEDGERS, fields));
        }
        List<RecordField> most = List.of(new RecordField(1, false, new byte[4_095]), new RecordField(2, false, new byte[1]));
        assertEquals(most, new CatalogueRecord(1, List.of(), List.of(), most).fields());
        assertThrows(IllegalArgumentException.class, () -> new CatalogueRecord(1, List.of(), List.of(),
                List.of(new RecordField(1, false, new byte[4_095]), new RecordField(2, false, new byte[2]))));
    }

    @Test
    void aNewerTextIsToldFromADamagedOneByItsChecksum() {
        String newer = RecordTexts.nextVersionOf(CatalogueRecord.EMPTY.sealed(12).encode());
        StorageException told = refused(Kind.NEWER_VERSION, newer);
        assertTrue(told.getMessage().contains("its version is 3"), told::getMessage);
        byte[] bytes = Base64.getDecoder().decode(newer);
        for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            String text = Base64.getEncoder().encodeToString(damaged);
            if (damaged[0] != 1) {
                refused(Kind.CORRUPT, text);
            }
        }
    }

    @Test
    void anyRecordSurvives() throws StorageException {
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
            List<RecordField> fields = new ArrayList<>();
            for (long number = random.nextInt(4); number < 12; number += 1 + random.nextInt(8)) {
                byte[] content = new byte[random.nextInt(200)];
                random.nextBytes(content);
                fields.add(new RecordField(number, false, content));
            }
            CatalogueRecord record = new CatalogueRecord(random.nextLong() >>> 1, ids.subList(0, live),
                    ids.subList(live, ids.size()), fields);
            assertEquals(record, CatalogueRecord.decode(record.encode()));
        }
    }

    @Test
    void damagedTextsAreRefused() throws StorageException {
        CatalogueRecord record = new CatalogueRecord(5, List.of(1_000L, 1_050L, 2_000L), List.of(900L));
        String text = record.encode();
        Random random = new Random(2);
        for (int i = 0; i < 10_000; i++) {
            char[] damaged = text.toCharArray();
            damaged[random.nextInt(damaged.length)] = (char) (' ' + random.nextInt(95));
            try {
                // The last character has bits that mean nothing, and a padding is no damage.
                assertEquals(record, CatalogueRecord.decode(new String(damaged)));
            } catch (StorageException e) {
                assertTrue(e.getMessage().contains("a record of snapshots is damaged: "), e::getMessage);
            }
        }
    }

    @Test
    void aRecordThatClaimsMoreThanItHasIsRefused() {
        String text = RecordTexts.of(2, new byte[] {0, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x7f, 0});
        StorageException refused = refused(Kind.CORRUPT, text);
        assertTrue(refused.getMessage().contains("each id has a byte"), refused::getMessage);
    }

    @Test
    void whatBeginsWithNoVersionIsDamaged() {
        refused(Kind.CORRUPT, RecordTexts.of(0, LEDGERS));
        refused(Kind.CORRUPT, "");
        refused(Kind.CORRUPT, "Ag");
    }

    @Test
    void aLedgerStandsOnce() {
        assertThrows(IllegalArgumentException.class, () -> CatalogueRecord.EMPTY.sealed(7).sealed(7));
        assertThrows(IllegalArgumentException.class, () -> new CatalogueRecord(1, List.of(7L), List.of(7L)));
    }

    private static StorageException refused(Kind kind, String text) {
        StorageException refused = assertThrows(StorageException.class, () -> CatalogueRecord.decode(text), text);
        assertEquals(kind, refused.kind());
        return refused;
    }
}
