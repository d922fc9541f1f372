/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket;

import io.github.delayedtracker.bucket.storage.CatalogueStore.CursorRecords;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.ManagedLedgerException.MetaStoreException;
import org.apache.bookkeeper.mledger.ManagedLedgerException.MetadataNotFoundException;
import org.apache.bookkeeper.mledger.ManagedLedgerFactory;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerFactoryImpl;
import org.apache.bookkeeper.mledger.impl.MetaStore;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.storage.ManagedLedgerStorageClass;
import org.apache.pulsar.metadata.api.Stat;

/**
 * The records of cursors as they stand in the metadata store, of loaded topics and of others, in every storage class of the
 * broker. A storage class that keeps them elsewhere makes them unknown.
 *
 * <p>The type of a cursor's record is another one in each broker line, so its properties are taken by the names of its methods,
 * which are the same.
 */
final class MetaStoreCursorRecords implements CursorRecords {

    private final Supplier<List<ManagedLedgerFactory>> factories;

    /** Of all topics of the cluster that the broker is of. */
    MetaStoreCursorRecords(PulsarService pulsar) {
        this(() -> {
            List<ManagedLedgerFactory> all = new ArrayList<>();
            for (ManagedLedgerStorageClass storage : pulsar.getManagedLedgerStorage().getStorageClasses()) {
                all.add(storage.getManagedLedgerFactory());
            }
            return all;
        });
    }

    MetaStoreCursorRecords(Supplier<List<ManagedLedgerFactory>> factories) {
        this.factories = factories;
    }

    @Override
    public CompletableFuture<Map<String, String>> propertiesOf(String topic, String cursor) {
        String what = "reading the record of cursor " + cursor + " of " + topic;
        try {
            CompletableFuture<Map<String, String>> all = CompletableFuture.completedFuture(new HashMap<>());
            for (ManagedLedgerFactory factory : factories.get()) {
                if (!(factory instanceof ManagedLedgerFactoryImpl known)) {
                    return CompletableFuture.failedFuture(new StorageException(Kind.UNEXPECTED,
                            what + " failed: managed ledgers of " + factory.getClass() + " are not known"));
                }
                all = all.thenCombine(read(known.getMetaStore(), topic, cursor, what), (before, more) -> {
                    before.putAll(more);
                    return before;
                });
            }
            return all;
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(failed(what, e));
        }
    }

    private static StorageException failed(String what, Throwable cause) {
        return new StorageException(Kind.UNAVAILABLE, what + " failed: " + cause, cause);
    }

    // Raw, since the record's type is another one in each line.
    @SuppressWarnings({"rawtypes", "unchecked"})
    private static CompletableFuture<Map<String, String>> read(MetaStore store, String topic, String cursor, String what) {
        CompletableFuture<Map<String, String>> answer = new CompletableFuture<>();
        store.asyncGetCursorInfo(topic, cursor, new MetaStore.MetaStoreCallback() {
            @Override
            public void operationComplete(Object record, Stat stat) {
                try {
                    answer.complete(properties(record));
                } catch (Throwable e) {
                    answer.completeExceptionally(failed(what, e));
                }
            }

            @Override
            public void operationFailed(MetaStoreException failure) {
                if (failure instanceof MetadataNotFoundException) {
                    answer.complete(Map.of());
                } else {
                    answer.completeExceptionally(failed(what, failure));
                }
            }
        });
        return answer;
    }

    private static Map<String, String> properties(Object record) throws ReflectiveOperationException {
        Map<String, String> properties = new HashMap<>();
        for (Object property : (List<?>) record.getClass().getMethod("getCursorPropertiesList").invoke(record)) {
            Class<?> type = property.getClass();
            properties.put((String) type.getMethod("getName").invoke(property),
                    (String) type.getMethod("getValue").invoke(property));
        }
        return properties;
    }
}
