/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.bucket.storage.Awaiting;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.SnapshotStorageContractTest;
import org.junit.jupiter.api.AfterEach;

/** The double without faults keeps the contract that a real bookie keeps. */
class FaultlessStorageTest extends SnapshotStorageContractTest {

    private final VirtualTime time = new VirtualTime(1);
    private final FaultyStorage world = new FaultyStorage(1, new FaultRates(20, 0), time);
    private StorageLife life;

    @Override
    protected SnapshotStorage newStorage() {
        life = world.newLife();
        return life.storage();
    }

    @Override
    protected long foreignLedger() {
        return world.world().addForeignLedger();
    }

    @Override
    protected Awaiting awaiting() {
        return time;
    }

    @AfterEach
    void nothingIsHeld() {
        time.runAll();
        assertEquals(0, life.callsUnderWay(), "calls under way");
        assertEquals(0, life.openReaders(), "open readers");
        assertEquals(0, life.openWriters(), "open writers");
        assertEquals(0, life.unreleasedBuffers(), "unreleased buffers");
    }
}
