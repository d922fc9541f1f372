/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import org.junit.jupiter.api.Tag;

/**
 * Pulsar 4.0 as a process of its own: bucket index with seals of a hundred positions, loaded two seconds ahead, strict, tick of
 * half a second.
 */
@Tag(OnABroker.MATRIX)
class Pulsar40BucketIT extends OnABroker {

    @Override
    Broker newBroker() throws Exception {
        return ForkedBroker.of("pulsar-4.0-bucket", settings("bucket", true, 500)
                .with("delayedDeliveryMinIndexCountPerBucket", "100").with("delayedDeliveryIndexLoadAheadMillis", "2000")
                .with(EdgeScenarios.EXPIRY_CHECK, "1").with(StatsScenarios.SWEEP_INTERVAL, "1")
                .with("delayedDeliveryIndexSweepMinAgeMinutes", "1"));
    }
}
