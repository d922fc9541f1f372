/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A bad value stops the start of a real broker and is named in its log. */
class BadSettingsIT {

    @Test
    void anUnknownBackendStopsTheStart() throws Exception {
        startMustFail(BrokerSettings.of("heaps", false, 500), "delayedDeliveryIndexBackend", "heaps", "timebucket");
    }

    @Test
    void aNegativePrecisionStopsTheStart() throws Exception {
        startMustFail(BrokerSettings.of("heap", false, 500).with("delayedDeliveryIndexPrecisionMillis", "-8"),
                "delayedDeliveryIndexPrecisionMillis", "-8");
    }

    private static void startMustFail(BrokerSettings settings, String... words) throws Exception {
        Broker broker = ForkedBroker.of("bad-settings", settings);
        try {
            IllegalStateException failure = assertThrows(IllegalStateException.class, broker::start);
            assertTrue(failure.getMessage().contains("ended while starting"), failure.getMessage());
            for (String word : words) {
                assertTrue(failure.getMessage().contains(word), () -> "no " + word + " in: " + failure.getMessage());
            }
        } finally {
            broker.close();
        }
    }
}
