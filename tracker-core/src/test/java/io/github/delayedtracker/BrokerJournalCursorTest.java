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
import static org.mockito.ArgumentMatchers.anyMap;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.acks.JournalCursor.Stamp;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.bookkeeper.mledger.AsyncCallbacks.MarkDeleteCallback;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The record that a stamp writes leaves out nothing that the one before had, whichever form that was of, and holds the stamp. */
class BrokerJournalCursorTest {

    private static final int MOST = 10;
    private static final long ALL = -1L;
    private static final long EVERY_SECOND = 0x5555_5555_5555_5555L;

    private final FakeBroker broker = new FakeBroker();

    private boolean isAsBitmapsAfterStamp(long acknowledged, Optional<Stamp> stamp) {
        broker.limits.setMaxUnackedRangesToPersist(MOST);
        broker.limits.setPersistIndividualAckAsLongArray(true);
        broker.copies.set(Optional.of(new AckedPositions(Map.of(1L, new long[] {acknowledged}), true)));
        BrokerJournalCursor cursor = new BrokerJournalCursor(broker.cursor, new CursorView(broker.cursor, broker.services),
                new Object(), () -> true);
        assertTrue(cursor.excluded(excluded -> {
            excluded.stamp(stamp, () -> { });
            return true;
        }).isPresent());
        return broker.limits.isPersistIndividualAckAsLongArray();
    }

    @Test
    void fewRangesOfManyEntriesAreWrittenAsRanges() {
        assertEquals(false, isAsBitmapsAfterStamp(ALL, Optional.of(new Stamp(5, 0))));
    }

    @Test
    void manyRangesStayBitmaps() {
        assertEquals(true, isAsBitmapsAfterStamp(EVERY_SECOND, Optional.of(new Stamp(5, 1))));
    }

    @Test
    void theRecordWithWhichAJournalEndsLeavesNothingOutThatTheOneBeforeHad() {
        assertEquals(false, isAsBitmapsAfterStamp(ALL, Optional.empty()));
        assertEquals(true, isAsBitmapsAfterStamp(EVERY_SECOND, Optional.empty()));
    }

    private BrokerJournalCursor of(CursorRecordLimits limits) {
        broker.copies.set(Optional.of(new AckedPositions(Map.of(1L, new long[] {ALL}), true)));
        TrackerServices known = broker.services;
        return new BrokerJournalCursor(broker.cursor, new CursorView(broker.cursor, new TrackerServices(broker.timer,
                broker.timer::nowMillis, known.registry(), Runnable::run, broker.configuration, known.purges(), known.acks(),
                limits, known.journals(), known.delays(), known.lateness(), known.warnings())), new Object(), () -> true);
    }

    /** One of a few ranges would end, and the next record be cut off at its ledgers. */
    @Test
    void aJournalIsNeededForABrokerOfBitmapsThoughRangesAreWrittenNow() {
        broker.limits.setMaxUnackedRangesToPersist(MOST);
        broker.limits.setPersistIndividualAckAsLongArray(false);
        assertEquals(true, of(new CursorRecordLimits(30_000, true)).moment().orElseThrow().roomBeforeJournal() <= 0);
        assertEquals(false, of(new CursorRecordLimits(30_000, false)).moment().orElseThrow().roomBeforeJournal() <= 0);
    }

    @Test
    void aLimitThatAPolicyHasBroughtBackIsLoweredBeforeItCounts() {
        broker.limits.setMaxUnackedRangesToPersist(200_000);
        assertEquals(30_000, of(new CursorRecordLimits(30_000, false)).moment().orElseThrow().most());
    }

    /** A skip that waits in the same group takes the stamp away, and is the one of both that is written. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStampIsWrittenOnlyIfTheCursorStillHasIt(boolean isTakenAway) {
        Map<String, Long> numbers = new HashMap<>();
        broker.writesToLedger.set(true);
        when(broker.cursor.getProperties()).thenReturn(numbers);
        when(broker.cursor.putProperty(anyString(), anyLong())).thenAnswer(call -> {
            numbers.put(call.getArgument(0), call.getArgument(1));
            return true;
        });
        AtomicReference<Runnable> answer = new AtomicReference<>();
        doAnswer(call -> {
            when(broker.cursor.getPersistentMarkDeletedPosition()).thenReturn(PositionFactory.create(1L << 40, 0));
            answer.set(() -> call.<MarkDeleteCallback>getArgument(2).markDeleteComplete(null));
            return null;
        }).when(broker.cursor).asyncMarkDelete(any(), anyMap(), any(), any());
        AtomicBoolean isWritten = new AtomicBoolean();
        boolean unused = of(new CursorRecordLimits(30_000, false)).excluded(excluded -> {
            excluded.stamp(Optional.of(new Stamp(5, 1)), () -> isWritten.set(true));
            return true;
        }).orElseThrow();
        if (isTakenAway) {
            numbers.clear();
        }
        answer.get().run();
        assertEquals(!isTakenAway, isWritten.get());
    }
}
