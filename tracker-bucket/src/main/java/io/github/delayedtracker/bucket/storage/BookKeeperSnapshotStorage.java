/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import io.github.delayedtracker.bucket.storage.LedgerLabel.LedgerLabels;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StockLedgers.StockOwner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.LedgersIterator;
import org.apache.bookkeeper.client.api.ListLedgersResult;

/**
 * Snapshots in BookKeeper, through its public client interfaces only, which are the same in all supported broker lines.
 *
 * <p>The client is this storage's own: made by the supplier at first need, closed with the storage. Two calls block inside
 * BookKeeper, listing and closing the client; they run on the executor given for them and delay nothing but each other.
 */
public final class BookKeeperSnapshotStorage implements SnapshotStorage, LedgerLabels {

    /**
     * The settings of snapshot ledgers: the broker's managed-ledger defaults.
     *
     * @param ensembleSize bookies a ledger is spread over ({@code managedLedgerDefaultEnsembleSize})
     * @param writeQuorum copies of an entry ({@code managedLedgerDefaultWriteQuorum})
     * @param ackQuorum copies waited for ({@code managedLedgerDefaultAckQuorum})
     * @param digestType checksum of an entry ({@code managedLedgerDigestType})
     * @param clusterName the cluster of the ledgers ({@code clusterName}); bookies may serve several
     * @param maxMessageBytes the largest message of the cluster ({@code maxMessageSize}); a bookie may take no larger request
     */
    public record LedgerSettings(int ensembleSize, int writeQuorum, int ackQuorum, DigestType digestType, String clusterName,
            int maxMessageBytes) {

        /** The bytes of a request besides the entry, with room to spare; half of a request where that is less. */
        static final int REQUEST_OVERHEAD_BYTES = 10 * 1024;
        /** Half of it holds the longest forms of a few positions, and of the names of most topics and subscriptions. */
        static final int LEAST_MESSAGE_BYTES = 1024;

        /** Refuses settings that BookKeeper would refuse. */
        public LedgerSettings {
            clusterName = clusterName == null ? "" : clusterName;
            if (ackQuorum < 1 || writeQuorum < ackQuorum || ensembleSize < writeQuorum) {
                throw new IllegalArgumentException("a ledger needs 1 <= ack quorum <= write quorum <= ensemble, got "
                        + ackQuorum + ", " + writeQuorum + ", " + ensembleSize);
            }
            if (maxMessageBytes < LEAST_MESSAGE_BYTES) {
                throw new IllegalArgumentException("maxMessageSize must be at least " + LEAST_MESSAGE_BYTES
                        + " where snapshots are stored, got " + maxMessageBytes);
            }
        }

        /** The largest entry that fits into a request. */
        int maxEntryBytes() {
            return maxMessageBytes - Math.min(REQUEST_OVERHEAD_BYTES, maxMessageBytes / 2);
        }

        /** The same password as the broker's own ledgers of this kind: none. */
        byte[] password() {
            return new byte[0];
        }
    }

    private final LazyClient client;
    private final LedgerSettings settings;
    private final Supplier<CompletableFuture<Optional<String>>> clusterId;
    private final Executor blocking;
    private final LedgerListing listing = new LedgerListing();

    /**
     * A storage that does nothing yet.
     *
     * @param clientMaker makes a client; called again after it failed
     * @param clusterId answers the id of the cluster for the label of a new ledger, or within seconds that it cannot be known now
     * @param blocking the executor on which listing and the client's close may block; a page of a listing takes it for one read
     *     of the metadata store per some thousand ledgers
     */
    public BookKeeperSnapshotStorage(Supplier<? extends CompletableFuture<? extends BookKeeper>> clientMaker,
            LedgerSettings settings, Supplier<CompletableFuture<Optional<String>>> clusterId, Executor blocking) {
        this.client = new LazyClient(clientMaker, blocking);
        this.settings = settings;
        this.clusterId = clusterId;
        this.blocking = blocking;
    }

    @Override
    public int maxEntryBytes() {
        return settings.maxEntryBytes();
    }

    @Override
    public CompletableFuture<SnapshotWriter> create(SnapshotOwner owner) {
        return create(owner, () -> clusterId.get().thenApply(id -> new LedgerLabel(owner, id).encode(settings.clusterName())));
    }

    private CompletableFuture<SnapshotWriter> create(Object owner, Supplier<CompletableFuture<Map<String, byte[]>>> label) {
        return ForeignCalls.begin("making a ledger for " + owner,
                () -> label.get().thenCompose(customMetadata -> client.get().thenCompose(bookKeeper ->
                        bookKeeper.newCreateLedgerOp()
                                .withEnsembleSize(settings.ensembleSize())
                                .withWriteQuorumSize(settings.writeQuorum())
                                .withAckQuorumSize(settings.ackQuorum())
                                .withDigestType(settings.digestType())
                                .withPassword(settings.password())
                                .withCustomMetadata(customMetadata)
                                .execute())),
                handle -> new BookKeeperSnapshotWriter(handle, this),
                // A ledger that cannot be deleted now names its owner and is found by the listing.
                writer -> Futures.whenDone(writer.abandon(), (done, failure) -> { }));
    }

