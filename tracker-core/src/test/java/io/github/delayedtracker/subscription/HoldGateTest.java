/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Entries wait at a gate that is shut, and overtake each other neither there nor after it. */
class HoldGateTest {

    private static final long ALL_READ = Long.MAX_VALUE;

    private final HoldGate gate = new HoldGate();

    private List<Long> handedOut(int limit) {
        List<Long> out = new ArrayList<>();
        gate.handOut(limit, ALL_READ, 0, (ledgerId, entryId) -> out.add(entryId));
        return out;
    }

    private void hold(long... entryIds) {
        gate.shut();
        for (long entryId : entryIds) {
            assertTrue(gate.holds(1, entryId), () -> entryId + " is held");
        }
    }

    @Test
    void anOpenGateLetsEverythingGo() {
        assertFalse(gate.holds(1, 1));
        assertTrue(gate.isOpen());
        assertFalse(gate.hasToHandOut());
    }

    @Test
    void nothingIsHandedOutWhileItIsShut() {
        hold(1, 2);
        assertEquals(List.of(), handedOut(10));
        assertFalse(gate.hasToHandOut());
        assertEquals(2, gate.held());
    }

    @Test
    void heldEntriesAreHandedOutInTheirOrderOnceItIsOpen() {
        hold(7, 3, 5);
        gate.open();
        assertTrue(gate.hasToHandOut());
        assertEquals(List.of(3L, 5L), handedOut(2));
        assertEquals(List.of(7L), handedOut(2));
        assertFalse(gate.hasToHandOut());
    }

    @Test
    void onlyEntriesBelowTheReadPositionAreHandedOut() {
        hold(1, 2, 3);
        gate.open();
        List<Long> out = new ArrayList<>();
        assertEquals(2, gate.handOut(10, 1, 3, (ledgerId, entryId) -> out.add(entryId)));
        assertEquals(List.of(1L, 2L), out);
    }

    @Test
    void whatIsScheduledWhenItIsOfferedAgainWaitsHereNoMore() {
        hold(1, 2, 3);
        gate.open();
        gate.isScheduled(1, 1);
        assertEquals(List.of(2L, 3L), handedOut(10));
        gate.isScheduled(1, 2);
        assertFalse(gate.holds(1, 3));
        assertTrue(gate.isOpen(), "nothing is on its way");
    }

    @Test
    void aGateThatHeldNothingIsOpenAtOnce() {
        gate.shut();
        gate.open();
        assertTrue(gate.isOpen());
    }

    @Test
    void entriesBehindHeldOnesAreHeldUntilAllThoseWereOfferedAgain() {
        hold(1, 2);
        gate.open();
        assertTrue(gate.holds(1, 3));
        assertEquals(List.of(1L, 2L, 3L), handedOut(10));
        assertTrue(gate.holds(1, 4), "1 to 3 are on their way");
        assertFalse(gate.holds(1, 1));
        assertFalse(gate.holds(1, 2));
        assertFalse(gate.holds(1, 3));
        assertEquals(List.of(4L), handedOut(10));
        assertFalse(gate.holds(1, 4));
        assertTrue(gate.isOpen());
    }

    @Test
    void entriesBeforeTheLastHeldOneAreLetGo() {
        hold(5);
        gate.open();
        assertFalse(gate.holds(1, 4), "it was read before, and comes again");
    }

    @Test
    void anEntryThatIsAboutToBeReadIsNotHandedOut() {
        hold(1, 2);
        gate.open();
        gate.isRead(1, 1);
        assertEquals(List.of(2L), handedOut(10));
        assertFalse(gate.holds(1, 1));
        assertFalse(gate.holds(1, 2));
        assertTrue(gate.isOpen());
    }

    @Test
    void anEntryThatIsAboutToBeReadWhileTheGateIsShutIsHeldAgain() {
        hold(1);
        gate.isRead(1, 1);
        assertTrue(gate.holds(1, 1));
        gate.open();
        assertEquals(List.of(1L), handedOut(10));
    }

    @Test
    void anEntryThatIsReadAgainFirstIsNotHandedOut() {
        hold(1, 2);
        gate.open();
        assertFalse(gate.holds(1, 1));
        assertEquals(List.of(2L), handedOut(10));
    }

    @Test
    void entriesThatAreAcknowledgedMeanwhileHoldUpNoOthers() {
        hold(1, 2);
        gate.open();
        handedOut(10);
        gate.drop(1, 1);
        assertFalse(gate.holds(1, 2));
        assertTrue(gate.isOpen());
    }

    @Test
    void afterItsTimeNothingMoreIsHeldAndWhatIsHeldIsHandedOutStill() {
        hold(1, 2);
        gate.open();
        assertEquals(List.of(1L), handedOut(1));
        gate.stopDraining();
        assertFalse(gate.holds(1, 9));
        assertTrue(gate.hasToHandOut());
        assertEquals(List.of(2L), handedOut(10));
        assertFalse(gate.holds(1, 2));
        assertTrue(gate.isOpen());
    }

    @Test
    void theTimeOfAnEarlierOpeningEndsNoLaterShut() {
        hold(1);
        gate.stopDraining();
        assertTrue(gate.isShut());
        assertTrue(gate.holds(1, 2));
    }

    @Test
    void itMayBeShutAgainWhileItDrains() {
        hold(1, 2);
        gate.open();
        handedOut(1);
        gate.shut();
        assertTrue(gate.holds(1, 1));
        assertEquals(List.of(), handedOut(10));
        gate.open();
        assertEquals(List.of(1L, 2L), handedOut(10));
    }

