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

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the durable record may name: what was written, and all that was tried to be written since. */
class RecordStateTest {

    private static final CatalogueRecord WRITTEN = new CatalogueRecord(1, List.of(1L, 2L), List.of(3L));
    private static final CatalogueRecord FIRST = new CatalogueRecord(2, List.of(2L, 4L), List.of(1L));
    private static final CatalogueRecord SECOND = new CatalogueRecord(3, List.of(5L), List.of());

    @Test
    void aRecordThatWasReadIsSettled() {
        RecordState state = RecordState.read(WRITTEN);
        assertFalse(state.unsettled());
        assertEquals(WRITTEN, state.wish());
        assertEquals(Set.of(1L, 2L, 3L), state.named());
        assertEquals(Set.of(), state.gone());
    }

    @Test
    void whileWritesFailAllThatWasTriedMayBeNamed() {
        RecordState state = RecordState.read(WRITTEN).writing(FIRST).writing(SECOND);
        assertTrue(state.unsettled());
        assertEquals(WRITTEN, state.written());
        assertEquals(SECOND, state.wish());
        assertEquals(Set.of(1L, 2L, 3L, 4L, 5L), state.named());
    }

    @Test
    void onceAWriteSucceedsOnlyItsOwnLedgersAreNamed() {
        RecordState state = RecordState.read(WRITTEN).writing(FIRST).writing(SECOND).succeeded();
        assertFalse(state.unsettled());
        assertEquals(SECOND, state.written());
        assertEquals(Set.of(5L), state.named());
    }

    @Test
    void whatIsGoneIsNotNamedAndStaysGoneThroughAWrite() {
        RecordState state = RecordState.read(WRITTEN).withGone(Set.of(3L)).withGone(Set.of(1L));
        assertEquals(Set.of(1L, 3L), state.gone());
        assertEquals(Set.of(2L), state.named());
        assertEquals(Set.of(2L, 4L), state.writing(FIRST).named());
        assertEquals(Set.of(), state.writing(FIRST).succeeded().gone());
    }
}
