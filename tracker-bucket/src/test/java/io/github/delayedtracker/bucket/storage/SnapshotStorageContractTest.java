/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every snapshot storage does, the double in memory and a real bookie alike. */
public abstract class SnapshotStorageContractTest {

    private static final SnapshotOwner OWNER = new SnapshotOwner("tenant/space/persistent/orders", "billing", 1_700_000_000_000L);

    private static final long NO_LEDGER = Long.MAX_VALUE - 1;
    private static final int MOMENTS = 1_000;

    private SnapshotStorage storage;

    /** A new storage over the same ledgers. */
    protected abstract SnapshotStorage newStorage() throws Exception;

    /** Makes a ledger that is none of the plugin's and returns its id. */
    protected abstract long foreignLedger() throws Exception;

    /** How to wait. */
    protected abstract Awaiting awaiting();

    @BeforeEach
    final void openStorage() throws Exception {
        storage = newStorage();
    }

    @AfterEach
    final void closeStorage() throws Exception {
        await(storage.close());
    }

    private <T> T await(CompletableFuture<T> answer) throws Exception {
        return awaiting().get(answer);
    }

    private Kind failure(CompletableFuture<?> answer) {
        return assertThrows(StorageException.class, () -> await(answer)).kind();
    }

    private static ByteBuf buffer(String text) {
        return Unpooled.copiedBuffer(text, UTF_8);
    }

    private long sealed(String... entries) throws Exception {
        SnapshotWriter writer = await(storage.create(OWNER));
        for (String entry : entries) {
            await(writer.append(buffer(entry)));
        }
        await(writer.close());
        return writer.ledgerId();
    }

    /** What the entries say; releases them and sees that nobody else holds them. */
    private List<String> texts(List<ByteBuf> entries) throws Exception {
        List<String> texts = new ArrayList<>();
        for (ByteBuf entry : entries) {
            texts.add(entry.toString(UTF_8));
            entry.release();
        }
        expectReleased(entries);
        return texts;
    }

    /** An answer may come a moment before a buffer is let go, so this asks the storage something else meanwhile. */
    private void expectReleased(List<ByteBuf> buffers) throws Exception {
        for (int i = 0; i < MOMENTS && buffers.stream().anyMatch(buffer -> buffer.refCnt() > 0); i++) {
            await(storage.delete(NO_LEDGER));
        }
        assertEquals(List.of(), buffers.stream().filter(buffer -> buffer.refCnt() > 0).toList(), "not released");
    }

    @Test
    void whatWasAppendedAndSealedIsRead() throws Exception {
        SnapshotReader reader = await(storage.open(sealed("head", "first", "")));
        assertEquals(2, reader.lastEntryId());
        assertEquals("headfirst".length(), reader.lengthBytes());
        assertEquals(List.of("head", "first", ""), texts(await(reader.read(0, 2))));
        assertEquals(List.of("first"), texts(List.of(await(reader.read(1)))));
        assertEquals(List.of("first", ""), texts(await(reader.read(1, 2))));
        reader.close();
    }

    @Test
    void aLedgerWithoutEntriesIsSealedAndOpened() throws Exception {
        SnapshotReader reader = await(storage.open(sealed()));
        assertEquals(-1, reader.lastEntryId());
        assertEquals(0, reader.lengthBytes());
        assertEquals(Kind.NO_SUCH_ENTRY, failure(reader.read(0)));
        reader.close();
    }

