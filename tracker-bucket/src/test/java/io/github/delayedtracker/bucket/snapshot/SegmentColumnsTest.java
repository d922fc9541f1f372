/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.delayedtracker.timebucket.CutRule;
import io.github.delayedtracker.timebucket.SealedSegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Columns of positions, and what is made of them. */
class SegmentColumnsTest {

    private static SegmentColumns of(long... dueLedgerEntry) {
        SegmentColumns.Filler filler = new SegmentColumns.Filler(dueLedgerEntry.length / 3);
        for (int i = 0; i < dueLedgerEntry.length; i += 3) {
            filler.accept(dueLedgerEntry[i], dueLedgerEntry[i + 1], dueLedgerEntry[i + 2]);
        }
        return filler.columns();
    }

    private static List<String> text(SegmentColumns columns) {
        List<String> rows = new ArrayList<>();
        for (int at = 0; at < columns.count(); at++) {
            rows.add(columns.ledgerId(at) + ":" + columns.entryId(at) + "@" + columns.dueMillis(at));
        }
        return rows;
    }

    @Test
    void ascendingKeepsTheLastTimeOfEachPosition() {
        SegmentColumns columns = of(5, 2, 1, 9, 1, 7, 6, 2, 1, 4, 1, 3, 7, 2, 1);
        assertEquals(List.of("1:3@4", "1:7@9", "2:1@7"), text(columns.ascending()));
    }

    @Test
    void whatAscendsIsNotCopied() {
        SegmentColumns columns = of(5, 1, 1, 3, 1, 2, 4, 2, 0);
        assertSame(columns, columns.ascending());
        assertSame(SegmentColumns.empty(), SegmentColumns.empty().ascending());
    }

    @Test
    void byTimeIsTimeThenPosition() {
        assertEquals(List.of("9:0@1", "1:2@5", "1:10@5", "2:1@5"),
                text(of(5, 2, 1, 5, 1, 10, 1, 9, 0, 5, 1, 2).byTime()));
    }

    @Test
    void whatIsCutComesBackInTheOrderOfTime() {
        SegmentColumns columns = of(5_000, 1, 1, 3_000, 1, 2, 4_000, 2, 0, 900_000, 2, 1);
        List<SealedSegment> segments = columns.cut(new CutRule(2, 1, 300_000));
        assertEquals(3, segments.size());
        SegmentColumns back = SegmentColumns.joined(segments.stream().map(SegmentColumns::of).toList());
        assertEquals(List.of("1:2@3000", "2:0@4000", "1:1@5000", "2:1@900000"), text(back));
        assertEquals(text(columns), text(back.ascending()));
    }

    @Test
    void selectedAreThoseWhoseBitIsSet() {
        SegmentColumns columns = of(5, 1, 1, 3, 1, 2, 4, 2, 0);
        BitSet bits = new BitSet();
        bits.set(0);
        bits.set(2);
        assertEquals(List.of("1:1@5", "2:0@4"), text(columns.selected(bits)));
        bits.set(3);
        assertThrows(IndexOutOfBoundsException.class, () -> columns.selected(bits));
    }

    @Test
    void columnsHoldWhatTheyCount() {
        assertThrows(IllegalArgumentException.class, () -> new SegmentColumns(2, new long[2], new long[1], new long[2]));
    }
}
