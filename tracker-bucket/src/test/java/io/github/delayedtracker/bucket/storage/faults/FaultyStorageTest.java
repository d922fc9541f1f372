/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each fault of a ledger operation does what its name says. */
class FaultyStorageTest {

    private static final SnapshotOwner OWNER = new SnapshotOwner("topic", "cursor", 7);
    private static final SnapshotOwner OTHER = new SnapshotOwner("topic", "other", 7);

    private final VirtualTime time = new VirtualTime(3);
    private final FaultyStorage storage = new FaultyStorage(3, FaultRates.none(), time);
    private final StorageLife life = storage.newLife();

    private Kind failure(CompletableFuture<?> answer) {
        return assertThrows(StorageException.class, () -> time.get(answer)).kind();
    }

    private static ByteBuf buffer(String text) {
        return Unpooled.copiedBuffer(text, UTF_8);
    }

    private String text(CompletableFuture<ByteBuf> answer) throws Exception {
        ByteBuf entry = time.get(answer);
        String text = entry.toString(UTF_8);
        entry.release();
        return text;
    }

    private long sealed(String... entries) throws Exception {
        SnapshotWriter writer = time.get(life.storage().create(OWNER));
        for (String entry : entries) {
            time.get(writer.append(buffer(entry)));
        }
        time.get(writer.close());
        return writer.ledgerId();
    }

    @AfterEach
    void noBufferIsKept() {
        storage.heal();
        time.runAll();
        assertEquals(0, life.unreleasedBuffers());
    }

    @Test
    void nothingAnswersInsideTheCallUnlessAScriptSaysSo() throws Exception {
        assertFalse(life.storage().list(-1, 1).isDone());
        storage.onCall(Operation.LIST, "*", 1, Fault.atOnce());
        assertTrue(life.storage().list(-1, 1).isDone());
        assertFalse(life.storage().list(-1, 1).isDone());
    }

    @Test
    void theNthCallOfASubscriptionIsStruckAndNoOther() throws Exception {
        storage.onCall(Operation.CREATE, "cursor", 2, Fault.failBefore(Kind.UNAVAILABLE));
        time.get(life.storage().create(OWNER));
        time.get(life.storage().create(OTHER));
        assertEquals(Kind.UNAVAILABLE, failure(life.storage().create(OWNER)));
        time.get(life.storage().create(OWNER));
        assertEquals(3, storage.world().ledgerIds().size());
    }

    @Test
    void delayedCallsTakeEffectLate() throws Exception {
        storage.onCall(Operation.CREATE, "*", 1, Fault.delay(50));
        CompletableFuture<SnapshotWriter> create = life.storage().create(OWNER);
        time.runUntil(49);
        assertEquals(0, storage.world().ledgerIds().size());
        time.get(create);
        assertEquals(50, time.nowMillis());
    }

    @Test
    void lateAnswersFollowAnEffectInTime() throws Exception {
        storage.onCall(Operation.CREATE, "*", 1, Fault.answerLate(50));
        CompletableFuture<SnapshotWriter> create = life.storage().create(OWNER);
        time.runUntil(49);
        assertEquals(1, storage.world().ledgerIds().size());
        assertFalse(create.isDone());
        time.get(create);
    }

    @Test
    void aReorderedCallIsOvertakenByTheNext() throws Exception {
        List<String> order = new ArrayList<>();
        storage.onCall(Operation.LIST, "*", 1, Fault.reorder(1_000));
        CompletableFuture<Void> first = life.storage().list(-1, 1).thenAccept(page -> order.add("first"));
        CompletableFuture<Void> second = life.storage().list(-1, 1).thenAccept(page -> order.add("second"));
        time.get(second);
        time.get(first);
        assertEquals(List.of("second", "first"), order);
        assertEquals(0, time.nowMillis());
    }

    @Test
    void aHungCallAnswersWhenTheStorageHeals() throws Exception {
        storage.onCall(Operation.CREATE, "*", 1, Fault.hangBefore()).onCall(Operation.CREATE, "*", 2, Fault.hangAfter());
        CompletableFuture<SnapshotWriter> before = life.storage().create(OWNER);
        CompletableFuture<SnapshotWriter> after = life.storage().create(OWNER);
        time.runAll();
        assertFalse(before.isDone() || after.isDone());
        assertEquals(1, storage.world().ledgerIds().size());
        assertEquals(2, life.callsUnderWay());
        storage.heal();
        time.get(before);
        time.get(after);
        assertEquals(2, storage.world().ledgerIds().size());
    }

