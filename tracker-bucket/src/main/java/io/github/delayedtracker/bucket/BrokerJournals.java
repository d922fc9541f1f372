/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket;

import io.github.delayedtracker.acks.JournalLedgers;
import io.github.delayedtracker.backend.JournalStore;
import io.github.delayedtracker.bucket.journal.StoredJournalLedgers;
import io.github.delayedtracker.bucket.record.JournalNames;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.CatalogueStore.CursorRecords;
import io.github.delayedtracker.bucket.storage.CursorCatalogueStore;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journals of one broker, in the storage of its snapshots. They serve subscriptions of every backend.
 *
 * @param beforeFirst begins the parts that are not needed until a ledger may be written
 */
record BrokerJournals(SnapshotStorage storage, CursorRecords records, Retries retries, LongSupplier wallMillis,
        Runnable beforeFirst) implements JournalStore {

    private static final Logger LOG = LoggerFactory.getLogger(BrokerJournals.class);

    private static String property(Content content) {
        return content == Content.ACKNOWLEDGEMENTS ? JournalNames.ACKS : JournalNames.MOVES;
    }

    @Override
    public boolean isNamed(ManagedCursor cursor, Content content) {
        return cursor.getCursorProperties().containsKey(CatalogueStore.PROPERTY_PREFIX + property(content));
    }

    @Override
    public Optional<JournalLedgers> open(ManagedCursor cursor, Content content) {
        return ledgers(cursor, content).map(ledgers -> ledgers);
    }

    /**
     * Names that are damaged are none, and the sweeper deletes their ledgers. A journal of acknowledgements waits until the
     * cursor has a ledger; a command may come before anything is acknowledged.
     */
    private Optional<StoredJournalLedgers> ledgers(ManagedCursor cursor, Content content) {
        String text = cursor.getCursorProperties().get(CatalogueStore.PROPERTY_PREFIX + property(content));
        List<Long> named = List.of();
        try {
            named = text == null ? named : JournalNames.decode(text);
        } catch (StorageException e) {
            LOG.warn("[{}] {}: its journal of {} cannot be used: {}", cursor.getManagedLedger().getName(),
                    cursor.getName(), content.name().toLowerCase(Locale.ROOT), e.getMessage());
            if (e.kind() == Kind.NEWER_VERSION) {
                return Optional.empty();
            }
        }
        SnapshotOwner owner = new SnapshotOwner(cursor.getManagedLedger().getName(), cursor.getName(), wallMillis.getAsLong());
        return Optional.of(new StoredJournalLedgers(storage, new CursorCatalogueStore(cursor, records,
                CatalogueStore.PROPERTY_PREFIX, content == Content.MOVES), owner, retries.fresh(),
                wallMillis, property(content), named, beforeFirst));
    }

    @Override
    public CompletableFuture<Void> removeAll(ManagedCursor cursor) {
        return CompletableFuture.allOf(Arrays.stream(Content.values()).filter(content -> isNamed(cursor, content))
                .flatMap(content -> ledgers(cursor, content).stream()).map(StoredJournalLedgers::removeAll)
                .toArray(CompletableFuture[]::new));
    }
}