    @Override
    public CompletableFuture<SnapshotReader> open(long ledgerId) {
        return ForeignCalls.begin("opening ledger " + ledgerId,
                () -> client.get().thenCompose(bookKeeper -> bookKeeper.newOpenLedgerOp()
                        .withLedgerId(ledgerId)
                        .withDigestType(settings.digestType())
                        .withPassword(settings.password())
                        .withRecovery(true)
                        .execute()),
                BookKeeperSnapshotReader::new,
                SnapshotReader::close);
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        String what = "deleting ledger " + ledgerId;
        return ForeignCalls.begin(what, () -> client.get()
                .thenCompose(bookKeeper -> bookKeeper.newDeleteLedgerOp().withLedgerId(ledgerId).execute())
                .exceptionallyCompose(failure -> isUnknown(ForeignFailures.ofLedger(failure, what))
                        ? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(failure)));
    }

    private static boolean isUnknown(StorageException failure) {
        return failure.kind() == StorageException.Kind.NO_SUCH_LEDGER;
    }

    @Override
    public CompletableFuture<Optional<SnapshotOwner>> ownerOf(long ledgerId) {
        return labelOf(ledgerId, metadata -> SnapshotOwner.decode(metadata, settings.clusterName()));
    }

    @Override
    public CompletableFuture<Optional<LedgerLabel>> labelOf(long ledgerId) {
        return labelOf(ledgerId, metadata -> LedgerLabel.decode(metadata, settings.clusterName()));
    }

    private <T> CompletableFuture<T> labelOf(long ledgerId, Function<Map<String, byte[]>, T> decode) {
        return ForeignCalls.begin("reading the label of ledger " + ledgerId,
                () -> client.get().thenCompose(bookKeeper -> bookKeeper.getLedgerMetadata(ledgerId)),
                metadata -> decode.apply(metadata.getCustomMetadata()), label -> { });
    }

    /** The ledgers of this storage by the label that the stock bucket tracker gives its own. */
    public StockLedgers stockLedgers() {
        return new StockLedgers() {
            @Override
            public CompletableFuture<Optional<StockOwner>> ownerOf(long ledgerId) {
                return labelOf(ledgerId, StockOwner::decode);
            }

            @Override
            public CompletableFuture<SnapshotWriter> create(StockOwner owner, String property) {
                return BookKeeperSnapshotStorage.this.create(owner,
                        () -> CompletableFuture.completedFuture(owner.encode(property)));
            }
        };
    }

    @Override
    public CompletableFuture<List<Long>> list(long afterLedgerId, int limit) {
        String what = "listing ledgers after " + afterLedgerId;
        return ForeignCalls.begin(what, () -> client.get().thenCompose(bookKeeper ->
                ForeignCalls.block(blocking, what, () -> listing.page(bookKeeper, afterLedgerId, limit))));
    }

    @Override
    public CompletableFuture<Void> close() {
        return client.close();
    }

    /**
     * The pages of all ledger ids. BookKeeper only lists from the start, so the iterator is kept from page to page. It is begun
     * anew for a page that does not follow the last one. Blocks; runs on the executor for that.
     */
    static final class LedgerListing {

        private ListLedgersResult listing;
        private LedgersIterator ids;
        private long lastId;

        synchronized List<Long> page(BookKeeper client, long afterLedgerId, int limit) throws Exception {
            try {
                if (ids == null || afterLedgerId != lastId) {
                    restart(client);
                }
                List<Long> page = new ArrayList<>(Math.min(limit, 1000));
                while (page.size() < limit && ids.hasNext()) {
                    long id = ids.next();
                    if (id > afterLedgerId) {
                        page.add(id);
                        lastId = id;
                    }
                }
                if (page.size() < limit) {
                    end();
                }
                return page;
            } catch (IOException e) {
                end();
                throw new StorageException(StorageException.Kind.UNAVAILABLE, "listing the ledgers failed: " + e, e);
            }
        }

        private void restart(BookKeeper client) throws Exception {
            end();
            listing = client.newListLedgersOp().execute().get();
            ids = listing.iterator();
            lastId = -1;
        }

        private void end() throws IOException {
            ListLedgersResult ended = listing;
            listing = null;
            ids = null;
            if (ended != null) {
                try {
                    ended.close();
                } catch (IOException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IOException(e);
                }
            }
        }
    }
}
