/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the custom metadata of a ledger says to this version, and to the one before. */
class LedgerLabelTest {

    private static final SnapshotOwner OWNER = new SnapshotOwner("t", "c", 42);
    private static final LedgerLabel LABEL = new LedgerLabel(OWNER, Optional.of("an id"));

    @Test
    @DisplayName("S11: a ledger is labelled with the id of its cluster beside its name")
    void theIdIsReadBack() {
        assertEquals(Optional.of(LABEL), LedgerLabel.decode(LABEL.encode("west"), "west"));
    }

    @Test
    void aLabelOfAnOlderVersionHasNoId() {
        assertEquals(Optional.of(new LedgerLabel(OWNER, Optional.empty())), LedgerLabel.decode(OWNER.encode("west"), "west"));
        assertEquals(OWNER.encode("west").keySet(), new LedgerLabel(OWNER, Optional.empty()).encode("west").keySet());
    }

    @Test
    void anOlderVersionReadsTheOwnerOfALabelWithAnId() {
        assertEquals(Optional.of(OWNER), SnapshotOwner.decode(LABEL.encode("west"), "west"));
    }

    @Test
    void theIdAloneIsNotEnough() {
        assertEquals(Optional.empty(), LedgerLabel.decode(LABEL.encode("west"), "east"));
    }
}
