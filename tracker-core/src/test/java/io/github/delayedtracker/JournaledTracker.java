/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyIterable;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyMap;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands.DueAt;
import io.github.delayedtracker.command.DelayedCommands.Named;
import io.github.delayedtracker.command.DelayedCommands.NewDue;
import io.github.delayedtracker.command.DelayedCommands.Options;
import io.github.delayedtracker.command.DelayedCommands.Result;
import io.github.delayedtracker.command.MessageName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.bookkeeper.mledger.AsyncCallbacks.DeleteCallback;
import org.apache.bookkeeper.mledger.AsyncCallbacks.MarkDeleteCallback;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.pulsar.broker.service.Consumer;
import org.junit.jupiter.api.BeforeEach;

/** A tracker with a journal in memory, on a broker set by hand whose consumer is connected and whose cursor has its ledger. */
abstract class JournaledTracker {

    static final int MOST = 10;
    static final int ACKED = 40;
    /** Of a command that is meant, however many messages it is for. */
    static final Options MEANT = new Options(false, true);

    final MemoryJournals journals = new MemoryJournals();
    final FakeBroker broker = new FakeBroker(Optional.of(journals));
    final Map<String, Long> properties = new HashMap<>();
    final AtomicLong changes = new AtomicLong();
    Consumer consumer = mock(Consumer.class);
    SubscriptionTracker tracker;

    @BeforeEach
    void aConsumerIsConnectedAndTheCursorHasItsLedger() {
        when(broker.ledger.getName()).thenReturn("public/default/persistent/t");
        when(broker.cursor.getName()).thenReturn("sub");
        when(broker.cursor.isDurable()).thenReturn(true);
        when(broker.dispatcher.isConsumerConnected()).thenAnswer(call -> consumer != null);
        when(broker.dispatcher.getConsumers()).thenAnswer(call -> new CopyOnWriteArrayList<>(
                consumer == null ? List.of() : List.of(consumer)));
        when(broker.dispatcher.getTotalUnackedMessages()).thenReturn(1);
        when(broker.ledger.getNumberOfEntries()).thenAnswer(call -> changes.get());
        when(broker.cursor.getProperties()).thenReturn(properties);
        when(broker.cursor.putProperty(anyString(), anyLong())).thenAnswer(call -> {
            properties.put(call.getArgument(0), call.getArgument(1));
            return true;
        });
        doAnswer(call -> {
            Iterable<Position> positions = call.getArgument(0);
            positions.forEach(position -> acknowledge(position.getLedgerId(), position.getEntryId()));
            broker.timer.arm(1, () -> call.<DeleteCallback>getArgument(1).deleteComplete(null));
            return null;
        }).when(broker.cursor).asyncDelete(anyIterable(), any(), any());
        when(broker.cursor.getTotalNonContiguousDeletedMessagesRange()).thenAnswer(call -> broker.acknowledged.size());
        doAnswer(call -> broker.timer.arm(1, () -> {
            when(broker.cursor.getPersistentMarkDeletedPosition()).thenReturn(call.getArgument(0));
            call.<MarkDeleteCallback>getArgument(2).markDeleteComplete(null);
        })).when(broker.cursor).asyncMarkDelete(any(), anyMap(), any(), any());
        doAnswer(call -> tracker.acks.pausesReads()).when(broker.dispatcher).readMoreEntriesAsync();
        broker.writesToLedger.set(true);
        broker.limits.setMaxUnackedRangesToPersist(MOST);
        load();
    }

    void load() {
        copy();
        tracker = broker.tracker(true);
        tracker.start();
    }

    void acknowledge(long entryId) {
        acknowledge(1, entryId);
    }

    void acknowledge(long ledgerId, long entryId) {
        broker.acknowledged.add(PositionFactory.create(ledgerId, entryId));
        changes.incrementAndGet();
        copy();
    }

    void copy() {
        Map<Long, long[]> words = new HashMap<>();
        broker.acknowledged.forEach(position -> words.computeIfAbsent(position.getLedgerId(), id -> new long[8])
                [(int) (position.getEntryId() >> 6)] |= 1L << position.getEntryId());
        broker.copies.set(Optional.of(new AckedPositions(words, true)));
    }

    /** Every second entry: each a range. */
    void acknowledgeMany() {
        for (int i = 0; i < ACKED; i++) {
            acknowledge(2L * i + 1);
        }
    }

    /** A journal that the cursor's record needs, durable. */
    void aJournalIsKept() {
        assertFalse(tracker.addMessage(1, 0, 0));
        acknowledgeMany();
        afterSeconds(15);
        assertEquals(1, journals.ledgers.size(), "a journal is kept");
        assertEquals(List.copyOf(journals.ledgers.keySet()), journals.named);
    }

    /** As where a topic could not be closed, with a restore that does not end. */
    void comesToRestAndIsUsedAgainWithAnEntryHeld() {
        aJournalIsKept();
        tracker.close();
        journals.answer = MemoryJournals.Answer.NEVER;
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 0, 0), "held");
        when(broker.dispatcher.isClosed()).thenReturn(true);
        tracker.sweep();
        when(broker.dispatcher.isClosed()).thenReturn(false);
    }

    /** Acknowledges more than the cursor's record holds, which a journal has to keep. */
    void whatIsAcknowledgedNowOutlivesALoad() {
        for (int i = 0; i < MOST; i++) {
            acknowledge(100 + 2L * i);
        }
        afterSeconds(15);
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 0, 0), "held");
        afterSeconds(1);
        assertEquals(ACKED + MOST, broker.acknowledged.size());
    }

    /** A restart, of which the cursor's record has the first ranges only. */
    void loadFromTheRecord() {
        TreeSet<Position> kept = new TreeSet<>(broker.acknowledged);
        broker.acknowledged.clear();
        kept.stream().limit(MOST + 1).forEach(position -> acknowledge(position.getLedgerId(), position.getEntryId()));
        load();
    }

    CompletableFuture<List<Answer>> cancel(List<MessageName> ids, boolean wholeBatches) {
        return tracker.commands.cancel(new Named(ids, wholeBatches), MEANT, Runnable::run).thenApply(Result::answers);
    }

    CompletableFuture<List<Answer>> move(List<MessageName> ids, long dueMillis) {
        return move(ids, new DueAt(dueMillis));
    }

    CompletableFuture<List<Answer>> move(List<MessageName> ids, NewDue due) {
        return tracker.commands.move(new Named(ids, false), due, MEANT, Runnable::run).thenApply(Result::answers);
    }

    void afterSeconds(int seconds) {
        broker.timer.advanceTo(broker.timer.nowMillis() + seconds * 1_000L);
    }
}
