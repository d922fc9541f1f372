/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.meta.LedgerMetadataSerDe;
import org.apache.bookkeeper.mledger.proto.MLDataFormats.ManagedCursorInfo;
import org.apache.bookkeeper.net.BookieId;
import org.apache.pulsar.metadata.api.GetResult;
import org.apache.pulsar.metadata.api.MetadataStore;
import org.apache.pulsar.metadata.api.MetadataStoreConfig;
import org.apache.pulsar.metadata.api.MetadataStoreFactory;

/** The ledgers that a cluster's metadata store knows, read past every client and cache. */
public final class LedgersOfACluster implements AutoCloseable {

    private static final String ROOT = "/ledgers";
    private static final String OWNER = "delayedtracker.topic";
    private static final String STOCK_OWNER = "pulsar/delayedIndexTopic";
    private static final long ANSWER_SECONDS = 30;

    private final MetadataStore store;

    /** The ledgers of the cluster that has its metadata there. */
    public LedgersOfACluster(String metadataUrl) throws Exception {
        store = MetadataStoreFactory.create(metadataUrl, MetadataStoreConfig.builder().sessionTimeoutMillis(30_000).build());
    }

    /** The ledgers of the plugin for a topic, by id, with the bookies that hold the last entries of each. */
    Map<Long, List<String>> snapshotsOf(String topic) throws Exception {
        Map<Long, List<String>> found = new TreeMap<>();
        metadataOf(topic).forEach((ledgerId, metadata) -> found.put(ledgerId,
                metadata.getAllEnsembles().lastEntry().getValue().stream().map(BookieId::toString).toList()));
        return found;
    }

    /** How many of them are not complete. */
    long beingWritten(String topic) throws Exception {
        return metadataOf(topic).values().stream().filter(metadata -> !metadata.isClosed()).count();
    }

    /** Waits until there is none of a topic. */
    void awaitNoSnapshotOf(String topic, long millis) throws Exception {
        List<Long> left = new ArrayList<>();
        Await.until(millis, () -> "no ledger left of " + topic + ", there are " + left, () -> {
            left.clear();
            left.addAll(metadataOf(topic).keySet());
            return left.isEmpty();
        });
    }

    /** Those that keep a delayed index or a journal, for whatever topic: the plugin's, and those of the stock bucket tracker. */
    public Set<Long> ofTrackers() throws Exception {
        return metadata(labels -> labels.containsKey(OWNER) || "delayed-index-bucket".equals(text(labels.get("component"))))
                .keySet();
    }

    /** Those of a topic, whoever's they are. */
    public Set<Long> ofTrackers(String topic) throws Exception {
        String managedLedger = managedLedger(topic);
        return metadata(labels -> managedLedger.equals(text(labels.get(OWNER)))
                || topic.equals(text(labels.get(STOCK_OWNER))) || managedLedger.equals(text(labels.get(STOCK_OWNER)))).keySet();
    }

    /** The names of the properties in the record of a subscription's cursor, which must not be compressed. */
    public Set<String> cursorProperties(String topic, String subscription) throws Exception {
        Optional<GetResult> record = store.get("/managed-ledgers/" + managedLedger(topic) + "/" + subscription)
                .get(ANSWER_SECONDS, TimeUnit.SECONDS);
        Set<String> names = new TreeSet<>();
        if (record.isPresent()) {
            ManagedCursorInfo.parseFrom(record.get().getValue()).getCursorPropertiesList()
                    .forEach(property -> names.add(property.getName()));
        }
        return names;
    }

    private Map<Long, LedgerMetadata> metadataOf(String topic) throws Exception {
        String managedLedger = managedLedger(topic);
        return metadata(labels -> managedLedger.equals(text(labels.get(OWNER))));
    }

    private static String managedLedger(String topic) {
        return topic.replace("://", "/").replaceFirst("(persistent/[^/]+/[^/]+)/", "$1/persistent/")
                .replaceFirst("^persistent/", "");
    }

    private static String text(byte[] label) {
        return label == null ? null : new String(label, UTF_8);
    }

    private Map<Long, LedgerMetadata> metadata(Predicate<Map<String, byte[]>> ofLabels) throws Exception {
        Map<Long, LedgerMetadata> found = new TreeMap<>();
        for (String path : ledgerPaths(ROOT)) {
            Optional<GetResult> node = store.get(path).get(ANSWER_SECONDS, TimeUnit.SECONDS);
            if (node.isEmpty()) {
                continue;
            }
            long ledgerId = Long.parseLong(path.substring(ROOT.length()).replaceAll("[^0-9]", ""));
            LedgerMetadata metadata = new LedgerMetadataSerDe().parseConfig(node.get().getValue(), ledgerId, Optional.empty());
            if (ofLabels.test(metadata.getCustomMetadata())) {
                found.put(ledgerId, metadata);
            }
        }
        return found;
    }

    /** Whether a bookie of that name offers itself. */
    boolean isRegistered(String bookie) throws Exception {
        return store.getChildren(ROOT + "/available").get(ANSWER_SECONDS, TimeUnit.SECONDS).stream()
                .anyMatch(id -> id.startsWith(bookie + ":"));
    }

    /** Leaves of the tree whose path of digits is cut in pieces, the last of which begins with L. */
    private List<String> ledgerPaths(String folder) throws Exception {
        List<String> paths = new ArrayList<>();
        for (String child : store.getChildren(folder).get(ANSWER_SECONDS, TimeUnit.SECONDS)) {
            String path = folder + "/" + child;
            if (child.matches("L[0-9]+")) {
                paths.add(path);
            } else if (child.matches("[0-9]+")) {
                paths.addAll(ledgerPaths(path));
            }
        }
        return paths;
    }

    /** Lets go of the metadata store. */
    @Override
    public void close() throws Exception {
        store.close();
    }
}
