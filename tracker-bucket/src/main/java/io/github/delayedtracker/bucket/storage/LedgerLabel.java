/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The label of a ledger: all that its custom metadata say. Clusters that share their bookies may have equal names, and then
 * topics and cursors of equal names too; their ids differ.
 *
 * @param owner the owner of the ledger, in the cluster of that id
 * @param clusterId of the cluster that wrote it; empty if an older version did, or a broker that could not know it
 */
public record LedgerLabel(SnapshotOwner owner, Optional<String> clusterId) {

    private static final String CLUSTER_ID = SnapshotOwner.PREFIX + "clusterId";

    /** The label as the custom metadata of a ledger of a cluster. */
    Map<String, byte[]> encode(String cluster) {
        Map<String, byte[]> metadata = new HashMap<>(owner.encode(cluster));
        clusterId.ifPresent(id -> metadata.put(CLUSTER_ID, id.getBytes(UTF_8)));
        return metadata;
    }

    /** The label in a ledger's custom metadata; empty if the ledger was not written by this plugin in a cluster of that name. */
    static Optional<LedgerLabel> decode(Map<String, byte[]> customMetadata, String cluster) {
        byte[] id = customMetadata.get(CLUSTER_ID);
        return SnapshotOwner.decode(customMetadata, cluster)
                .map(owner -> new LedgerLabel(owner, Optional.ofNullable(id).map(bytes -> new String(bytes, UTF_8))));
    }

    /** The labels of ledgers of any cluster that shares the bookies; the rules are those of {@link SnapshotStorage}. */
    public interface LedgerLabels {

        /** The label; empty unless this plugin wrote the ledger in a cluster of that name; NO_SUCH_LEDGER if there is none. */
        CompletableFuture<Optional<LedgerLabel>> labelOf(long ledgerId);
    }
}
