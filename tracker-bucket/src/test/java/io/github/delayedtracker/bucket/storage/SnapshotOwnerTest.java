/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SnapshotOwnerTest {

    private static final String CLUSTER = "west";
    private static final SnapshotOwner OWNER = new SnapshotOwner("t", "c", 42);

    @Test
    void theOwnerIsReadBackFromCustomMetadata() {
        assertEquals(Optional.of(OWNER), SnapshotOwner.decode(OWNER.encode(CLUSTER), CLUSTER));
    }

    @Test
    void metadataOfOthersOrInPiecesHasNoOwner() {
        assertEquals(Optional.empty(), SnapshotOwner.decode(Map.of(), CLUSTER));
        Map<String, byte[]> ofStock = Map.of("component", "delayed-index-bucket".getBytes(UTF_8));
        assertEquals(Optional.empty(), SnapshotOwner.decode(ofStock, CLUSTER));
        for (String key : OWNER.encode(CLUSTER).keySet()) {
            Map<String, byte[]> pieces = new HashMap<>(OWNER.encode(CLUSTER));
            pieces.remove(key);
            assertEquals(Optional.empty(), SnapshotOwner.decode(pieces, CLUSTER), "without " + key);
            pieces.put(key, new byte[0]);
            assertEquals(Optional.empty(), SnapshotOwner.decode(pieces, CLUSTER), "with an empty " + key);
        }
    }

    @Test
    void aLedgerOfAnotherClusterOnTheSameBookiesHasNoOwnerHere() {
        assertEquals(Optional.empty(), SnapshotOwner.decode(OWNER.encode("east"), CLUSTER));
    }

    @Test
    void theSameSubscriptionMeansTopicAndCursor() {
        assertTrue(OWNER.isSameSubscription(new SnapshotOwner("t", "c", 1)));
        assertFalse(OWNER.isSameSubscription(new SnapshotOwner("t", "d", 42)));
        assertFalse(OWNER.isSameSubscription(new SnapshotOwner("u", "c", 42)));
    }

    @Test
    void anOwnerWithoutNamesIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new SnapshotOwner("", "c", 1));
        assertThrows(IllegalArgumentException.class, () -> new SnapshotOwner("t", null, 1));
    }
}
