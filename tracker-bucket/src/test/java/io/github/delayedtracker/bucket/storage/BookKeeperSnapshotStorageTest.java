/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.storage.BookKeeperSnapshotStorage.LedgerSettings;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a real bookie cannot be made to do: late answers, clients that cannot be made, closing at a bad moment. */
class BookKeeperSnapshotStorageTest {

    private static final SnapshotOwner OWNER = new SnapshotOwner("topic", "cursor", 1);

    private final FakeBookKeeper bookKeeper = new FakeBookKeeper();
    private final Queue<CompletableFuture<BookKeeper>> clients = new ArrayDeque<>();
    private CompletableFuture<Optional<String>> clusterId = CompletableFuture.completedFuture(Optional.of("id"));
    private int clientsMade;
    private final BookKeeperSnapshotStorage storage = new BookKeeperSnapshotStorage(() -> {
        clientsMade++;
        return clients.isEmpty() ? CompletableFuture.completedFuture(bookKeeper.client()) : clients.poll();
    }, new LedgerSettings(1, 1, 1, DigestType.CRC32C, "c", 100_000), () -> clusterId, Runnable::run);

    private static Kind failure(CompletableFuture<?> answer) {
        assertTrue(answer.isDone());
        return assertInstanceOf(StorageException.class, assertThrows(ExecutionException.class, answer::get).getCause()).kind();
    }

    @Test
    void theClientIsMadeAtFirstNeedAndOnce() {
        assertEquals(0, clientsMade);
        storage.delete(1).join();
        storage.delete(2).join();
        assertEquals(1, clientsMade);
    }

    @Test
    void aClientThatCouldNotBeMadeIsMadeAgain() {
        clients.add(CompletableFuture.failedFuture(new IllegalStateException("the metadata store is away")));
        assertEquals(Kind.UNAVAILABLE, failure(storage.delete(1)));
        storage.delete(1).join();
        assertEquals(2, clientsMade);
    }

    @Test
    void aStorageThatWasNeverUsedClosesWithoutAClient() {
        storage.close().join();
        assertEquals(0, clientsMade);
        assertEquals(Kind.CLOSED, failure(storage.delete(1)));
    }

    @Test
    void aClientThatComesAfterTheCloseIsClosed() {
        CompletableFuture<BookKeeper> late = new CompletableFuture<>();
        clients.add(late);
        CompletableFuture<Void> delete = storage.delete(1);
        CompletableFuture<Void> closed = storage.close();
        assertEquals(List.of(false, false), List.of(delete.isDone(), closed.isDone()));
        late.complete(bookKeeper.client());
        closed.join();
        assertTrue(bookKeeper.asked.contains("close client"), () -> bookKeeper.asked.toString());
    }

    @Test
    @DisplayName("#26238: a ledger made after its caller gave up is closed and deleted")
    void aLedgerMadeTooLateIsDeleted() {
        CompletableFuture<SnapshotWriter> create = storage.create(OWNER);
        create.cancel(false);
        bookKeeper.create.complete(bookKeeper.writeHandle(7, CompletableFuture.completedFuture(null)));
        assertEquals(List.of("create", "close handle 7", "delete 7"), bookKeeper.asked);
    }

    @Test
    @DisplayName("S11: no ledger is made before the id for its label is known, or known not to be known")
    void aLedgerIsMadeOnceItsLabelIsKnown() {
        clusterId = new CompletableFuture<>();
        CompletableFuture<SnapshotWriter> create = storage.create(OWNER);
        assertEquals(List.of(), bookKeeper.asked);
        clusterId.complete(Optional.empty());
        assertEquals(List.of("create"), bookKeeper.asked);
        assertFalse(create.isDone());
    }

