/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.it.DelayedBacklog.Tracked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A long delayed backlog on a broker that is killed five times. {@link RestartRun} measures the same at full length. */
@Tag(OnABroker.MATRIX_ONLY)
class RestartIT {

    private static final int MESSAGES = 200_000;
    private static final int KILLS = 5;
    private static final long PATIENCE_MILLIS = 120_000;

    @Test
    void afterEachKillAllIsTrackedAgainWithoutReadingTheBacklog() throws Exception {
        Broker broker = ForkedBroker.of("restart-it", BrokerSettings.of("bucket", false, 1_000)
                .with("managedLedgerMaxEntriesPerLedger", "50000"));
        try (DelayedBacklog backlog = new DelayedBacklog(broker, new OwnClients(), MESSAGES, PATIENCE_MILLIS)) {
            backlog.fill();
            for (int i = 0; i < KILLS; i++) {
                // Fails unless all of them are tracked, and none twice.
                Tracked again = backlog.restart();
                // What was in a tail, and what was read while the buckets came back.
                double read = backlog.metric("pulsar_delayed_index_offers_total");
                assertTrue(read < MESSAGES / 2.0, read + " messages were read again after kill " + (i + 1));
                assertTrue(again.indexBytes() < MESSAGES, again.indexBytes() + " bytes for " + MESSAGES + " messages");
            }
        } finally {
            broker.close();
        }
    }
}