    @Test
    void aGateThatWasNeverShutHasNothingToDoWithAnybody() {
        gate.isRead(1, 1);
        gate.isScheduled(1, 1);
        gate.drop(1, 1);
        gate.open();
        gate.stopDraining();
        gate.forget((ledgerId, entryId) -> true);
        assertEquals(List.of(), handedOut(10));
        assertEquals(0, gate.held());
        assertEquals(0, gate.moves());
        assertTrue(gate.isOpen());
        assertFalse(gate.isShut());
    }

    @Test
    void aGateThatWasOpenedAgainIsNotShut() {
        hold(1);
        assertTrue(gate.isShut());
        assertFalse(gate.isOpen());
        gate.open();
        assertFalse(gate.isShut());
        assertFalse(gate.isOpen(), "one is still held");
        assertTrue(gate.hasToHandOut());
    }

    @Test
    void entriesOfALaterLedgerAreBehindAndThoseOfAnEarlierOneAreNot() {
        gate.shut();
        assertTrue(gate.holds(3, 5));
        gate.open();
        assertEquals(List.of(5L), handedOut(10));
        assertFalse(gate.holds(2, 9));
        assertFalse(gate.holds(3, 4));
        assertTrue(gate.holds(3, 6));
        assertTrue(gate.holds(4, 0));
    }

    @Test
    void aGateIsOpenOnceTheLastThatWasHandedOutCannotComeAgain() {
        hold(1, 2);
        gate.open();
        handedOut(10);
        gate.forget((ledgerId, entryId) -> entryId == 1);
        assertFalse(gate.isOpen());
        gate.forget((ledgerId, entryId) -> true);
        assertTrue(gate.isOpen());
    }

    @Test
    void aGateIsOpenOnceTheLastThatWasHandedOutIsAcknowledged() {
        hold(1, 2);
        gate.open();
        handedOut(10);
        gate.drop(1, 1);
        assertFalse(gate.isOpen());
        gate.drop(1, 2);
        assertTrue(gate.isOpen());
    }

    @Test
    void aGateIsOpenOnceTheLastThatItHeldIsLeftToItsRead() {
        hold(1);
        gate.open();
        gate.isRead(1, 1);
        assertTrue(gate.isOpen());
    }

    @Test
    void aGateIsOpenOnceTheLastThatItHeldIsScheduled() {
        hold(1);
        gate.open();
        gate.isScheduled(1, 1);
        assertTrue(gate.isOpen());
    }

    @Test
    void whatWasHandedOutBeforeTheGateOpenedIsNotWaitedForTheNextTime() {
        hold(1, 2);
        gate.open();
        handedOut(10);
        gate.stopDraining();
        assertTrue(gate.isOpen());
        hold(3);
        gate.open();
        assertEquals(List.of(3L), handedOut(10));
        assertFalse(gate.holds(1, 3));
        assertTrue(gate.isOpen(), "1 and 2 are not on their way");
    }

    @Test
    void eachMoveOfAnEntryIsSeenInTheNumber() {
        List<Long> numbers = new ArrayList<>(List.of(gate.moves()));
        hold(1, 2, 3, 4);
        numbers.add(gate.moves());
        gate.isRead(1, 4);
        numbers.add(gate.moves());
        gate.isScheduled(1, 3);
        numbers.add(gate.moves());
        gate.open();
        handedOut(10);
        numbers.add(gate.moves());
        assertFalse(gate.holds(1, 1));
        numbers.add(gate.moves());
        gate.forget((ledgerId, entryId) -> true);
        numbers.add(gate.moves());
        assertEquals(numbers.stream().sorted().distinct().toList(), numbers);
    }

    @Test
    void theNumberStaysWhereNothingMoves() {
        hold(1, 2);
        gate.open();
        assertEquals(List.of(1L), handedOut(1));
        long before = gate.moves();
        gate.isRead(1, 9);
        gate.isRead(1, 1);
        gate.isScheduled(1, 9);
        gate.forget((ledgerId, entryId) -> false);
        assertEquals(before, gate.moves());
    }

    /** A dispatcher that reads ahead, and replays one hand-out before it asks for the next, with a gate that opens and shuts. */
    @Test
    void noEntryOvertakesAnotherNorComesTwiceNorGetsLost() {
        long seed = Long.getLong("gate.seed", System.nanoTime());
        for (int round = 0; round < 2_000; round++) {
            Random random = new Random(seed + round);
            HoldGate tried = new HoldGate();
            List<Long> sent = new ArrayList<>();
            Queue<Long> replays = new ArrayDeque<>();
            long read = 0;
            int entries = 40;
            while (sent.size() < entries) {
                switch (random.nextInt(6)) {
                    case 0 -> tried.shut();
                    case 1 -> tried.open();
                    case 2 -> {
                        if (replays.isEmpty()) {
                            tried.handOut(1 + random.nextInt(5), 1, read, (ledgerId, entryId) -> replays.add(entryId));
                        }
                    }
                    case 3 -> {
                        if (read < entries) {
                            offer(tried, read++, sent);
                        }
                    }
                    default -> {
                        for (int i = random.nextInt(4); i > 0 && !replays.isEmpty(); i--) {
                            offer(tried, replays.remove(), sent);
                        }
                    }
                }
            }
            long failing = seed + round;
            assertEquals(LongStream.range(0, entries).boxed().toList(), sent, () -> "-Dgate.seed=" + failing);
            tried.open();
            assertTrue(tried.isOpen(), () -> "-Dgate.seed=" + failing);
        }
    }

    private static void offer(HoldGate to, long entryId, List<Long> sent) {
        if (!to.holds(1, entryId)) {
            sent.add(entryId);
        }
    }
}
