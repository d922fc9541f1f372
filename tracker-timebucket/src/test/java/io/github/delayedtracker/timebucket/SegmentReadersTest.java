/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.DueRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A segment reads the same from its bytes alone, whatever has left out of order and however many read it. */
class SegmentReadersTest {

    private static final int POSITIONS = 3_000;

    private static Segment segment(SortedMap<Position, Long> positions) throws CorruptSegmentException {
        Scratch scratch = Scratch.borrow(positions.size());
        positions.forEach((position, dueMillis) -> scratch.append(position.ledgerId(), position.entryId(), dueMillis));
        long[] words = SegmentEncoder.encode(scratch);
        Scratch.giveBack(scratch);
        return Segment.of(SegmentFormat.decode(SegmentFormat.encode(words)));
    }

    /** In the order of hand-out. */
    private static List<Position> inOrder(Map<Position, Long> positions) {
        List<Position> inOrder = new ArrayList<>(positions.keySet());
        inOrder.sort((a, b) -> {
            int byTime = Long.compare(positions.get(a), positions.get(b));
            return byTime != 0 ? byTime : a.compareTo(b);
        });
        return inOrder;
    }

    /** Takes up to that many positions off the head. */
    private static void take(Segment segment, List<Position> expected, int most) {
        for (int i = 0; i < most && !expected.isEmpty(); ) {
            if (segment.headIsContained()) {
                assertEquals(expected.remove(0), new Position(segment.headLedgerId(), segment.headEntryId()));
                segment.takeHead();
                i++;
            } else {
                segment.advance();
            }
        }
    }

    private static void remove(Segment segment, List<Position> expected, Random random, int share) {
        List<Position> left = new ArrayList<>(expected);
        Collections.shuffle(left, random);
        for (Position position : left.subList(0, left.size() * share / 100)) {
            assertTrue(segment.remove(position.ledgerId(), position.entryId()));
            assertFalse(segment.contains(position.ledgerId(), position.entryId()));
            expected.remove(position);
        }
        segment.validate();
    }

    private static void assertListed(Segment segment, List<Position> expected) {
        List<DueRun> runs = new ArrayList<>();
        segment.addRun(0, Long.MAX_VALUE, runs);
        List<Position> listed = new ArrayList<>();
        while (!runs.isEmpty() && runs.get(0).next()) {
            listed.add(new Position(runs.get(0).ledgerId(), runs.get(0).entryId()));
        }
        assertEquals(expected, listed);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 20, 50})
    void twoReadersAtDifferentPlacesAreTheirOwnMasters(int share) throws CorruptSegmentException {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        for (int kind = 0; kind < SegmentFormatTest.KINDS; kind++) {
            Random random = new Random(firstSeed + kind);
            SortedMap<Position, Long> positions = SegmentFormatTest.positions(random, kind, POSITIONS);
            try {
                Segment ahead = segment(positions);
                Segment behind = segment(positions);
                List<Position> leftAhead = inOrder(positions);
                List<Position> leftBehind = inOrder(positions);
                take(ahead, leftAhead, POSITIONS / 3);
                remove(ahead, leftAhead, random, share);
                assertListed(behind, leftBehind);
                while (!leftAhead.isEmpty() || !leftBehind.isEmpty()) {
                    take(ahead, leftAhead, random.nextInt(POSITIONS / 4));
                    remove(behind, leftBehind, random, share / 2);
                    take(behind, leftBehind, random.nextInt(POSITIONS / 5));
                    assertListed(ahead, leftAhead);
                    assertListed(behind, leftBehind);
                }
                assertEquals(0, ahead.size() + behind.size());
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Ddelayed.test.seed=" + firstSeed + ", kind " + kind, e);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 20, 50})
    void whatIsLeftIsWrittenAnewAndReadToTheEnd(int share) throws CorruptSegmentException {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        for (int kind = 0; kind < SegmentFormatTest.KINDS; kind++) {
            Random random = new Random(firstSeed + kind);
            SortedMap<Position, Long> positions = SegmentFormatTest.positions(random, kind, POSITIONS);
            Segment segment = segment(positions);
            List<Position> expected = inOrder(positions);
            take(segment, expected, random.nextInt(POSITIONS / 2));
            remove(segment, expected, random, share);
            Position upTo = expected.get(random.nextInt(expected.size()));
            int before = expected.size();
            if (random.nextBoolean()) {
                expected.removeIf(position -> position.compareTo(upTo) <= 0);
                assertEquals(before - expected.size(), segment.removeUpTo(upTo.ledgerId(), upTo.entryId()));
                segment.validate();
            }
            Scratch scratch = Scratch.borrow(POSITIONS);
            segment.copy().copyTo(scratch);
            TreeMap<Position, Long> copied = new TreeMap<>();
            for (int i = 0; i < scratch.count; i++) {
                copied.put(new Position(scratch.ledgerIds[i], scratch.entryIds[i]), scratch.dueMillis[i]);
            }
            Scratch.giveBack(scratch);
            TreeMap<Position, Long> left = new TreeMap<>();
            expected.forEach(position -> left.put(position, positions.get(position)));
            assertEquals(left, copied, "-Ddelayed.test.seed=" + firstSeed + ", kind " + kind);
            take(segment, expected, POSITIONS);
            assertEquals(0, segment.size());
        }
    }
}
