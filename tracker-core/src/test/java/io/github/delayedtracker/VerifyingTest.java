/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.backend.StoredParts;
import io.github.delayedtracker.backend.StoredParts.StoredPart;
import io.github.delayedtracker.backend.StoredRuns;
import io.github.delayedtracker.backend.SubscriptionStore;
import io.github.delayedtracker.command.DelayedCommands.Snapshots;
import io.github.delayedtracker.command.DelayedCommands.Verification;
import io.github.delayedtracker.command.MessageName;
import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.metrics.Samples;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.apache.bookkeeper.mledger.AsyncCallbacks.ReadEntryCallback;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.bookkeeper.mledger.impl.EntryImpl;
import org.apache.bookkeeper.mledger.proto.MLDataFormats.ManagedLedgerInfo.LedgerInfo;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.apache.pulsar.common.protocol.Commands;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A schedule is compared with its topic and its cursor: what is missing is named, what need not be there is not. */
class VerifyingTest extends JournaledTracker {

    private static final int ENTRIES = 200;
    private static final long DUE = FakeBroker.NOW + 3_600_000;
    private static final long SOON = FakeBroker.NOW + 10_000;

    private final Set<Long> plain = new TreeSet<>();
    private final Set<Long> inTransaction = new TreeSet<>();
    private final Set<Long> soon = new TreeSet<>();
    private final Set<Long> acknowledgedWhenRead = new TreeSet<>();

