/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.mledger.AsyncCallbacks.MarkDeleteCallback;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.impl.ManagedCursorImpl;

/**
 * Gives a cursor the ledger that it persists positions to, before its record is updated. A cursor makes that ledger with the
 * first acknowledgement, seek or clear after the topic was loaded, and then writes its record; an update of a property that is
 * under way makes that write fail with a bad version. Once there is a ledger the broker leaves the record alone for hours.
 *
 * <p>Implementation note: marking again as deleted what is so already makes the cursor do what the first acknowledgement would.
 */
final class CursorLedger {

    /** States in which the record is about to be written by the cursor itself, or will be by the next acknowledgement. */
    private static final Set<String> BEFORE = Set.of("NoLedger", "SwitchingLedger");

    private CursorLedger() {
    }

    /** Answers, always well and on any thread, when the cursor has its ledger or could not get one. */
    static CompletableFuture<Void> make(ManagedCursor cursor) {
        CompletableFuture<Void> made = new CompletableFuture<>();
        boolean wanted = cursor instanceof ManagedCursorImpl known && BEFORE.contains(known.getState());
        Position markDelete = wanted ? cursor.getMarkDeletedPosition() : null;
        if (markDelete == null) {
            made.complete(null);
            return made;
        }
        cursor.asyncMarkDelete(markDelete, cursor.getProperties(), new MarkDeleteCallback() {
            @Override
            public void markDeleteComplete(Object context) {
                made.complete(null);
            }

            @Override
            public void markDeleteFailed(ManagedLedgerException failure, Object context) {
                // Overtaken by a later position, closed, or without bookies: the update that follows finds out.
                made.complete(null);
            }
        }, null);
        return made;
    }
}
