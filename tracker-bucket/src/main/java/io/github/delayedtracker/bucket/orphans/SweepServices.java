/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import io.github.delayedtracker.bucket.storage.CatalogueStore.CursorRecords;
import io.github.delayedtracker.bucket.storage.LedgerLabel.LedgerLabels;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SharedValues;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * What a sweeper works with.
 *
 * @param storage holds the ledgers
 * @param labels tell whose they are
 * @param shared the id of the cluster and the place of the sweep
 * @param records what cursors say
 * @param threads where each step goes on
 * @param timer for pauses
 * @param wallMillis the clock that tells how old a ledger is, epoch milliseconds
 * @param jitter from a bound a random number below it
 * @param retries how long a call may take, and how often saving the place is tried; nothing else is tried again in a sweep
 * @param settings how to look
 */
public record SweepServices(SnapshotStorage storage, LedgerLabels labels, SharedValues shared, CursorRecords records,
        Executor threads, WakeUpTimer timer, LongSupplier wallMillis, LongUnaryOperator jitter, Retries retries,
        SweepSettings settings) {

    /** A call may wait for so long while there are more urgent ones. */
    private static final long WAITS_MILLIS = 60_000;

    Retries newCalls() {
        return retries.fresh().wantedWithin(WAITS_MILLIS);
    }
}
