/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.record.RecordText.RecordField;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.fuzz.FuzzTarget;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Any text is the record of a cursor, or the names of its journals, that can be written again, or is refused as damaged or newer.
 * An input is read as a text, and as the bytes that a record's text stands for.
 */
class CatalogueRecordFuzzTest extends FuzzTarget {

    @Override
    protected List<byte[]> seeds() {
        String plain = new CatalogueRecord(300, List.of(70L, 64L, 1L << 40), List.of(71L)).encode();
        String withFields = new CatalogueRecord(1, List.of(), List.of(5L), List.of(new RecordField(1, false, new byte[] {9, 8}),
                new RecordField(3, true, new byte[0]))).encode();
        return List.of(plain.getBytes(StandardCharsets.US_ASCII), withFields.getBytes(StandardCharsets.US_ASCII),
                Base64.getDecoder().decode(plain), Base64.getDecoder().decode(withFields),
                JournalNames.encode(List.of(7L, 1L << 40)).getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    protected void read(byte[] bytes) throws StorageException {
        readText(new String(bytes, StandardCharsets.UTF_8));
        readText(Base64.getEncoder().withoutPadding().encodeToString(bytes));
        if (bytes.length > 0) {
            // Most inputs die of the checksum; with the right one, in the version that is written, the rest has to hold.
            readText(RecordTexts.of(RecordText.VERSION, Arrays.copyOfRange(bytes, 1, bytes.length)));
        }
    }

    private static void readText(String text) throws StorageException {
        try {
            CatalogueRecord record = CatalogueRecord.decode(text);
            assertEquals(record, CatalogueRecord.decode(record.encode()));
        } catch (StorageException e) {
            assertRefused(e);
        }
        try {
            List<Long> ledgers = JournalNames.decode(text);
            assertEquals(ledgers, JournalNames.decode(JournalNames.encode(ledgers)));
        } catch (StorageException e) {
            assertRefused(e);
        }
        StockProperties.ledgerOf("7_9", text).ifPresent(ledger -> assertTrue(ledger >= 0));
    }

    private static void assertRefused(StorageException refused) {
        assertTrue(refused.kind() == Kind.CORRUPT || refused.kind() == Kind.NEWER_VERSION, refused::toString);
    }
}
