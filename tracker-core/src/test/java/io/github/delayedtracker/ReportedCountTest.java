/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static io.github.delayedtracker.FakeBroker.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.acks.AckedPositions;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The reported count is made once for as long as nothing changes, and anew after any change. */
class ReportedCountTest {

    private static final int ROUNDS = 1_000;

    private final FakeBroker broker = new FakeBroker();
    private final SubscriptionTracker tracker = broker.tracker(true);
    private int published;
    private int read;
    private int passed;
    private int acknowledged;

    @BeforeEach
    void fourMessagesWait() {
        for (int i = 0; i < 4; i++) {
            addDelayed();
        }
        tracker.numberOfDelayedMessages();
    }

    private void publish() {
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(1, published++));
        cursorCounts();
    }

    private void addDelayed() {
        publish();
        read = published;
        broker.readPosition(1, read);
        cursorCounts();
        tracker.addMessage(1, published - 1L, broker.timer.nowMillis() + 1 + published % 7 * 1_000L);
    }

    private void acknowledge(int entry) {
        if (entry >= passed && broker.acknowledged.add(PositionFactory.create(1, entry))) {
            acknowledged++;
            cursorCounts();
        }
    }

    private void cursorCounts() {
        long[] words = new long[published / 64 + 1];
        broker.acknowledged.stream().filter(position -> position.getEntryId() >= passed).forEach(position ->
                words[(int) position.getEntryId() >> 6] |= 1L << position.getEntryId());
        boolean any = Arrays.stream(words).anyMatch(word -> word != 0);
        broker.copies.set(Optional.of(new AckedPositions(any ? Map.of(1L, words) : Map.of(), true)));
        broker.backlog(published - acknowledged);
        when(broker.ledger.getNumberOfEntries()).thenReturn((long) published);
        when(broker.cursor.getNumberOfEntries()).thenReturn((long) published - read);
    }

    private void passMarkDelete() {
        while (passed < read && broker.acknowledged.contains(PositionFactory.create(1, passed))) {
            passed++;
        }
        broker.markDelete(1, passed - 1L);
    }

    private void readOnFrom(int entry) {
        read = entry;
        broker.readPosition(1, read);
    }

    private void assertMadeAnew(Runnable change, long count) {
        assertSameWhileNothingChanges();
        ReportedCount last = tracker.reported;
        change.run();
        assertEquals(count, tracker.numberOfDelayedMessages());
        assertNotSame(last, tracker.reported);
    }

    private void assertSameWhileNothingChanges() {
        long count = tracker.numberOfDelayedMessages();
        ReportedCount last = tracker.reported;
        assertEquals(count, tracker.numberOfDelayedMessages());
        assertSame(last, tracker.reported);
    }

    @Test
    void aMessageMoreIsCounted() {
        assertMadeAnew(this::addDelayed, 5);
    }

    @Test
    void whatMarkDeleteHasPassedIsNotCounted() {
        assertMadeAnew(() -> broker.markDelete(1, 1), 2);
    }

    @Test
    void anAcknowledgedMessageIsNotCounted() {
        assertMadeAnew(() -> acknowledge(2), 3);
    }

    @Test
    void whatWasPublishedAndNotReadIsNotCounted() {
        acknowledge(3);
        // A pass may follow the one before by then.
        broker.timer.advanceTo(NOW + 60_000);
        tracker.numberOfDelayedMessages();
        assertMadeAnew(this::publish, 3);
    }

    @Test
    void anUnreadMessageOfARewoundCursorIsCounted() {
        assertMadeAnew(() -> broker.readPosition(1, 0), 4);
    }

    @Test
    void whatWasHandedOutIsNotCounted() {
        broker.timer.advanceTo(NOW + 60_000);
        assertMadeAnew(() -> assertEquals(4, tracker.getScheduledMessages(10).size()), 0);
    }

    @Test
    void aCursorThatFailsLeavesWhatIsKnown() {
        when(broker.cursor.getReadPosition()).thenThrow(new IllegalStateException("no answer"));
        assertEquals(4, tracker.numberOfDelayedMessages());
    }

    @Test
    void theKeptCountIsTheOneMadeAnewAfterAnyStep() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int kept = 0;
        for (int i = 0; i < ROUNDS; i++) {
            int step = random.nextInt(8);
            switch (step) {
                case 0 -> addDelayed();
                case 1 -> publish();
                case 2 -> acknowledge(random.nextInt(published));
                case 3 -> passMarkDelete();
                case 4 -> readOnFrom(passed + random.nextInt(published - passed + 1));
                case 5 -> tracker.getScheduledMessages(1 + random.nextInt(3));
                case 6 -> broker.timer.advanceTo(broker.timer.nowMillis() + random.nextInt(60_000));
                default -> tracker.look();
            }
            cursorCounts();
            ReportedCount last = tracker.reported;
            long count = tracker.numberOfDelayedMessages();
            kept += last == tracker.reported ? 1 : 0;
            tracker.reported = null;
            String where = "after step " + step + " of round " + i + ", seed " + seed;
            assertEquals(tracker.numberOfDelayedMessages(), count, where);
        }
        assertTrue(kept > ROUNDS / 50, kept + " counts were kept, seed " + seed);
    }
}
