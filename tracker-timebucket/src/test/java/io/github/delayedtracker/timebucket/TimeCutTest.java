/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TimeCutTest {

    private static final int COUNT = 20_000;

    private final long[] ledgerIds = new long[COUNT];
    private final long[] entryIds = new long[COUNT];
    private final long[] dueMillis = new long[COUNT];

    private void fill(long seed, int spanMillis) {
        Random random = new Random(seed);
        long entry = 0;
        for (int i = 0; i < COUNT; i++) {
            entry += 1 + random.nextInt(3);
            ledgerIds[i] = 5L + i / 7_000;
            entryIds[i] = entry;
            dueMillis[i] = 1_000_000L + random.nextInt(spanMillis);
        }
    }

    private List<List<Long>> expected() {
        List<List<Long>> all = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            all.add(List.of(dueMillis[i], ledgerIds[i], entryIds[i]));
        }
        Comparator<List<Long>> byTime = Comparator.comparing(each -> each.get(0));
        all.sort(byTime.thenComparing(each -> each.get(1)).thenComparing(each -> each.get(2)));
        return all;
    }

    @Test
    void segmentsOneAfterTheOtherHoldAllPositionsInTheOrderOfTheirTimes() {
        fill(1, 600_000);
        List<List<Long>> cut = new ArrayList<>();
        for (SealedSegment segment : TimeCut.cut(COUNT, ledgerIds, entryIds, dueMillis, CutRule.usual(5_000, 300_000))) {
            segment.forEach((due, ledgerId, entryId) -> cut.add(List.of(due, ledgerId, entryId)));
        }
        assertEquals(expected(), cut);
    }

    @Test
    void noSegmentIsLargerOrLongerThanAllowed() {
        fill(2, 600_000);
        List<SealedSegment> segments = TimeCut.cut(COUNT, ledgerIds, entryIds, dueMillis, new CutRule(1_000, 1, 20_000));
        assertTrue(segments.size() >= 30, () -> "segments: " + segments.size());
        for (SealedSegment segment : segments) {
            assertTrue(segment.positions() <= 1_000);
            assertTrue(segment.lastDueMillis() - segment.firstDueMillis() <= 20_000);
        }
    }

    @Test
    void manyOfOneMomentAreCutByNumber() {
        fill(3, 1);
        List<SealedSegment> segments = TimeCut.cut(COUNT, ledgerIds, entryIds, dueMillis, new CutRule(6_000, 1, 0));
        assertEquals(List.of(6_000, 6_000, 6_000, 2_000), segments.stream().map(SealedSegment::positions).toList());
    }

    @Test
    void aSegmentComesBackFromItsBytes() throws CorruptSegmentException {
        fill(4, 60_000);
        for (SealedSegment segment : TimeCut.cut(COUNT, ledgerIds, entryIds, dueMillis, CutRule.usual(5_000, 300_000))) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(segment.bytes() + 7);
            bytes.position(3);
            segment.writeTo(bytes);
            assertEquals(3 + segment.bytes(), bytes.position());
            SealedSegment read = SealedSegment.read(bytes.flip().position(3));
            assertEquals(positions(segment), positions(read));
        }
    }

    private static List<List<Long>> positions(SealedSegment segment) {
        List<List<Long>> all = new ArrayList<>();
        segment.forEach((due, ledgerId, entryId) -> all.add(List.of(due, ledgerId, entryId)));
        return all;
    }

    @Test
    void damagedBytesAreRefused() {
        fill(5, 60_000);
        SealedSegment segment = TimeCut.cut(100, ledgerIds, entryIds, dueMillis, CutRule.usual(5_000, 300_000)).get(0);
        ByteBuffer bytes = ByteBuffer.allocate(segment.bytes());
        segment.writeTo(bytes);
        bytes.put(50, (byte) ~bytes.get(50)).flip();
        assertThrows(CorruptSegmentException.class, () -> SealedSegment.read(bytes));
    }

    @Test
    void nothingIsCutIntoNothing() {
        assertEquals(List.of(), TimeCut.cut(0, ledgerIds, entryIds, dueMillis, CutRule.usual(5_000, 300_000)));
    }

    @Test
    void fewPositionsMakeASegmentHoweverFarTheyAreApart() {
        fill(6, Integer.MAX_VALUE);
        List<SealedSegment> segments = TimeCut.cut(COUNT, ledgerIds, entryIds, dueMillis, CutRule.usual(5_000, 300_000));
        assertEquals(1 + COUNT / CutRule.LEAST_POSITIONS, segments.size());
        for (SealedSegment segment : segments.subList(0, segments.size() - 1)) {
            assertEquals(CutRule.LEAST_POSITIONS, segment.positions());
        }
    }

    /** Dense for a minute, then ever thinner. */
    @Test
    void eachSegmentEndsWhereItsRuleSays() {
        fill(7, 1);
        for (int i = 0; i < COUNT; i++) {
            dueMillis[i] = 1_000_000L + (long) Math.pow(1.001, i);
        }
        CutRule rule = new CutRule(3_000, 700, 60_000);
        List<SealedSegment> segments = TimeCut.cut(COUNT, ledgerIds, entryIds, dueMillis, rule);
        Set<Integer> sizes = new HashSet<>();
        for (int i = 0; i + 1 < segments.size(); i++) {
            SealedSegment segment = segments.get(i);
            sizes.add(segment.positions());
            assertTrue(segment.positions() <= rule.leastPositions()
                    || segment.lastDueMillis() - segment.firstDueMillis() <= rule.mostMillis(),
                    () -> "too long: " + segment.positions());
            assertTrue(segment.positions() == rule.mostPositions() || segment.positions() >= rule.leastPositions()
                    && segments.get(i + 1).firstDueMillis() - segment.firstDueMillis() > rule.mostMillis(),
                    () -> "too short: " + segment.positions());
        }
        assertTrue(sizes.contains(3_000) && sizes.contains(700) && sizes.size() > 2, sizes::toString);
    }

    @Test
    void aRuleIsMadeStrictOrSmaller() {
        CutRule rule = CutRule.usual(5_000, 300_000);
        assertEquals(new CutRule(5_000, 512, 300_000), rule);
        assertEquals(new CutRule(5_000, 1, 300_000), rule.strict());
        assertEquals(new CutRule(600, 512, 300_000), rule.atMost(600));
        assertEquals(new CutRule(40, 40, 300_000), rule.atMost(40));
        assertEquals(rule, rule.atMost(5_001));
        assertEquals(new CutRule(100, 100, 1), CutRule.usual(100, 1));
    }

    @Test
    void aRuleThatTheFormatOrTheOrderForbidsIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new CutRule(SegmentFormat.MAX_POSITIONS + 1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> CutRule.usual(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new CutRule(10, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new CutRule(10, 11, 1));
        assertThrows(IllegalArgumentException.class, () -> new CutRule(10, 1, -1));
    }
}
