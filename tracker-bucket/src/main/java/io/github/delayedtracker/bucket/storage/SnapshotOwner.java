/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * The owner of a snapshot ledger, kept in the ledger's custom metadata, so that only the owner uses or deletes it: cursor
 * properties may be copied from one partition to another, ledgers may not. The metadata name the cluster too, since clusters may
 * share their bookies and use the same names of topics.
 *
 * @param topic the name of the managed ledger
 * @param cursor the name of the cursor
 * @param createdAtMillis broker wall time of the creation
 */
public record SnapshotOwner(String topic, String cursor, long createdAtMillis) {

    static final String PREFIX = "delayedtracker.";
    private static final String TOPIC = PREFIX + "topic";
    private static final String CURSOR = PREFIX + "cursor";
    private static final String CLUSTER = PREFIX + "cluster";
    private static final String CREATED = PREFIX + "createdAtMillis";

    /** Refuses a missing name. */
    public SnapshotOwner {
        if (topic == null || topic.isEmpty() || cursor == null || cursor.isEmpty()) {
            throw new IllegalArgumentException("the owner of a snapshot needs a topic and a cursor, got "
                    + topic + ", " + cursor);
        }
    }

    /** Whether topic and cursor are the same; the time of creation does not matter. */
    public boolean isSameSubscription(SnapshotOwner other) {
        return topic.equals(other.topic) && cursor.equals(other.cursor);
    }

    /** The owner as the custom metadata of a ledger of a cluster. */
    Map<String, byte[]> encode(String cluster) {
        return Map.of(CLUSTER, cluster.getBytes(UTF_8), TOPIC, topic.getBytes(UTF_8), CURSOR, cursor.getBytes(UTF_8),
                CREATED, Long.toString(createdAtMillis).getBytes(UTF_8));
    }

    /** The owner in a ledger's custom metadata; empty if the ledger was not written by this plugin in this cluster. */
    static Optional<SnapshotOwner> decode(Map<String, byte[]> customMetadata, String cluster) {
        if (!Arrays.equals(customMetadata.get(CLUSTER), cluster.getBytes(UTF_8))) {
            return Optional.empty();
        }
        byte[] topic = customMetadata.get(TOPIC);
        byte[] cursor = customMetadata.get(CURSOR);
        byte[] created = customMetadata.get(CREATED);
        if (topic == null || topic.length == 0 || cursor == null || cursor.length == 0 || created == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new SnapshotOwner(new String(topic, UTF_8), new String(cursor, UTF_8),
                    Long.parseLong(new String(created, UTF_8))));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
