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
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.acks.AckedPositions;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.bookkeeper.mledger.impl.ManagedCursorImpl;
import org.junit.jupiter.api.Test;

/** What the broker's own cursor has acknowledged, all at once. */
class BrokerAckSourceTest {

    private static final int LEDGERS = 5;
    private static final int ENTRIES = 1_000;
    /** What a restore of a million acknowledges at a time. */
    private static final int SLICE = 5_000;
    private static final int ROUNDS = 6;
    private static final int TIMES = 60;

    private final BrokerAckSource source = new BrokerAckSource();
    private final ManagedLedgerConfig config = new ManagedLedgerConfig();

    @Test
    void theCopySaysWhatTheCursorSays() throws Exception {
        ManagedCursorImpl cursor = RealCursor.of(config);
        long acknowledged = RealCursor.acknowledgeHalf(cursor, LEDGERS, ENTRIES, 1);
        AckedPositions copy = source.copy(cursor).orElseThrow();
        assertEquals(acknowledged, copy.entries());
        assertEquals(cursor.getTotalNonContiguousDeletedMessagesRange(), copy.ranges());
        for (long ledgerId = 0; ledgerId <= LEDGERS + 1; ledgerId++) {
            for (int entryId = 0; entryId < ENTRIES + 70; entryId++) {
                boolean deleted = ledgerId > 0 && cursor.isMessageDeleted(PositionFactory.create(ledgerId, entryId));
                assertEquals(deleted, copy.contains(ledgerId, entryId));
            }
        }
    }

    @Test
    void theCutOfTheCopyIsThatOfTheBrokersOwnRecord() throws Exception {
        ManagedCursorImpl cursor = RealCursor.of(config);
        long acknowledged = RealCursor.acknowledgeHalf(cursor, LEDGERS, ENTRIES, 2);
        AckedPositions copy = source.copy(cursor).orElseThrow();
        for (int limit : new int[] {0, 1, 499, 700, 1_200, 2_600, 100_000}) {
            long kept = new AckedPositions(cursor.getIndividuallyDeletedMessagesSet().toRanges(limit), true).entries();
            assertEquals(acknowledged - kept, copy.entriesBehindLedgers(limit), "limit " + limit);
        }
    }