    @Test
    void appendsUnderWayAnswerInOrderAndSealingWaitsForThem() throws Exception {
        SnapshotWriter writer = await(storage.create(OWNER));
        List<Long> answered = new ArrayList<>();
        List<CompletableFuture<Void>> appends = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            appends.add(writer.append(buffer("entry " + i)).thenAccept(answered::add));
        }
        await(writer.close());
        for (CompletableFuture<Void> append : appends) {
            assertTrue(append.isDone(), "sealed before an append answered");
            await(append);
        }
        for (int i = 0; i < 50; i++) {
            assertEquals(i, answered.get(i));
        }
        SnapshotReader reader = await(storage.open(writer.ledgerId()));
        assertEquals(49, reader.lastEntryId());
        assertEquals(List.of("entry 49"), texts(List.of(await(reader.read(49)))));
        reader.close();
    }

    @Test
    void appendedBuffersAreReleasedWhateverTheOutcome() throws Exception {
        SnapshotWriter writer = await(storage.create(OWNER));
        ByteBuf good = buffer("good");
        await(writer.append(good));
        ByteBuf large = Unpooled.wrappedBuffer(new byte[storage.maxEntryBytes() + 1]);
        assertEquals(Kind.TOO_LARGE, failure(writer.append(large)));
        ByteBuf afterFailure = buffer("after a failure");
        failure(writer.append(afterFailure));
        failure(writer.close());
        ByteBuf afterClose = buffer("after the close");
        assertEquals(Kind.CLOSED, failure(writer.append(afterClose)));
        await(writer.abandon());
        expectReleased(List.of(good, large, afterFailure, afterClose));
    }

    @Test
    void theLargestEntryIsTaken() throws Exception {
        SnapshotWriter writer = await(storage.create(OWNER));
        await(writer.append(Unpooled.wrappedBuffer(new byte[storage.maxEntryBytes()])));
        await(writer.close());
        SnapshotReader reader = await(storage.open(writer.ledgerId()));
        ByteBuf entry = await(reader.read(0));
        assertEquals(storage.maxEntryBytes(), entry.readableBytes());
        entry.release();
        reader.close();
        await(storage.delete(writer.ledgerId()));
    }

    @Test
    void aFailedAppendKeepsTheLedgerFromBeingSealed() throws Exception {
        SnapshotWriter writer = await(storage.create(OWNER));
        failure(writer.append(Unpooled.wrappedBuffer(new byte[storage.maxEntryBytes() + 1])));
        assertEquals(Kind.TOO_LARGE, failure(writer.close()));
        await(writer.abandon());
        assertEquals(Kind.NO_SUCH_LEDGER, failure(storage.open(writer.ledgerId())));
    }

    @Test
    void aClosedWriterRefuses() throws Exception {
        SnapshotWriter writer = await(storage.create(OWNER));
        await(writer.close());
        assertEquals(Kind.CLOSED, failure(writer.append(buffer("late"))));
        assertEquals(Kind.CLOSED, failure(writer.close()));
    }

    @Test
    void entriesOutsideTheLedgerDoNotExist() throws Exception {
        SnapshotReader reader = await(storage.open(sealed("only")));
        assertEquals(Kind.NO_SUCH_ENTRY, failure(reader.read(1)));
        assertEquals(Kind.NO_SUCH_ENTRY, failure(reader.read(-1)));
        assertEquals(Kind.NO_SUCH_ENTRY, failure(reader.read(0, 1)));
        assertEquals(Kind.NO_SUCH_ENTRY, failure(reader.read(1, 0)));
        reader.close();
    }

    @Test
    void aClosedReaderRefusesAndOthersReadOn() throws Exception {
        long ledger = sealed("only");
        SnapshotReader closed = await(storage.open(ledger));
        SnapshotReader open = await(storage.open(ledger));
        closed.close();
        closed.close();
        assertEquals(Kind.CLOSED, failure(closed.read(0)));
        assertEquals(List.of("only"), texts(List.of(await(open.read(0)))));
        open.close();
    }

    @Test
    void openingAnUnsealedLedgerSealsItAndStopsItsWriter() throws Exception {
        SnapshotWriter writer = await(storage.create(OWNER));
        await(writer.append(buffer("a")));
        await(writer.append(buffer("b")));
        SnapshotReader reader = await(storage.open(writer.ledgerId()));
        assertEquals(1, reader.lastEntryId());
        assertEquals(List.of("a", "b"), texts(await(reader.read(0, 1))));
        assertEquals(Kind.FENCED, failure(writer.append(buffer("c"))));
        reader.close();
        await(writer.abandon());
    }

    @Test
    void aLedgerThatDoesNotExistIsToldApart() throws Exception {
        long deleted = sealed("gone");
        await(storage.delete(deleted));
        assertEquals(Kind.NO_SUCH_LEDGER, failure(storage.open(deleted)));
        assertEquals(Kind.NO_SUCH_LEDGER, failure(storage.ownerOf(deleted)));
        assertFalse(assertThrows(StorageException.class, () -> await(storage.open(deleted))).isRetryable());
    }

    @Test
    void deletingTwiceIsDeletingOnce() throws Exception {
        long ledger = sealed("gone");
        await(storage.delete(ledger));
        await(storage.delete(ledger));
    }

    @Test
    void anAbandonedLedgerIsGone() throws Exception {
        SnapshotWriter writer = await(storage.create(OWNER));
        await(writer.append(buffer("a")));
        await(writer.abandon());
        assertEquals(Kind.NO_SUCH_LEDGER, failure(storage.open(writer.ledgerId())));
        assertEquals(Kind.CLOSED, failure(writer.append(buffer("late"))));
    }

    @Test
    void aLedgerNamesItsOwner() throws Exception {
        SnapshotOwner odd = new SnapshotOwner("t/n/persistent/größe-\u4e2d", "sub/with spaces=é", -1);
        SnapshotWriter writer = await(storage.create(odd));
        assertEquals(Optional.of(odd), await(storage.ownerOf(writer.ledgerId())));
        await(writer.close());
        assertEquals(Optional.of(odd), await(storage.ownerOf(writer.ledgerId())));
        await(storage.delete(writer.ledgerId()));
    }

    @Test
    void aForeignLedgerHasNoOwner() throws Exception {
        assertEquals(Optional.empty(), await(storage.ownerOf(foreignLedger())));
    }

    @Test
    void allLedgersAreListedInPages() throws Exception {
        List<Long> made = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            made.add(sealed("entry"));
        }
        made.add(foreignLedger());
        List<Long> listed = new ArrayList<>();
        long after = -1;
        List<Long> page;
        do {
            page = await(storage.list(after, 2));
            assertTrue(page.size() <= 2, "a page of two has " + page);
            listed.addAll(page);
            after = page.isEmpty() ? after : page.get(page.size() - 1);
        } while (page.size() == 2);
        assertTrue(listed.containsAll(made), made + " are not all in " + listed);
        assertEquals(listed.stream().sorted().distinct().toList(), listed);
        await(storage.delete(made.get(0)));
        List<Long> again = await(storage.list(made.get(0) - 1, 3));
        assertFalse(again.contains(made.get(0)), "deleted but listed: " + again);
        assertTrue(again.contains(made.get(1)), made.get(1) + " is not in " + again);
    }

    @Test
    void aClosedStorageRefuses() throws Exception {
        SnapshotStorage closed = newStorage();
        await(closed.list(-1, 1));
        await(closed.close());
        assertEquals(Kind.CLOSED, failure(closed.create(OWNER)));
        assertEquals(Kind.CLOSED, failure(closed.open(1)));
        assertEquals(Kind.CLOSED, failure(closed.delete(1)));
        assertEquals(Kind.CLOSED, failure(closed.ownerOf(1)));
        assertEquals(Kind.CLOSED, failure(closed.list(-1, 1)));
    }
}
