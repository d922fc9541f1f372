/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.acks.AckedPositions;
import java.util.Optional;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedCursorMXBean;

/** A source of the positions acknowledged one by one. Any thread; no I/O. */
interface AckSource {

    /**
     * A copy of the acknowledgements above mark-delete. It may be old when it is used.
     *
     * @return empty where this cursor cannot tell at once, or not in a short time
     */
    Optional<AckedPositions> copy(ManagedCursor cursor);

    /** The same for a journal, which may take longer. */
    default Optional<AckedPositions> copyOfMany(ManagedCursor cursor) {
        return copy(cursor);
    }

    /**
     * A number that differs from the one before once anything was acknowledged in between: two counters. As many entries trimmed
     * as acknowledged may hide each other; taken while messages are published it may differ without.
     */
    default long consumed(ManagedCursor cursor) {
        return cursor.getManagedLedger().getNumberOfEntries() - cursor.getNumberOfEntriesInBacklog(false);
    }

    /**
     * How many records the cursor has written since it was loaded, a reset's among them. A record counts before whoever asked for
     * it is answered.
     */
    default long records(ManagedCursor cursor) {
        ManagedCursorMXBean counts = cursor.getStats();
        return counts.getPersistLedgerSucceed() + counts.getPersistZookeeperSucceed();
    }

    /**
     * Whether the cursor has a ledger of its own that it writes acknowledgements to; false where it cannot say. A cursor that was
     * loaded and has written nothing since has none yet, or one that it cannot write to.
     */
    default boolean writesToLedger(ManagedCursor cursor) {
        return false;
    }
}
