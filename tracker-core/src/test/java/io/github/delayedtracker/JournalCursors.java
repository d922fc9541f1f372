/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.acks.JournalCursor;
import io.github.delayedtracker.wakeup.ManualTimer;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.ServiceConfiguration;

/** Real cursors as their journals see them, for tests of other packages. */
public final class JournalCursors {

    private JournalCursors() {
    }

    /** A cursor whose dispatcher has a monitor and, at times, consumers. */
    public static JournalCursor of(ManagedCursor cursor, Object monitor, BooleanSupplier isConsumerConnected) {
        return new BrokerJournalCursor(cursor, view(cursor), monitor, isConsumerConnected);
    }

    /** Whether the cursor writes a record when it is asked to: it has acknowledgements above mark-delete, or its ledger. */
    public static boolean writesRecords(ManagedCursor cursor) {
        return cursor.getTotalNonContiguousDeletedMessagesRange() > 0 || view(cursor).writesToLedger();
    }

    static CursorView view(ManagedCursor cursor) {
        ManualTimer timer = new ManualTimer(0);
        ServiceConfiguration configuration = new ServiceConfiguration();
        TrackerServices services = new TrackerServices(timer, timer::nowMillis, new TrackerRegistry(timer), Runnable::run,
                configuration, new PurgeQueue(Runnable::run, timer, () -> 0), new BrokerAckSource(),
                CursorRecordLimits.of(configuration), Optional.empty(), known -> true, new Lateness(),
                new StorageWarnings(timer::nowMillis));
        return new CursorView(cursor, services);
    }
}
