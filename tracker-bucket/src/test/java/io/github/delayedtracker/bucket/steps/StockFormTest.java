/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.snapshot.StockMetadata.StockSegment;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of a segment in the stock form the length is not known before it is read: an equal share of the ledger stands for it. */
class StockFormTest {

    private static final StockSegment SEGMENT = new StockSegment(1_000, 2_000, 7);

    @Test
    void eachSegmentHasAnEqualShareOfTheLedger() {
        StockForm form = new StockForm(Collections.nCopies(4, SEGMENT), 4_003);
        assertEquals(4, form.count());
        assertEquals(28, form.positions());
        assertEquals(1_000, form.bytes(3));
        assertEquals(new SegmentEntry(1_000, 2_000, 7, 1_000), StockForm.entries(Collections.nCopies(4, SEGMENT), 4_003).get(3));
    }

    @Test
    void aShareIsNeitherLongerThanAnEntryCanBeNorShorterThanASegmentIs() {
        assertEquals(Integer.MAX_VALUE, new StockForm(List.of(SEGMENT), 1L << 40).bytes(0));
        assertEquals(Integer.MAX_VALUE, StockForm.entries(List.of(SEGMENT), 1L << 40).get(0).bytes());
        assertEquals(SegmentEntry.LEAST_BYTES, StockForm.entries(List.of(SEGMENT), 10).get(0).bytes());
    }

    @Test
    void aTableOfThePluginsOwnIsTakenAsItIs() {
        StockForm form = StockForm.of(List.of(new SegmentEntry(1_000, 2_000, 7, 300), new SegmentEntry(2_000, 3_000, 8, 100)));
        assertEquals(2, form.count());
        assertEquals(15, form.positions());
        assertEquals(200, form.bytes(0));
    }

    @Test
    void aLedgerOfMetadataAloneHasNoSegments() {
        assertEquals(0, new StockForm(List.of(), 100).count());
        assertEquals(0, new StockForm(List.of(), 100).positions());
        assertEquals(List.of(), StockForm.entries(List.of(), 100));
    }

    @Test
    void segmentsThatDoNotFitIntoTheTableAreRefused() {
        for (long positions : new long[] {0, SegmentEntry.MOST_POSITIONS + 1, 1L << 40}) {
            List<StockSegment> table = List.of(new StockSegment(1_000, 2_000, positions));
            assertThrows(IllegalArgumentException.class, () -> StockForm.entries(table, 1_000), () -> positions + " positions");
        }
    }
}
