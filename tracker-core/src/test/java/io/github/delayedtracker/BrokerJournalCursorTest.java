/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.acks.JournalCursor.Stamp;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The record that a stamp writes leaves out nothing that the one before had, whichever form that was of. */
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
}
