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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphStats;

/** What a sheet knows of the positions noted on it, whatever their ids are, and what it takes for each. */
class NoteSheetTest {

    private static final int SHAPES = 5;

    @Test
    void eachPositionThatWasNotedIsKnown() {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        for (int run = 0; run < 300; run++) {
            Random random = new Random(firstSeed + run);
            NoteSheet sheet = new NoteSheet(PartSizes.sheet(1 << 4 + random.nextInt(9), 1 + random.nextInt(5_000)));
            Set<Position> noted = new HashSet<>();
            for (int step = 0; step < 20_000 && !sheet.isFull(); step++) {
                Position position = position(run, step, random);
                boolean isNew = note(sheet, position);
                assertFalse(isNew && noted.contains(position), () -> position + " is known, seed " + firstSeed);
                noted.add(position);
            }
            for (Position position : noted) {
                assertTrue(mayHave(sheet, position), () -> position + " is known, seed " + firstSeed);
            }
            assertTrue(sheet.count() <= noted.size() && sheet.groupCount() <= sheet.count());
        }
    }

    private static Position position(int run, int step, Random random) {
        return switch (run % SHAPES) {
            case 0 -> new Position(7, step);
            case 1 -> new Position(step * 10L, step % 3);
            case 2 -> new Position(random.nextInt(40), random.nextInt(3_000));
            case 3 -> new Position(random.nextLong() >>> 1, random.nextLong() >>> 1);
            default -> new Position(3 + (step >> 8), (step & 255) << 4);
        };
    }

    @Test
    void oneInTenThousandOthersSeemsToHaveBeenNoted() {
        Random random = new Random(3);
        NoteSheet scattered = new NoteSheet(20_000);
        NoteSheet inARow = new NoteSheet(20_000);
        Set<Position> noted = new HashSet<>();
        for (int i = 0; !scattered.isFull(); i++) {
            Position position = new Position(i * 10L + random.nextInt(10), random.nextInt(8));
            noted.add(position);
            boolean unused = note(scattered, position);
        }
        // Only even entries.
        for (int i = 0; !inARow.isFull(); i += 2) {
            boolean unused = note(inARow, new Position(i / 50_000, i % 50_000));
        }
        int wrong = 0;
        int wrongInARow = 0;
        for (int i = 0; i < 190_000; i++) {
            Position other = new Position(i, i % 8);
            wrong += mayHave(scattered, other) && !noted.contains(other) ? 1 : 0;
            wrongInARow += mayHave(inARow, new Position(2 * i / 50_000, (2 * i + 1) % 50_000)) ? 1 : 0;
        }
        assertTrue(wrong < 60, wrong + " of 190,000");
        assertTrue(wrongInARow < 60, wrongInARow + " of 190,000");
    }

    @Test
    void aPositionWithTheMarkOfAnotherIsKnownAsWell() {
        Position first = new Position(1, 0);
        Position last = new Position(1L << 60, 0);
        NoteSheet probe = new NoteSheet(16);
        assertTrue(note(probe, first) && note(probe, last));
        List<Position> alike = new ArrayList<>();
        for (long ledgerId = 2; alike.size() < 3; ledgerId++) {
            Position position = new Position(ledgerId, 0);
            if (mayHave(probe, position)) {
                alike.add(position);
            }
        }
        for (Position position : alike) {
            NoteSheet sheet = new NoteSheet(16);
            assertTrue(note(sheet, first));
            assertFalse(mayHave(sheet, position), "it lies behind all that was noted");
            assertTrue(note(sheet, position), "it lies behind all that was noted");
            assertTrue(mayHave(sheet, position), "it was noted");
        }
    }

    @Test
    void entriesInARowTakeHalfAByteEachAndOthersSeven() {
        NoteSheet inARow = new NoteSheet(10_000);
        NoteSheet scattered = new NoteSheet(10_000);
        for (int i = 0; !inARow.isFull(); i++) {
            boolean unused = note(inARow, new Position(5, i));
        }
        for (int i = 0; !scattered.isFull(); i++) {
            boolean unused = note(scattered, new Position(i * 3L, 0));
        }
        assertEquals(0.5, (double) inARow.retainedBytes() / inARow.count(), 0.1);
        assertEquals(6.5, (double) scattered.retainedBytes() / scattered.count(), 0.3);
        assertEquals(GraphStats.parseInstance(scattered).totalSize(), scattered.retainedBytes());
    }

    private static boolean note(NoteSheet sheet, Position position) {
        long hash = NoteSheet.hash(position.ledgerId(), position.entryId());
        return sheet.note(hash, position.ledgerId(), position.entryId());
    }

    private static boolean mayHave(NoteSheet sheet, Position position) {
        long hash = NoteSheet.hash(position.ledgerId(), position.entryId());
        return sheet.mayHave(hash, position.ledgerId(), position.entryId());
    }
}
