/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import io.github.delayedtracker.JournalCursors;
import io.github.delayedtracker.acks.ScenarioCursor.Cursors;
import io.github.delayedtracker.acks.World.Life;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.apache.bookkeeper.client.PulsarMockBookKeeper;
import org.apache.bookkeeper.common.util.OrderedScheduler;
import org.apache.bookkeeper.mledger.AsyncCallbacks.MarkDeleteCallback;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.impl.ManagedCursorImpl;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerFactoryImpl;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerImpl;
import org.apache.pulsar.metadata.api.MetadataStoreConfig;
import org.apache.pulsar.metadata.api.extended.MetadataStoreExtended;

/**
 * The broker's own cursors on a BookKeeper and a metadata store in memory. A crash leaves the managed ledger as it is and opens
 * it with another factory. Every call waits for its answer, so that a run is the same each time but for what the cursor does on
 * its own threads.
 */
final class RealCursors implements Cursors, AutoCloseable {

    private static final long PATIENCE_SECONDS = 20;
    private static int topics;

    private final OrderedScheduler threads = OrderedScheduler.newSchedulerBuilder().numThreads(1).name("cursor").build();
    private final MetadataStoreExtended store =
            MetadataStoreExtended.create("memory:local", MetadataStoreConfig.builder().metadataStoreName("test").build());
    private final PulsarMockBookKeeper bookKeeper = new PulsarMockBookKeeper(threads);
    private final List<ManagedLedgerFactoryImpl> factories = new ArrayList<>();
    private final String topic = "public/default/persistent/t" + ++topics;
    private final List<Position> places = new ArrayList<>();
    private final int most;

    RealCursors(int most) throws Exception {
        this.most = most;
        ManagedLedgerImpl ledger = open();
        ManagedCursorImpl unused = (ManagedCursorImpl) ledger.openCursor("sub");
        for (int i = 0; i < ModelCursor.ENTRIES * ModelCursor.LEDGERS; i++) {
            places.add(ledger.addEntry(new byte[] {(byte) i}));
        }
        ledger.close();
    }

    private ManagedLedgerImpl open() throws Exception {
        ManagedLedgerConfig config = new ManagedLedgerConfig();
        config.setEnsembleSize(1).setWriteQuorumSize(1).setAckQuorumSize(1);
        config.setMetadataEnsembleSize(1).setMetadataWriteQuorumSize(1).setMetadataAckQuorumSize(1);
        config.setMaxEntriesPerLedger(ModelCursor.ENTRIES);
        config.setRetentionTime(-1, TimeUnit.MILLISECONDS).setRetentionSizeInMB(-1);
        config.setMaxUnackedRangesToPersist(most).setMaxUnackedRangesToPersistInMetadataStore(most / 2);
        config.setThrottleMarkDelete(0);
        ManagedLedgerFactoryImpl factory = new ManagedLedgerFactoryImpl(store, bookKeeper);
        factories.add(factory);
        return (ManagedLedgerImpl) factory.open(topic, config);
    }

    @Override
    public ScenarioCursor load(Life life) {
        try {
            ManagedLedgerImpl ledger = open();
            return new Real(life, ledger, (ManagedCursorImpl) ledger.openCursor("sub"));
        } catch (Exception e) {
            throw new IllegalStateException("the topic cannot be loaded", e);
        }
    }

