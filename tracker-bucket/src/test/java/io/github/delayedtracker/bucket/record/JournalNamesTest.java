/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of a journal's ledgers are a version and ids; another version is newer, anything else damaged. */
class JournalNamesTest {

    @Test
    void theTextIsAVersionAndTheIds() throws StorageException {
        assertEquals("1 7 0 999999999999999999", JournalNames.encode(List.of(7L, 0L, 999_999_999_999_999_999L)));
        assertEquals(List.of(7L, 0L, 999_999_999_999_999_999L), JournalNames.decode("1 7 0 999999999999999999"));
        assertEquals("1", JournalNames.encode(List.of()));
        assertEquals(List.of(), JournalNames.decode("1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "0 7", "-1 7", "x", "1 x", "1 -7", "1 7 ", "1  7", "1 1000000000000000000", "01 7", "1\t7"})
    void whatIsNoneIsDamagedAndNamed(String text) {
        StorageException damaged = assertThrows(StorageException.class, () -> JournalNames.decode(text));
        assertEquals(Kind.CORRUPT, damaged.kind());
        assertTrue(damaged.getMessage().endsWith("not " + text), damaged::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "2 7", "3 anything", "10 7"})
    void anotherVersionIsNewerWhateverFollows(String text) {
        StorageException newer = assertThrows(StorageException.class, () -> JournalNames.decode(text));
        assertEquals(Kind.NEWER_VERSION, newer.kind());
        assertTrue(newer.getMessage().contains("version " + text.split(" ")[0] + "; 1 is the last one known"), newer::getMessage);
    }

    @Test
    void theLedgersOfAllJournalsOfACursorAreFound() throws StorageException {
        assertEquals(List.of(), JournalNames.in(Map.of("index", "whatever")));
        assertEquals(List.of(5L, 6L, 7L), JournalNames.in(Map.of(JournalNames.MOVES, "1 7", JournalNames.ACKS, "1 5 6")));
        assertThrows(StorageException.class, () -> JournalNames.in(Map.of(JournalNames.MOVES, "x", JournalNames.ACKS, "1 5")));
    }
}