    @Test
    @DisplayName("S-22: a ledger opened after its caller gave up is closed")
    void aLedgerOpenedTooLateIsClosed() {
        CompletableFuture<SnapshotReader> open = storage.open(7);
        open.cancel(false);
        bookKeeper.open.complete(bookKeeper.readHandle(7));
        assertEquals(List.of("open 7 true", "close handle 7"), bookKeeper.asked);
    }

    @Test
    void anAbandonedLedgerIsDeletedThoughItsHandleDoesNotClose() {
        CompletableFuture<SnapshotWriter> create = storage.create(OWNER);
        bookKeeper.create.complete(bookKeeper.writeHandle(7, CompletableFuture.failedFuture(
                new BKException(BKException.Code.BookieHandleNotAvailableException))));
        create.join().abandon().join();
        assertEquals(List.of("create", "close handle 7", "delete 7"), bookKeeper.asked);
    }

    @Test
    void failuresAreTranslatedByWhatTheCallerMayDo() {
        bookKeeper.open.completeExceptionally(new BKException(BKException.Code.BookieHandleNotAvailableException));
        assertEquals(Kind.UNAVAILABLE, failure(storage.open(7)));
        bookKeeper.delete = CompletableFuture.failedFuture(new BKException(BKException.Code.TimeoutException));
        assertEquals(Kind.UNAVAILABLE, failure(storage.delete(7)));
        bookKeeper.delete = CompletableFuture.failedFuture(
                new BKException(BKException.Code.NoSuchLedgerExistsOnMetadataServerException));
        storage.delete(7).join();
    }

    @Test
    void codesOfBookKeeperHaveTheirKinds() {
        assertEquals(List.of(Kind.NO_SUCH_LEDGER, Kind.NO_SUCH_LEDGER, Kind.NO_SUCH_ENTRY, Kind.CORRUPT, Kind.UNAUTHORIZED,
                        Kind.FENCED, Kind.CLOSED, Kind.CLOSED, Kind.UNAVAILABLE, Kind.UNAVAILABLE, Kind.UNAVAILABLE),
                List.of(-7, -25, -13, -5, -102, -101, -11, -19, -6, -21, -105).stream()
                        .map(code -> ForeignFailures.ofLedger(new ExecutionException(new BKException(code)), "x").kind())
                        .toList());
        assertEquals(Kind.UNEXPECTED, ForeignFailures.ofLedger(new IllegalStateException("?"), "x").kind());
    }

    @Test
    void onlyPermanentFailuresAreNotTriedAgain() {
        assertEquals(List.of(Kind.CONFLICT, Kind.UNAVAILABLE, Kind.OUTCOME_UNKNOWN, Kind.UNEXPECTED),
                List.of(Kind.values()).stream().filter(kind -> new StorageException(kind, "x").isRetryable()).toList());
    }

    @Test
    void settingsThatBookKeeperWouldRefuseAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new LedgerSettings(1, 2, 1, DigestType.CRC32C, "c", 100_000));
        assertThrows(IllegalArgumentException.class, () -> new LedgerSettings(3, 2, 3, DigestType.CRC32C, "c", 100_000));
    }

    private static LedgerSettings withLargestMessage(int bytes) {
        return new LedgerSettings(1, 1, 1, DigestType.CRC32C, "c", bytes);
    }

    @Test
    void anEntryIsALargeMessageLessTenKibibytesOrHalfOfASmallOne() {
        Map<Integer, Integer> entryBytes = Map.of(5 << 20, (5 << 20) - 10_240, 20_480, 10_240, 20_479, 10_240, 10_240, 5_120,
                5_120, 2_560, 1_024, 512);
        entryBytes.forEach((messageBytes, expected) ->
                assertEquals(expected, withLargestMessage(messageBytes).maxEntryBytes(), () -> "of " + messageBytes));
    }

    @Test
    void aLargestMessageBelowOneKibibyteIsRefusedByTheNameOfItsKey() {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> withLargestMessage(1_023));
        assertEquals("maxMessageSize must be at least 1024 where snapshots are stored, got 1023", refused.getMessage());
    }
}
