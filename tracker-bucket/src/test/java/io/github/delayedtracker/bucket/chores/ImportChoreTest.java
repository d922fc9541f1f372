/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Imports by themselves: written, recorded, the property removed, in this order. */
class ImportChoreTest {

    private static final long STOCK_LEDGER = 55;
    private static final String PROPERTY = "3_7";

    private ChoreRig rig;
    private ImportChore imports;

    @BeforeEach
    void findStockSnapshot() throws Exception {
        rig = new ChoreRig();
        long[] dueMillis = {10, ChoreRig.FAR_MILLIS, ChoreRig.FAR_MILLIS + 1};
        rig.snapshots.put(STOCK_LEDGER, new SegmentColumns(3, dueMillis, new long[] {3, 3, 7}, new long[] {0, 1, 0}));
        rig.stockProperties.put(PROPERTY, Long.toString(STOCK_LEDGER));
        rig.runFor(100);
        imports = rig.imports();
    }

    private List<ImportChore.Stock> find() {
        return rig.run(imports.find(rig.keeper.wish().orElse(CatalogueRecord.EMPTY)));
    }

    private ImportChore.Imported importAll() {
        ImportChore.Stock stock = find().get(0);
        ImportChore.Imported imported = rig.run(imports.write(stock));
        assertTrue(rig.run(imports.record(stock, imported.written(), () -> { }, () -> { })));
        return imported;
    }

    @Test
    void whatIsDueOrAcknowledgedIsNotWritten() {
        rig.markDelete = new long[] {3, 1};
        ImportChore.Imported imported = rig.run(imports.write(find().get(0)));
        assertEquals(1, imported.written().orElseThrow().positions().size());
        assertEquals(100, imported.pastMillis());
    }

    @Test
    void oneUpdateOfTheRecordNamesTheNewLedgerAndDoomsTheStockOne() {
        importAll();
        assertEquals(List.of(100L), rig.live());
        assertEquals(Set.of(STOCK_LEDGER), rig.keeper.doomed());
        assertEquals(1, rig.figure(Figure.IMPORTS_TOTAL));
        assertEquals(2, rig.figure(Figure.IMPORTED_POSITIONS_TOTAL));
    }

    @Test
    void theStockLedgerIsHeldUntilItsPropertyIsGone() {
        importAll();
        assertEquals(Set.of(STOCK_LEDGER), imports.held());
        assertFalse(imports.isIdle());
        rig.run(imports.run());
        assertEquals(Map.of(), rig.stockProperties);
        assertEquals(Set.of(), imports.held());
        assertTrue(imports.isIdle());
    }

    @Test
    void aPropertyWhoseLedgerTheRecordDoomsIsRemovedAndNotImportedAgain() {
        importAll();
        imports = rig.imports();
        assertEquals(List.of(), find());
        rig.run(imports.run());
        assertEquals(Map.of(), rig.stockProperties);
    }

    @Test
    void aPropertyThatIsNotRemovedIsTriedAgainAfterARest() {
        importAll();
        rig.recordFails = true;
        rig.run(imports.run());
        assertTrue(imports.nextMillis() >= rig.clock.nowMillis() + ChoreRig.PAUSE_MILLIS / 2);
        rig.recordFails = false;
        rig.runFor(ChoreRig.PAUSE_MILLIS);
        rig.run(imports.run());
        assertEquals(Map.of(), rig.stockProperties);
    }

    @Test
    void nothingIsRecordedOnceClosed() {
        ImportChore.Stock stock = find().get(0);
        ImportChore.Imported imported = rig.run(imports.write(stock));
        rig.tasks.close();
        assertFalse(rig.run(imports.record(stock, imported.written(), () -> { }, () -> { })));
        assertEquals(List.of(), rig.live());
        assertEquals(List.of(100L), rig.deleted);
    }
}