    @BeforeEach
    void aTopicOfDelayedMessages() {
        broker.policies.getDelayedDeliveryEnabled().updateBrokerValue(true);
        when(broker.subscription.getName()).thenReturn("sub");
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(1, ENTRIES - 1));
        broker.ledgers.put(1L, LedgerInfo.newBuilder().setLedgerId(1).build());
        broker.markDelete(1, -1);
        broker.readPosition(1, 150);
        doAnswer(call -> {
            Position position = call.getArgument(0);
            if (acknowledgedWhenRead.contains(position.getEntryId())) {
                broker.acknowledged.add(position);
            }
            MessageMetadata metadata = new MessageMetadata().setProducerName("p").setSequenceId(1).setPublishTime(1);
            if (inTransaction.contains(position.getEntryId())) {
                metadata.setTxnidMostBits(1).setTxnidLeastBits(2);
            }
            if (!plain.contains(position.getEntryId())) {
                metadata.setDeliverAtTime(soon.contains(position.getEntryId()) ? SOON : DUE);
            }
            var bytes = Commands.serializeMetadataAndPayload(Commands.ChecksumType.Crc32c, metadata, Unpooled.EMPTY_BUFFER);
            call.<ReadEntryCallback>getArgument(1).readEntryComplete(EntryImpl.create(position, bytes), null);
            return null;
        }).when(broker.ledger).asyncReadEntry(any(), any(), any());
    }

    private void schedule(long from, long to) {
        LongStream.range(from, to).forEach(entryId -> assertTrue(tracker.addMessage(1, entryId, DUE)));
    }

    private Verification verify() throws Exception {
        var verified = tracker.commands.verify(Optional.empty(), Runnable::run);
        afterSeconds(2);
        assertTrue(verified.isDone());
        return verified.get();
    }

    @Test
    void aScheduleThatHasAllIsFoundSo() throws Exception {
        schedule(0, 150);
        assertEquals(new Verification("sub", 150, 0, 150, 150, List.of(), 0, List.of(), List.of(), Optional.empty()),
                verify());
    }

    @Test
    void aMessageThatIsNotInTheScheduleIsNamed() throws Exception {
        schedule(0, 70);
        schedule(72, 150);
        Verification found = verify();
        assertEquals(150, found.delayed());
        assertEquals(List.of(MessageName.parse("1:70"), MessageName.parse("1:71")), found.missing());
    }

    @Test
    void plainMessagesThoseOfTransactionsAndThoseDueSoonNeedNotBeThere() throws Exception {
        schedule(0, 70);
        schedule(100, 150);
        LongStream.range(70, 80).forEach(plain::add);
        LongStream.range(80, 90).forEach(inTransaction::add);
        LongStream.range(90, 100).forEach(soon::add);
        Verification found = verify();
        assertEquals(150, found.sampled());
        assertEquals(120, found.delayed());
        assertEquals(List.of(), found.missing());
    }

    @Test
    void whatIsAcknowledgedAndStillIndexedIsCountedAndNotSampled() throws Exception {
        schedule(0, 150);
        acknowledge(5);
        acknowledge(6);
        broker.copies.set(Optional.of(new AckedPositions(Map.of(1L, new long[] {1L << 5 | 1L << 6}), true)));
        Verification found = verify();
        assertEquals(150, found.scheduled());
        assertEquals(2, found.acknowledged());
        assertEquals(148, found.sampled());
    }

    @Test
    void aMessageMovedToNowNeedNotBeThere() throws Exception {
        schedule(0, 150);
        var moved = move(List.of(MessageName.parse("1:7")), FakeBroker.NOW);
        afterSeconds(1);
        assertTrue(moved.isDone());
        assertEquals(1, tracker.getScheduledMessages(10).size());
        assertEquals(List.of(), verify().missing());
    }

    @Test
    void aLongTopicIsSampledAtEvenDistances() throws Exception {
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(2, 99_999));
        broker.ledgers.clear();
        broker.ledgers.put(1L, LedgerInfo.newBuilder().setLedgerId(1).setEntries(100_001).setTimestamp(1).build());
        broker.ledgers.put(2L, LedgerInfo.newBuilder().setLedgerId(2).build());
        broker.readPosition(2, 100_000);
        Verification found = verify();
        assertEquals(500, found.sampled());
        assertEquals(10, found.missing().size());
    }

    @Test
    void fewThatWaitAmongManyAreSampledToo() throws Exception {
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(2, 10));
        broker.ledgers.clear();
        broker.ledgers.put(1L, LedgerInfo.newBuilder().setLedgerId(1).setEntries(100_000).setTimestamp(1).build());
        broker.readPosition(2, 0);
        doAnswer(call -> call.<Position>getArgument(0).getEntryId() % 97 != 0).when(broker.cursor).isMessageDeleted(any());
        Verification found = verify();
        assertTrue(found.sampled() > 100, found::toString);
    }

    @Test
    void whatIsAcknowledgedDuringTheSampleIsNotMissing() throws Exception {
        schedule(0, 9);
        schedule(10, 150);
        acknowledgedWhenRead.add(9L);
        Verification found = verify();
        assertEquals(150, found.delayed());
        assertEquals(List.of(), found.missing());
    }

    @Test
    void whatWaitsForAConsumerIsCounted() throws Exception {
        schedule(0, 149);
        when(broker.dispatcher.getNumberOfMessagesInReplay()).thenReturn(4L);
        Verification found = verify();
        assertEquals(List.of(MessageName.parse("1:149")), found.missing());
        assertEquals(4, found.elsewhere());
    }

    @Test
    void ledgersThatOnlyTheRecordOrOnlyTheIndexHasAreNamed() throws Exception {
        SubscriptionStore store = mock(SubscriptionStore.class);
        when(store.index()).thenReturn(new HeapIndexProvider().newIndex());
        when(store.samples()).thenReturn(new Samples());
        when(store.storedRuns(anyLong(), anyLong())).thenReturn(() ->
                CompletableFuture.completedFuture(new StoredRuns.Read(List.of(), Long.MAX_VALUE)));
        when(store.storedParts()).thenReturn(new StoredParts(List.of(part(7, true), part(8, true), part(9, false)),
                List.of(7L, 10L)));
        tracker = broker.tracker(store);
        Verification found = verify();
        assertEquals(List.of(10L), found.onlyInRecord());
        assertEquals(List.of(8L), found.onlyInIndex());
        assertEquals(3, tracker.commands.snapshots().get().snapshots().size());
    }

    private static StoredPart part(long ledgerId, boolean isLive) {
        return new StoredPart(ledgerId, isLive ? "sealed" : "deleting", isLive, 5, 500, 1, 1, DUE, DUE);
    }

    @Test
    void inMemoryNothingIsStored() throws Exception {
        schedule(0, 10);
        assertEquals(new Snapshots("sub", List.of()), tracker.commands.snapshots().get());
    }
}