    @Test
    void aFailureComesBeforeOrAfterTheEffect() throws Exception {
        storage.onCall(Operation.CREATE, "*", 1, Fault.failBefore(Kind.UNAVAILABLE))
                .onCall(Operation.CREATE, "*", 2, Fault.failAfter(Kind.UNEXPECTED));
        assertEquals(Kind.UNAVAILABLE, failure(life.storage().create(OWNER)));
        assertEquals(0, storage.world().ledgerIds().size());
        CompletableFuture<SnapshotWriter> after = life.storage().create(OWNER);
        time.runUntil(0);
        assertEquals(Kind.UNEXPECTED, failure(after));
        assertEquals(1, storage.counts().of(Operation.CREATE, Fault.Kind.FAIL_AFTER));
    }

    @Test
    void aSecondAnswerComesLateWithTheEffectAndItsHandleIsClosed() throws Exception {
        long ledger = sealed("entry");
        storage.onCall(Operation.OPEN, "*", 1, Fault.answerTwice(30)).onCall(Operation.DELETE, "*", 1, Fault.answerTwice(30));
        assertEquals(Kind.UNAVAILABLE, failure(life.storage().open(ledger)));
        assertEquals(Kind.UNAVAILABLE, failure(life.storage().delete(ledger)));
        assertEquals(List.of(ledger), storage.world().ledgerIds());
        time.runAll();
        assertEquals(List.of(), storage.world().ledgerIds());
        assertEquals(0, life.openReaders());
    }

    @Test
    void whatIsLostStaysLost() throws Exception {
        long ledger = sealed("a", "b");
        storage.onCall(Operation.READ, "*", 1, Fault.lose()).onCall(Operation.OPEN, "*", 2, Fault.lose());
        SnapshotReader reader = time.get(life.storage().open(ledger));
        assertEquals(Kind.NO_SUCH_ENTRY, failure(reader.read(0)));
        assertEquals(Kind.NO_SUCH_ENTRY, failure(reader.read(0, 1)));
        assertEquals("b", text(reader.read(1)));
        assertEquals(Kind.NO_SUCH_LEDGER, failure(life.storage().open(ledger)));
        assertEquals(Kind.NO_SUCH_LEDGER, failure(reader.read(1)));
    }

    @Test
    void damageIsFoundOrGoesUnnoticed() throws Exception {
        storage.onCall(Operation.APPEND, "*", 2, Fault.corrupt()).onCall(Operation.READ, "*", 1, Fault.garble());
        SnapshotReader reader = time.get(life.storage().open(sealed("good", "damaged")));
        assertNotEquals("good", text(reader.read(0)));
        assertEquals("good", text(reader.read(0)));
        assertEquals(Kind.CORRUPT, failure(reader.read(1)));
        assertEquals(Kind.CORRUPT, failure(reader.read(0, 1)));
    }

    @Test
    void appendsStayInOrderAndFailTogether() throws Exception {
        storage.onCall(Operation.APPEND, "*", 1, Fault.delay(40)).onCall(Operation.APPEND, "*", 3,
                Fault.failBefore(Kind.UNAVAILABLE));
        SnapshotWriter writer = time.get(life.storage().create(OWNER));
        CompletableFuture<Long> first = writer.append(buffer("0"));
        CompletableFuture<Long> second = writer.append(buffer("1"));
        CompletableFuture<Long> third = writer.append(buffer("2"));
        CompletableFuture<Long> fourth = writer.append(buffer("3"));
        time.runUntil(39);
        assertFalse(first.isDone() || second.isDone());
        assertEquals(1L, time.get(second));
        assertTrue(first.isDone());
        assertEquals(Kind.UNAVAILABLE, failure(third));
        assertEquals(Kind.UNAVAILABLE, failure(fourth));
        assertEquals(Kind.UNAVAILABLE, failure(writer.close()));
        assertEquals(2, storage.world().entriesOf(writer.ledgerId()));
        assertFalse(storage.world().isSealed(writer.ledgerId()));
    }

    @Test
    void anAppendThatFailedMayBeStoredLater() throws Exception {
        storage.onCall(Operation.APPEND, "*", 1, Fault.answerTwice(20));
        SnapshotWriter writer = time.get(life.storage().create(OWNER));
        assertEquals(Kind.UNAVAILABLE, failure(writer.append(buffer("0"))));
        assertEquals(0, storage.world().entriesOf(writer.ledgerId()));
        time.runAll();
        assertEquals(1, storage.world().entriesOf(writer.ledgerId()));
    }

    @Test
    void whatACallerGaveUpIsClearedAway() throws Exception {
        long ledger = sealed("entry");
        SnapshotReader reader = time.get(life.storage().open(ledger));
        CompletableFuture<SnapshotWriter> create = life.storage().create(OWNER);
        CompletableFuture<SnapshotReader> open = life.storage().open(ledger);
        CompletableFuture<ByteBuf> read = reader.read(0);
        create.cancel(false);
        open.cancel(false);
        read.cancel(false);
        time.runAll();
        assertEquals(List.of(ledger), storage.world().ledgerIds());
        assertEquals(1, life.openReaders());
        assertEquals(0, life.openWriters());
    }
}
