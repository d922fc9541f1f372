/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The texts in the metadata store: read back, told damaged, told newer. */
class SharedTextTest {

    private static final ClusterId ID = new ClusterId(new UUID(0x123456789abcdef0L, 0xfedcba9876543210L));
    private static final SweepPlace PLACE = new SweepPlace(8_600_000_000L, 1_700_000_000_000L, "1f");

    private static Kind failure(Executable reading) {
        return assertThrows(StorageException.class, reading).kind();
    }

    @Test
    void theTextsAreThoseOfTheFormatPage() {
        assertEquals("1 12345678-9abc-def0-fedc-ba9876543210 ", ID.encode().substring(0, ID.encode().length() - 8));
        assertEquals("1 8600000000 1700000000000 1f ", PLACE.encode().substring(0, PLACE.encode().length() - 8));
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
        for (String wrong : new String[] {"1 ", "1 x ", "1 1-1-1-1-1 ", "1 12345678-9abc-def0-fedc-ba9876543210 x "}) {
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
