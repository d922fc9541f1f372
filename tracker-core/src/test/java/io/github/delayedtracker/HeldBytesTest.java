/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static io.github.delayedtracker.FakeBroker.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.metrics.Samples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.bookkeeper.mledger.proto.MLDataFormats.ManagedLedgerInfo.LedgerInfo;
import org.junit.jupiter.api.Test;

/** How many bytes of ledgers a topic keeps for scheduled messages alone. Each has ten entries and two to its id bytes. */
class HeldBytesTest {

    private static final int ENTRIES = 10;
    private static final String HELD = "pulsar_delayed_index_held_bytes";

    private final FakeBroker broker = new FakeBroker();
    private final SubscriptionTracker tracker = broker.tracker(true);
    private final Map<Long, long[]> acknowledged = new HashMap<>();
    private final List<ManagedCursor> cursors = new ArrayList<>(List.of(broker.cursor));

    HeldBytesTest() {
        when(broker.cursor.getName()).thenReturn("m");
        nothingIsAcknowledged();
    }

    private void nothingIsAcknowledged() {
        broker.copies.set(Optional.of(new AckedPositions(Map.of(), true)));
        broker.markDelete(1, -1);
    }

    /** The last one is written. */
    private void ledgers(int count) {
        for (long id = 1; id <= count; id++) {
            LedgerInfo.Builder ledger = LedgerInfo.newBuilder().setLedgerId(id);
            if (id < count) {
                ledger.setEntries(ENTRIES).setSize(1L << id).setTimestamp(NOW - 1);
            }
            broker.ledgers.put(id, ledger.build());
        }
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(count, ENTRIES - 1));
    }

    private void schedule(SubscriptionTracker of, long ledgerId, int from, int to) {
        for (int entryId = from; entryId < to; entryId++) {
            of.addMessage(ledgerId, entryId, NOW + 86_400_000);
        }
    }

    private void schedule(long ledgerId) {
        schedule(tracker, ledgerId, 0, ENTRIES);
    }

    private void acknowledge(long ledgerId, int from, int to) {
        for (int entryId = from; entryId < to; entryId++) {
            acknowledged.computeIfAbsent(ledgerId, id -> new long[1])[0] |= 1L << entryId;
            broker.acknowledged.add(PositionFactory.create(ledgerId, entryId));
        }
        broker.copies.set(Optional.of(new AckedPositions(acknowledged, true)));
        broker.backlog((1L << 40) - broker.acknowledged.size());
    }

    private void pass() {
        broker.timer.advanceTo(broker.timer.nowMillis() + 30_000);
        tracker.look();
    }

    private double held() {
        return tracker.samples().get("held_bytes");
    }

    private String heldOfTopics() {
        return new FactoryMetrics(broker.services, Samples::new, "c").render().lines()
                .filter(line -> line.startsWith("pulsar_delayed_index_broker_held_bytes")).map(line -> line.replaceAll(".* ", ""))
                .findFirst().orElseThrow();
    }

    @Test
    void closedLedgersOfWhichAllIsScheduledAreKeptForThatAlone() {
        ledgers(4);
        schedule(1);
        schedule(2);
        schedule(3);
        schedule(4);
        pass();
        assertEquals(2 + 4 + 8, held());
        assertEquals("14", heldOfTopics());
    }

    @Test
    void aLedgerWithAnUnacknowledgedPlainMessageIsKeptForThatAndSoAreAllBehind() {
        ledgers(5);
        schedule(1);
        schedule(tracker, 2, 0, 9);
        schedule(3);
        pass();
        assertEquals(2, held());
        acknowledge(2, 9, 10);
        pass();
        assertEquals(2 + 4 + 8, held());
    }

    @Test
    void aScheduledMessageThatIsAcknowledgedDoesNotStandForAPlainOneThatIsNot() {
        ledgers(3);
        schedule(tracker, 1, 0, 5);
        acknowledge(1, 0, 5);
        schedule(2);
        pass();
        assertEquals(0, held());
    }

    @Test
    void whatMarkDeleteHasPassedKeepsNothing() {
        ledgers(4);
        schedule(2);
        schedule(3);
        broker.markDelete(1, 9);
        pass();
        assertEquals(4 + 8, held());
        broker.markDelete(2, 3);
        tracker.look();
        pass();
        acknowledge(3, 0, 1);
        pass();
        assertEquals(4 + 8, held(), "as long as anything is in it");
    }

    @Test
    void anAcknowledgedLedgerIsKeptByOneBeforeIt() {
        ledgers(4);
        schedule(1);
        acknowledge(2, 0, ENTRIES);
        schedule(3);
        pass();
        assertEquals(2 + 4 + 8, held());
    }

    @Test
    void acknowledgedLedgersAtTheFrontAreKeptByNothing() {
        ledgers(4);
        acknowledge(1, 0, ENTRIES);
        schedule(2);
        schedule(tracker, 3, 0, 1);
        pass();
        assertEquals(4, held());
    }

    @Test
    void theFigureFollowsWhatIsAcknowledgedInTheIndex() {
        ledgers(3);
        schedule(1);
        schedule(2);
        acknowledge(1, 0, 5);
        pass();
        assertEquals(2 + 4, held());
        acknowledge(1, 5, ENTRIES);
        pass();
        assertEquals(4, held());
        acknowledge(2, 0, ENTRIES);
        pass();
        assertEquals(0, held());
        assertEquals("0", heldOfTopics());
    }

    @Test
    void aNewLedgerBringsAPassAboutThoughNothingWasAcknowledged() {
        ledgers(1);
        schedule(1);
        pass();
        assertEquals(0, held());
        ledgers(2);
        pass();
        assertEquals(2, held());
        long passes = broker.services.purges().ended();
        pass();
        assertEquals(passes, broker.services.purges().ended(), "and no other");
    }

    @Test
    void aLedgerThatIsNotClosedYetBringsNoPassAbout() {
        ledgers(1);
        schedule(1);
        pass();
        broker.ledgers(1, 2);
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(2, 0));
        long passes = broker.services.purges().ended();
        pass();
        assertEquals(passes, broker.services.purges().ended());
    }

    @Test
    void nothingIsKeptOnceNothingIsScheduled() {
        ledgers(2);
        schedule(1);
        pass();
        assertEquals(2, held());
        broker.timer.advanceTo(NOW + 2 * 86_400_000L);
        assertEquals(ENTRIES, tracker.getScheduledMessages(100).size());
        assertEquals(0, held());
    }

    @Test
    void whereTheCursorCannotTellThereIsNoFigure() {
        ledgers(2);
        schedule(1);
        broker.copies.set(Optional.empty());
        pass();
        assertFalse(tracker.metrics().containsKey(HELD));
        assertEquals(1, tracker.samples().get("acks_unknown"));
    }

    @Test
    void aClosedTrackerKeepsNothing() {
        ledgers(2);
        schedule(1);
        pass();
        assertEquals("2", heldOfTopics());
        tracker.close();
        assertEquals("0", heldOfTopics());
    }

    private ManagedCursor another(String name, Position markDelete) {
        ManagedCursor other = mock(ManagedCursor.class);
        when(other.getName()).thenReturn(name);
        when(other.getMarkDeletedPosition()).thenReturn(markDelete);
        cursors.add(other);
        when(broker.ledger.getCursors()).thenReturn(cursors);
        return other;
    }

    @Test
    void ofTheBrokerALedgerThatAnotherSubscriptionNeedsForElseIsNotCounted() {
        ledgers(4);
        schedule(1);
        schedule(2);
        schedule(3);
        another("a", PositionFactory.create(2, 4));
        another("b", PositionFactory.create(3, 4));
        pass();
        assertEquals(2 + 4 + 8, held());
        assertEquals("2", heldOfTopics());
    }

    @Test
    void ofTheBrokerNothingIsCountedWhereAnotherSubscriptionIsFurtherBehind() {
        ledgers(3);
        broker.markDelete(1, 5);
        schedule(2);
        schedule(tracker, 1, 6, ENTRIES);
        another("z", PositionFactory.create(1, 4));
        pass();
        assertEquals(2 + 4, held());
        assertEquals("0", heldOfTopics());
    }

    @Test
    void ofTheBrokerALedgerCountsOnceHoweverManySchedulesItIsIn() {
        ledgers(4);
        ManagedCursor other = another("a", PositionFactory.create(1, -1));
        HeldLedgers held = broker.services.purges().held();
        when(other.getManagedLedger()).thenReturn(broker.ledger);
        for (int round = 0; round < 2; round++) {
            held.put(broker.cursor, allScheduledUpTo(broker.cursor, 3));
            held.put(other, allScheduledUpTo(other, 2));
        }
        assertEquals(2 + 4 + 8, held.bytes(broker.cursor));
        assertEquals(2 + 4, held.bytes(other));
        assertEquals(2 + 4, held.bytesOfTopics());
        held.remove(other);
        assertEquals(0, held.bytesOfTopics(), "the one that is furthest behind tells it with its next pass");
    }

    private HeldLook allScheduledUpTo(ManagedCursor cursor, int ledgers) {
        AckedPositions nothing = new AckedPositions(Map.of(), true);
        HeldLook look = HeldLook.of(broker.ledger, cursor.getMarkDeletedPosition(), nothing).orElseThrow();
        for (long ledgerId = 1; ledgerId <= ledgers; ledgerId++) {
            for (int entryId = 0; entryId < ENTRIES; entryId++) {
                look.listed(ledgerId, entryId);
            }
        }
        return look;
    }
}
