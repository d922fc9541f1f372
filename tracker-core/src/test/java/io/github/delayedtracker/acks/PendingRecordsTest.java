/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.JournalCursors;
import io.github.delayedtracker.acks.JournalCursor.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.bookkeeper.client.PulsarMockBookKeeper;
import org.apache.bookkeeper.common.util.OrderedScheduler;
import org.apache.bookkeeper.mledger.AsyncCallbacks.DeleteCallback;
import org.apache.bookkeeper.mledger.AsyncCallbacks.ReadEntriesCallback;
import org.apache.bookkeeper.mledger.Entry;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.bookkeeper.mledger.impl.ManagedCursorImpl;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerFactoryImpl;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerImpl;
import org.apache.pulsar.metadata.api.MetadataStoreConfig;
import org.apache.pulsar.metadata.api.extended.MetadataStoreExtended;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What becomes of a stamp where the broker's own cursor has another record that waits: from 4.2 on an acknowledgement of nothing
 * takes over the properties of that one.
 */
public class PendingRecordsTest {

    private final OrderedScheduler threads = OrderedScheduler.newSchedulerBuilder().numThreads(1).name("cursor").build();
    private final List<ManagedLedgerFactoryImpl> factories = new ArrayList<>();
    private final Object monitor = new Object();
    private MetadataStoreExtended store;
    private PulsarMockBookKeeper bookKeeper;
    private List<Position> positions = new ArrayList<>();
    private ManagedCursorImpl cursor;
    private JournalCursor journaled;

    @BeforeEach
    void load() throws Exception {
        store = MetadataStoreExtended.create("memory:local", MetadataStoreConfig.builder().metadataStoreName("test").build());
        bookKeeper = new PulsarMockBookKeeper(threads);
        ManagedLedgerImpl ledger = open();
        ManagedCursorImpl unused = (ManagedCursorImpl) ledger.openCursor("sub");
        for (int i = 0; i < 40; i++) {
            positions.add(ledger.addEntry(new byte[] {(byte) i}));
        }
        ledger.close();
        cursor = loaded();
        journaled = JournalCursors.of(cursor, monitor, () -> true);
        for (int i = 1; i < 20; i += 2) {
            cursor.delete(positions.get(i));
        }
    }

    @AfterEach
    void end() throws Exception {
        bookKeeper.setReadHandleInterceptor(null);
        for (ManagedLedgerFactoryImpl factory : factories) {
            try {
                factory.shutdownAsync().get(5, TimeUnit.SECONDS);
            } catch (Exception e) {
                // a ledger that was given up
            }
        }
        store.close();
        bookKeeper.shutdown();
        threads.shutdownNow();
    }

    private ManagedLedgerImpl open() throws Exception {
        ManagedLedgerConfig config = new ManagedLedgerConfig();
        config.setEnsembleSize(1).setWriteQuorumSize(1).setAckQuorumSize(1);
        config.setMetadataEnsembleSize(1).setMetadataWriteQuorumSize(1).setMetadataAckQuorumSize(1);
        config.setRetentionTime(-1, TimeUnit.MILLISECONDS).setRetentionSizeInMB(-1);
        config.setMaxUnackedRangesToPersist(5).setMaxUnackedRangesToPersistInMetadataStore(2);
        config.setThrottleMarkDelete(0);
        ManagedLedgerFactoryImpl factory = new ManagedLedgerFactoryImpl(store, bookKeeper);
        factories.add(factory);
        return (ManagedLedgerImpl) factory.open("public/default/persistent/t", config);
    }

    private ManagedCursorImpl loaded() throws Exception {
        return (ManagedCursorImpl) open().openCursor("sub");
    }

    private CompletableFuture<Void> stamp(Stamp stamp) {
        CompletableFuture<Void> written = new CompletableFuture<>();
        assertTrue(journaled.excluded(excluded -> {
            excluded.stamp(Optional.of(stamp), () -> written.complete(null));
            return true;
        }).orElse(false));
        return written;
    }

    private Optional<Stamp> stampOf(ManagedCursorImpl of) {
        return JournalCursors.of(of, monitor, () -> true).moment().orElseThrow().stamp();
    }

    private static CompletableFuture<Void> acknowledged(ManagedCursorImpl cursor, Position position) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        cursor.asyncDelete(position, new DeleteCallback() {
            @Override
            public void deleteComplete(Object context) {
                done.complete(null);
            }

            @Override
            public void deleteFailed(ManagedLedgerException failure, Object context) {
                done.completeExceptionally(failure);
            }
        }, null);
        return done;
    }

    /** A read of the dispatcher is under way, a user's acknowledgement waits for its end, and the journal stamps. */
    @Test
    void aStampThatIsSaidToBeWrittenIsInTheRecord() throws Exception {
        stamp(new Stamp(100, 1)).get(10, TimeUnit.SECONDS);
        assertEquals(Optional.of(new Stamp(100, 1)), stampOf(cursor));

        CompletableFuture<Void> readEnds = new CompletableFuture<>();
        bookKeeper.setReadHandleInterceptor((ledgerId, first, last, entries) -> readEnds.thenApply(done -> entries));
        CompletableFuture<List<Entry>> read = new CompletableFuture<>();
        cursor.asyncReadEntries(2, new ReadEntriesCallback() {
            @Override
            public void readEntriesComplete(List<Entry> entries, Object context) {
                entries.forEach(Entry::release);
                read.complete(entries);
            }

            @Override
            public void readEntriesFailed(ManagedLedgerException failure, Object context) {
                read.completeExceptionally(failure);
            }
        }, null, PositionFactory.LATEST);
        assertEquals(1, cursor.getPendingReadOpsCount());

        CompletableFuture<Void> user = acknowledged(cursor, positions.get(21));
        CompletableFuture<Void> written = stamp(new Stamp(101, 1));
        assertFalse(written.isDone());
        readEnds.complete(null);
        read.get(10, TimeUnit.SECONDS);
        user.get(10, TimeUnit.SECONDS);
        written.get(10, TimeUnit.SECONDS);

        assertEquals(Optional.of(new Stamp(101, 1)), stampOf(loaded()), "the record, which was said to be written");
    }
}
