/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.snapshot.StockKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which ledgers hold snapshots in the stock form, and of which ledgers of the topic. */
class StockRangesTest {

    private final StockRanges ranges = new StockRanges();

    @Test
    void aSnapshotIsKnownUntilItIsForgotten() {
        ranges.put(70, new StockKey(5, 6));
        ranges.length(70, 900);
        ranges.put(71, new StockKey(7, 9));
        ranges.length(71, 90);
        assertEquals(Optional.of(new StockKey(5, 6)), ranges.find(70));
        assertTrue(ranges.contains(71));
        assertTrue(ranges.containsAll(List.of(70L, 71L)));
        assertEquals(990, ranges.snapshotBytes());
        ranges.forget(70);
        assertEquals(Optional.empty(), ranges.find(70));
        assertFalse(ranges.contains(70));
        assertFalse(ranges.containsAll(List.of(70L, 71L)));
        assertEquals(90, ranges.snapshotBytes());
    }

    @Test
    void theRangeAroundSomeGoesFromTheFirstToTheLastLedgerOfTheTopic() {
        ranges.put(70, new StockKey(5, 6));
        ranges.put(71, new StockKey(2, 3));
        ranges.put(72, new StockKey(8, 9));
        assertEquals(new StockKey(2, 6), ranges.around(List.of(70L, 71L)));
        assertEquals(new StockKey(5, 9), ranges.around(List.of(72L, 70L)));
    }

    @Test
    void theLastLedgerThatAnyHasReachedStaysThoughItIsForgotten() {
        assertEquals(-1, ranges.lastLedgerId());
        ranges.put(72, new StockKey(8, 9));
        ranges.put(71, new StockKey(2, 3));
        assertEquals(9, ranges.lastLedgerId());
        ranges.forget(72);
        assertEquals(9, ranges.lastLedgerId());
    }

    @ParameterizedTest
    @CsvSource({"7_9, 0, 0", "7_9, 12, 12", "7_9, 9223372036854775807, 9223372036854775807", "0_0, 5, 5", "7_9, -1,", "7_9, x,",
        "7_9, '',", "7_9, 9223372036854775808,", "7-9, 5,", "7_9_1, 5,", "_9, 5,"})
    void aPropertyNamesALedgerOnlyWhereStockCouldHaveWrittenIt(String name, String value, Long ledgerId) {
        assertEquals(ledgerId == null ? OptionalLong.empty() : OptionalLong.of(ledgerId), StockProperties.ledgerOf(name, value));
    }
}
