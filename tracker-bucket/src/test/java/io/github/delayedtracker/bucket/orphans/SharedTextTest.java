/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.orphans.ClusterIdentity.ClusterId;
import io.github.delayedtracker.bucket.orphans.SharedValues.SharedText;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The texts in the metadata store: read back, told damaged, told newer. */
class SharedTextTest {

    private static final ClusterId ID = new ClusterId(UUID.fromString("0f75dfc1-319f-5148-eba7-380e775cd8de"));
    private static final SweepPlace PLACE = new SweepPlace(8_600_000, 1_763_855_042_000L, "5b3f1c90d2e4a871");

    private static Kind failure(Executable reading) {
        return assertThrows(StorageException.class, reading).kind();
    }

    @Test
    void theTextsAreThoseOfThePage() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "design", "bucket.md"));
        assertTrue(page.contains("\n" + ClusterId.NAME + "   " + ID.encode() + "\n"), ID::encode);
        assertTrue(page.contains("\n" + SweepPlace.NAME + "  " + PLACE.encode() + "\n"), PLACE::encode);
    }

    @Test
    void theyAreReadBack() throws Exception {
        assertEquals(ID, ClusterId.decode(ID.encode()));
        assertEquals(PLACE, SweepPlace.decode(PLACE.encode()));
    }

    @Test
    void anyOtherCharacterIsDamage() {
        String text = PLACE.encode();
        for (int at = 0; at < text.length(); at++) {
            String damaged = text.substring(0, at) + (text.charAt(at) == '7' ? '8' : '7') + text.substring(at + 1);
            assertEquals(Kind.CORRUPT, failure(() -> SweepPlace.decode(damaged)), damaged);
            String shorter = text.substring(0, at);
            assertEquals(Kind.CORRUPT, failure(() -> SweepPlace.decode(shorter)), shorter);
        }
    }

    @Test
    void rulesOfTheVersionAreKept() {
        for (String wrong : List.of("1 ", "1 5 5 ", "1 5 5 5 5 ", "1 -2 5 x ", "1 x 5 x ", "0 5 5 x ", "-1 5 5 x ", "x 5 5 x ",
                " ")) {
            assertEquals(Kind.CORRUPT, failure(() -> SweepPlace.decode(SharedText.sealed(wrong))), wrong);
        }
        for (String wrong : new String[] {"1 ", "1 x ", "1 1-1-1-1-1 ", "1 0f75dfc1-319f-5148-eba7-380e775cd8de x "}) {
            assertEquals(Kind.CORRUPT, failure(() -> ClusterId.decode(SharedText.sealed(wrong))), wrong);
        }
    }

    @Test
    void aVersionAboveIsNewerWhateverItSays() {
        for (String newer : new String[] {"2 ", "2 5 5 x ", "12 anything at all "}) {
            assertEquals(Kind.NEWER_VERSION, failure(() -> SweepPlace.decode(SharedText.sealed(newer))), newer);
            assertEquals(Kind.NEWER_VERSION, failure(() -> ClusterId.decode(SharedText.sealed(newer))), newer);
        }
    }
}
