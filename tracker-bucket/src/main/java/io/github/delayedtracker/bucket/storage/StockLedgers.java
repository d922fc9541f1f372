/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Ledgers that are labelled as the stock bucket tracker labels its own; the rules are those of {@link SnapshotStorage}. */
public interface StockLedgers {

    /** The owner of a ledger; empty if it bears no such label; NO_SUCH_LEDGER if there is none. */
    CompletableFuture<Optional<StockOwner>> ownerOf(long ledgerId);

    /**
     * Makes an empty ledger that a property of the cursor is to name. After a failure a ledger may be left that no caller knows.
     *
     * @param property the whole name of the property
     */
    CompletableFuture<SnapshotWriter> create(StockOwner owner, String property);

    /**
     * The owner of a ledger of the stock bucket tracker, as it stands in the ledger's custom metadata.
     *
     * @param topic the full name of the topic, with its domain
     * @param cursor the name of the subscription
     */
    record StockOwner(String topic, String cursor) {

        private static final String APPLICATION = "application";
        private static final String PULSAR = "pulsar";
        private static final String COMPONENT = "component";
        private static final String INDEX_BUCKET = "delayed-index-bucket";
        private static final String KEY = "pulsar/delayedIndexBucketKey";
        private static final String TOPIC = "pulsar/delayedIndexTopic";
        private static final String CURSOR = "pulsar/delayedIndexCursor";

        /** Refuses a missing name. */
        public StockOwner {
            if (topic == null || topic.isEmpty() || cursor == null || cursor.isEmpty()) {
                throw new IllegalArgumentException("the owner of a stock snapshot needs a topic and a cursor, got "
                        + topic + ", " + cursor);
            }
        }

        /** The owner as the custom metadata of a ledger that a property names. */
        Map<String, byte[]> encode(String property) {
            return Map.of(APPLICATION, PULSAR.getBytes(UTF_8), COMPONENT, INDEX_BUCKET.getBytes(UTF_8),
                    KEY, property.getBytes(UTF_8), TOPIC, topic.getBytes(UTF_8), CURSOR, cursor.getBytes(UTF_8));
        }

        /** The owner in a ledger's custom metadata; empty if the ledger holds no stock snapshot. */
        static Optional<StockOwner> decode(Map<String, byte[]> customMetadata) {
            boolean stock = INDEX_BUCKET.equals(text(customMetadata, COMPONENT))
                    && PULSAR.equals(text(customMetadata, APPLICATION));
            String topic = text(customMetadata, TOPIC);
            String cursor = text(customMetadata, CURSOR);
            return stock && !topic.isEmpty() && !cursor.isEmpty() ? Optional.of(new StockOwner(topic, cursor)) : Optional.empty();
        }

        private static String text(Map<String, byte[]> customMetadata, String key) {
            byte[] bytes = customMetadata.get(key);
            return bytes == null ? "" : new String(bytes, UTF_8);
        }
    }

    /**
     * The storage as seen by one subscription that owns ledgers of the stock bucket tracker too. Such a ledger counts as the
     * subscription's if the label names its topic and its cursor, so that it may be deleted; any other ledger stays foreign.
     * Closing the view closes the storage.
     */
    record WithStockLedgers(SnapshotStorage storage, SnapshotOwner owner, StockLedgers stockLedgers, StockOwner stockOwner)
            implements SnapshotStorage {

        @Override
        public int maxEntryBytes() {
            return storage.maxEntryBytes();
        }

        @Override
        public CompletableFuture<SnapshotWriter> create(SnapshotOwner newOwner) {
            return storage.create(newOwner);
        }

        @Override
        public CompletableFuture<SnapshotReader> open(long ledgerId) {
            return storage.open(ledgerId);
        }

        @Override
        public CompletableFuture<Void> delete(long ledgerId) {
            return storage.delete(ledgerId);
        }

        @Override
        public CompletableFuture<Optional<SnapshotOwner>> ownerOf(long ledgerId) {
            return Futures.inParts("reading the owner of ledger " + ledgerId, parts ->
                    parts.run(() -> storage.ownerOf(ledgerId), found -> {
                        if (found.filter(owner::isSameSubscription).isPresent()) {
                            parts.answer().complete(found);
                        } else {
                            parts.run(() -> stockLedgers.ownerOf(ledgerId), label -> parts.answer().complete(
                                    label.filter(stockOwner::equals).isPresent() ? Optional.of(owner) : found));
                        }
                    }));
        }

        @Override
        public CompletableFuture<List<Long>> list(long afterLedgerId, int limit) {
            return storage.list(afterLedgerId, limit);
        }

        @Override
        public CompletableFuture<Void> close() {
            return storage.close();
        }
    }
}
