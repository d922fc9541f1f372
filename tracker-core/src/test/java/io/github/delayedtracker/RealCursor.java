/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.Random;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.bookkeeper.mledger.impl.ManagedCursorContainer;
import org.apache.bookkeeper.mledger.impl.ManagedCursorImpl;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerImpl;

/** The broker's own cursor, without storage: what it keeps of acknowledgements and how it answers are its own. */
final class RealCursor {

    private RealCursor() {
    }

    /** With nothing acknowledged. */
    static ManagedCursorImpl of(ManagedLedgerConfig config) throws ReflectiveOperationException {
        ManagedLedgerImpl ledger = mock(ManagedLedgerImpl.class);
        when(ledger.getConfig()).thenReturn(config);
        when(ledger.getName()).thenReturn("public/default/persistent/t");
        Constructor<ManagedCursorImpl> constructor =
                ManagedCursorImpl.class.getDeclaredConstructor(BookKeeper.class, ManagedLedgerImpl.class, String.class);
        constructor.setAccessible(true);
        ManagedCursorImpl cursor = constructor.newInstance(null, ledger, "sub");
        Field markDelete = ManagedCursorImpl.class.getDeclaredField("markDeletePosition");
        markDelete.setAccessible(true);
        markDelete.set(cursor, PositionFactory.create(0, -1));
        ManagedCursorContainer cursors = new ManagedCursorContainer();
        cursors.add(cursor, PositionFactory.create(0, -1));
        when(ledger.getCursors()).thenReturn(cursors);
        return cursor;
    }

    static void acknowledge(ManagedCursorImpl cursor, long ledgerId, long entryId) {
        cursor.getIndividuallyDeletedMessagesSet().addOpenClosed(ledgerId, entryId - 1, ledgerId, entryId);
    }

    /** Acknowledges each entry of ledgers 1 and up with the chance of one in two; returns how many. */
    static long acknowledgeHalf(ManagedCursorImpl cursor, int ledgers, int entriesPerLedger, long seed) {
        Random random = new Random(seed);
        long acknowledged = 0;
        for (long ledgerId = 1; ledgerId <= ledgers; ledgerId++) {
            for (int entryId = 0; entryId < entriesPerLedger; entryId++) {
                if (random.nextBoolean()) {
                    acknowledge(cursor, ledgerId, entryId);
                    acknowledged++;
                }
            }
        }
        return acknowledged;
    }
}
