/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.TrackerShop;
import java.util.Map;
import java.util.Optional;
import org.apache.bookkeeper.mledger.ManagedCursor;

/** What the cursor of a world tells trackers of its acknowledgements. */
record CursorsOfAWorld(World world) implements TrackerShop.Cursors {

    private static final int HELD_UP_PERCENT = 30;

    /** As a pass learns them: nothing, the truth, or that with some that a seek took back. */
    @Override
    public Optional<Map<Long, long[]>> copy(ManagedCursor cursor) {
        world.brokers().shortages().want(Shortages.Of.COPY);
        return world.setup().is(Setup.Parameter.ACKS_AT_ONCE)
                ? Optional.of(world.cursor().copyOfAcks(world.scheduler().chance(HELD_UP_PERCENT))) : Optional.empty();
    }

    @Override
    public Optional<Map<Long, long[]>> copyForJournal(ManagedCursor cursor) {
        world.brokers().shortages().want(Shortages.Of.COPY);
        return world.setup().is(Setup.Parameter.ACKS_AT_ONCE) ? Optional.of(world.cursor().copyOfAcks(false)) : Optional.empty();
    }

    @Override
    public long consumed(ManagedCursor cursor) {
        return world.cursor().acknowledgedEntries();
    }

    @Override
    public long records(ManagedCursor cursor) {
        return world.cursor().records().map(CursorRecords::answered).orElse(0L);
    }

    @Override
    public boolean writesToLedger(ManagedCursor cursor) {
        return world.cursor().records().map(CursorRecords::isOpen).orElse(true);
    }

    @Override
    public boolean keepsFirstLedger() {
        return world.cursor().records().map(CursorRecords::keepsFirstLedger).orElse(true);
    }
}