    /**
     * Two million acknowledged of four million in 80 ledgers. Times are those of the thread; the first ten of a round warm up. A
     * machine that does other work too slows a round down: the fastest counts.
     */
    @Test
    void withAMillionHolesTheCursorsLockIsHeldForLessThanAMillisecond() throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        List<Long> copies = new ArrayList<>();
        BrokerAckSource measured = new BrokerAckSource(threads::getCurrentThreadCpuTime, copies::add);
        ManagedCursorImpl cursor = RealCursor.of(config);
        long acknowledged = RealCursor.acknowledgeHalf(cursor, 80, 50_000, 1);
        assertTrue(cursor.getTotalNonContiguousDeletedMessagesRange() > 999_000);
        // Before the first copy it takes small ones.
        assertEquals(acknowledged, measured.copyOfMany(cursor).orElseThrow().entries());
        double copyMillis = fastestRound(() -> {
            copies.clear();
            for (int i = 0; i < TIMES; i++) {
                assertEquals(acknowledged, measured.copyOfMany(cursor).orElseThrow().entries());
            }
            return copies;
        });
        Random random = new Random(2);
        double sliceMillis = fastestRound(() -> {
            List<Long> slices = new ArrayList<>();
            for (int i = 0; i < TIMES; i++) {
                long begin = threads.getCurrentThreadCpuTime();
                for (int position = 0; position < SLICE; position++) {
                    RealCursor.acknowledge(cursor, 1 + random.nextInt(80), random.nextInt(50_000));
                }
                slices.add(threads.getCurrentThreadCpuTime() - begin);
            }
            return slices;
        });
        System.out.printf("cursor's lock, %,d holes: a copy %.2f ms, a slice of %,d put into the set %.2f ms, medians%n",
                cursor.getTotalNonContiguousDeletedMessagesRange(), copyMillis, SLICE, sliceMillis);
        assertTrue(copyMillis <= 1, () -> copyMillis + " ms");
        assertTrue(sliceMillis <= 1, () -> sliceMillis + " ms");
    }

    /** The least median of rounds, each of which answers its times in nanoseconds; as many rounds as it takes to be fast. */
    private static double fastestRound(Callable<List<Long>> round) throws Exception {
        double millis = Double.MAX_VALUE;
        for (int i = 0; i < ROUNDS && millis > 1; i++) {
            List<Long> nanos = round.call();
            assertEquals(TIMES, nanos.size());
            millis = Math.min(millis, warmMillis(nanos));
        }
        return millis;
    }

    /** The median of all but the first ten. */
    private static double warmMillis(List<Long> nanos) {
        List<Long> warm = nanos.stream().skip(10).sorted().toList();
        return warm.get(warm.size() / 2) / 1e6;
    }

    @Test
    void theCopyDoesNotFollowTheCursor() throws Exception {
        ManagedCursorImpl cursor = RealCursor.of(config);
        RealCursor.acknowledge(cursor, 1, 7);
        AckedPositions copy = source.copy(cursor).orElseThrow();
        RealCursor.acknowledge(cursor, 1, 9);
        assertEquals(1, copy.entries());
    }

    @Test
    void aCursorWithoutSingleAcknowledgementsHasAnEmptyCopy() throws Exception {
        assertTrue(source.copy(RealCursor.of(config)).orElseThrow().isEmpty());
    }

    @Test
    void whereTheBrokerKeepsRangesThereIsNoCopy() throws Exception {
        config.setUnackedRangesOpenCacheSetEnabled(false);
        ManagedCursorImpl cursor = RealCursor.of(config);
        RealCursor.acknowledge(cursor, 1, 7);
        assertTrue(source.copy(cursor).isEmpty());
        config.setUnackedRangesOpenCacheSetEnabled(true);
        assertTrue(source.copy(RealCursor.of(config)).isPresent());
    }

    @Test
    void ofTooManyEntriesNoCopyIsTaken() throws Exception {
        ManagedCursorImpl cursor = spy(RealCursor.of(config));
        when(cursor.getNumberOfEntriesSinceFirstNotAckedMessage()).thenReturn(BrokerAckSource.MOST_ENTRIES + 1);
        assertTrue(source.copy(cursor).isEmpty());
        verify(cursor, never()).processIndividuallyDeletedMessagesAndGetMarkDeletedPosition(any());
    }

    @Test
    void asManyEntriesTrimmedAsAcknowledgedDoNotHideEachOther() throws Exception {
        ManagedCursorImpl cursor = spy(RealCursor.of(config));
        long before = source.consumed(cursor);
        when(cursor.getMessagesConsumedCounter()).thenReturn(before + 2);
        // The entries of the ledger and its backlog are the same as before.
        assertEquals(before + 2, source.consumed(cursor));
    }

    @Test
    void ofAnotherKindOfCursorTheTwoCountersTell() {
        ManagedCursor cursor = mock(ManagedCursor.class);
        ManagedLedger ledger = mock(ManagedLedger.class);
        when(cursor.getManagedLedger()).thenReturn(ledger);
        when(ledger.getNumberOfEntries()).thenReturn(100L);
        when(cursor.getNumberOfEntriesInBacklog(false)).thenReturn(30L);
        assertEquals(70, source.consumed(cursor));
    }

    @Test
    void anotherKindOfCursorHasNoCopy() {
        assertTrue(source.copy(mock(ManagedCursor.class)).isEmpty());
    }

    @Test
    void aCursorOfAnotherShapeIsTriedOnce() throws Exception {
        ManagedCursorImpl cursor = spy(RealCursor.of(config));
        doThrow(new NoSuchMethodError("for the test")).when(cursor)
                .processIndividuallyDeletedMessagesAndGetMarkDeletedPosition(any());
        assertTrue(source.copy(cursor).isEmpty());
        assertTrue(source.copy(RealCursor.of(config)).isEmpty());
    }

    @Test
    void aCursorWritesToALedgerOfItsOwnOnlyWhileThatIsOpen() throws Exception {
        ManagedCursorImpl cursor = spy(RealCursor.of(config));
        assertFalse(source.writesToLedger(cursor));
        when(cursor.getState()).thenReturn("Open");
        assertTrue(source.writesToLedger(cursor));
        assertFalse(source.writesToLedger(mock(ManagedCursor.class)));
    }
}