    @Override
    public void close() throws Exception {
        for (ManagedLedgerFactoryImpl factory : factories) {
            factory.shutdownAsync().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        store.close();
        bookKeeper.shutdown();
        threads.shutdownNow();
    }

    /** A call of the cursor that throws. */
    private interface Call {
        void run() throws Exception;
    }

    private final class Real implements ScenarioCursor, JournalCursor {

        private final Life life;
        private final ManagedLedgerImpl ledger;
        private final ManagedCursorImpl cursor;
        private final JournalCursor journalCursor;
        private boolean hasConsumer = true;
        private IntConsumer whenRestored = index -> { };

        Real(Life life, ManagedLedgerImpl ledger, ManagedCursorImpl cursor) {
            this.life = life;
            this.ledger = ledger;
            this.cursor = cursor;
            this.journalCursor = JournalCursors.of(cursor, this, () -> hasConsumer && !life.isDead);
        }

        private void call(Call call) {
            try {
                call.run();
            } catch (ManagedLedgerException e) {
                // One that was killed may still write its record here, unlike a real one.
                if (!life.isFormer && !(e instanceof ManagedLedgerException.BadVersionException)) {
                    throw new IllegalStateException("the cursor has failed", e);
                }
            } catch (Exception e) {
                throw new IllegalStateException("the cursor has failed", e);
            }
        }

        @Override
        public JournalCursor journalCursor() {
            return this;
        }

        @Override
        public Optional<Moment> moment() {
            return life.isDead ? Optional.empty() : journalCursor.moment();
        }

        /** As the cursor's, but that an acknowledgement is waited for, and told. */
        @Override
        public <T> Optional<T> excluded(Function<Excluded, T> work) {
            return journalCursor.excluded(excluded -> work.apply(new Excluded() {
                @Override
                public Moment moment() {
                    return excluded.moment();
                }

                @Override
                public void stamp(Optional<Stamp> next, Runnable whenWritten) {
                    CompletableFuture<Void> written = new CompletableFuture<>();
                    boolean isAwaited = JournalCursors.writesRecords(cursor) && !life.isFormer;
                    excluded.stamp(next, () -> written.complete(null));
                    if (!isAwaited) {
                        return;
                    }
                    written.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
                    whenWritten.run();
                }

                @Override
                public CompletableFuture<Void> acknowledge(AckedPositions positions) {
                    positions.forEach((ledgerId, entryId) -> whenRestored.accept(indexOf(ledgerId, entryId)));
                    CompletableFuture<Void> done = excluded.acknowledge(positions);
                    done.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
                    return done;
                }
            }));
        }

        private int indexOf(long ledgerId, long entryId) {
            for (int i = 0; i < places.size(); i++) {
                if (places.get(i).getLedgerId() == ledgerId && places.get(i).getEntryId() == entryId) {
                    return i;
                }
            }
            throw new IllegalStateException("no place " + ledgerId + ":" + entryId);
        }

        @Override
        public void consumer(boolean connected) {
            hasConsumer = connected;
        }

        @Override
        public boolean hasConsumer() {
            return hasConsumer;
        }

        @Override
        public void whenRestored(IntConsumer restored) {
            whenRestored = restored;
        }

        @Override
        public boolean isAcked(int index) {
            return cursor.isMessageDeleted(places.get(index));
        }

        @Override
        public int markDelete() {
            int last = -1;
            while (last + 1 < places.size() && places.get(last + 1).compareTo(cursor.getMarkDeletedPosition()) <= 0) {
                last++;
            }
            return last;
        }

        @Override
        public void acknowledge(int index) {
            call(() -> cursor.delete(places.get(index)));
        }

        @Override
        public void cumulative(int index) {
            if (index > markDelete()) {
                call(() -> cursor.markDelete(places.get(index)));
            }
        }

        @Override
        public void reset(int to, Runnable answered) {
            call(() -> {
                try {
                    cursor.resetCursor(places.get(Math.min(to + 1, places.size() - 1)));
                } catch (ManagedLedgerException.InvalidCursorPositionException e) {
                    // A former owner has written the record in between: the seek has failed, and is told to have.
                    return;
                }
                answered.run();
            });
        }

        @Override
        public boolean isResetting() {
            return false;
        }

        /** The part of an acknowledgement after it has read mark-delete and its properties, which the cursor keeps to itself. */
        @Override
        public Runnable holdUp() {
            Position markDeleteBefore = cursor.getMarkDeletedPosition();
            Map<String, Long> properties = cursor.getProperties();
            return () -> call(() -> {
                CompletableFuture<Void> done = new CompletableFuture<>();
                MarkDeleteCallback callback = new MarkDeleteCallback() {
                    @Override
                    public void markDeleteComplete(Object context) {
                        done.complete(null);
                    }

                    @Override
                    public void markDeleteFailed(ManagedLedgerException exception, Object context) {
                        done.complete(null);
                    }
                };
                goOn(markDeleteBefore, properties, callback);
                done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            });
        }

        /** Lines from 4.2 on have one parameter more, for the indexes of batches. */
        private void goOn(Position markDelete, Map<String, Long> properties, MarkDeleteCallback callback)
                throws IllegalAccessException, InvocationTargetException {
            Method method = Stream.of(ManagedCursorImpl.class.getDeclaredMethods())
                    .filter(each -> each.getName().equals("internalAsyncMarkDelete")).findFirst().orElseThrow();
            method.setAccessible(true);
            Runnable nothing = () -> { };
            Object[] first = {markDelete, properties, callback, null};
            Object[] all = {markDelete, properties, callback, null, nothing};
            method.invoke(cursor, method.getParameterCount() == first.length ? first : all);
        }

        @Override
        public void close() {
            call(ledger::close);
        }

        @Override
        public String toString() {
            StringBuilder acked = new StringBuilder();
            for (int i = markDelete() + 1; i < places.size(); i++) {
                acked.append(isAcked(i) ? i + " " : "");
            }
            return "mark-delete " + markDelete() + " [" + acked + "] " + cursor.getProperties();
        }
    }
}
