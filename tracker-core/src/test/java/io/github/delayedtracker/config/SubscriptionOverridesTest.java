/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import static io.github.delayedtracker.config.SnapshotSettings.DEFAULT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SubscriptionOverridesTest {

    private static final String BACKEND = "delayedDeliveryIndexBackend";
    private static final String PRECISION = "delayedDeliveryIndexPrecisionMillis";
    private static final String RATIO = "delayedDeliveryIndexAdaptivePrecisionRatio";
    private static final String JOURNAL = "delayedDeliveryIndexAckJournal";
    private static final String FLUSH = "delayedDeliveryIndexAckJournalFlushMillis";
    private static final String CAP = "delayedDeliveryIndexAdaptivePrecisionMaxMillis";

    private final TrackerSettings broker = new TrackerSettings("timebucket", OptionalLong.of(256), 100, 2048, true, 1000,
            true, DEFAULT, 5_000, true);

    @Test
    void everyKeyThatSaysSoIsOverridden() {
        SubscriptionOverrides.Applied applied = apply(Map.of(BACKEND, " heap ", PRECISION, "65536", RATIO, "0", CAP, "4096",
                JOURNAL, "off", FLUSH, "0"));
        assertEquals(new TrackerSettings("heap", OptionalLong.of(65536), 0, 4096, true, 1000, true, DEFAULT, 0, false),
                applied.settings());
        assertEquals(List.of(), applied.problems());
        assertEquals(List.of(), applied.warnings());
        assertEquals(List.of(BACKEND, PRECISION, RATIO, CAP, JOURNAL, FLUSH), Settings.perSubscriptionKeys());
    }

    @Test
    void withoutOwnPropertiesTheBrokersSettingsStay() {
        assertSame(broker, apply(Map.of()).settings());
        assertSame(broker, apply(null).settings());
        assertSame(broker, apply(Map.of("owner", "shop", "delayedDeliveryTickTimeMillis", "5")).settings());
    }

    @Test
    void blankAndNullTextsStandForTheBrokersValue() {
        Map<String, String> properties = new HashMap<>();
        properties.put(BACKEND, " ");
        properties.put(PRECISION, null);
        properties.put(null, "x");
        SubscriptionOverrides.Applied applied = apply(properties);
        assertEquals(broker, applied.settings());
        assertEquals(List.of(), applied.problems());
    }

    @Test
    void badPropertyIsReportedAndTheOtherStillApplies() {
        SubscriptionOverrides.Applied applied = apply(Map.of(BACKEND, "heep", PRECISION, "512"));
        assertEquals(new TrackerSettings("timebucket", OptionalLong.of(512), 100, 2048, true, 1000, true, DEFAULT, 5_000, true),
                applied.settings());
        assertEquals(List.of(BACKEND + " = 'heep': must be one of the backends found on the class path: heap, timebucket;"
                + " nearest valid value: heap"), applied.problems());
    }

    @Test
    void everyBadPropertyIsReported() {
        SubscriptionOverrides.Applied applied = apply(Map.of(BACKEND, "x", PRECISION, "-1", RATIO, "7", CAP, "0"));
        assertEquals(broker, applied.settings());
        assertEquals(4, applied.problems().size());
        assertEquals(PRECISION + " = '-1': must be a whole number of milliseconds, 1 or more; nearest valid value: 1",
                applied.problems().get(1));
        assertEquals(RATIO + " = '7': must be 0 (off) or a whole number from 8 to 1000000; nearest valid value: 8",
                applied.problems().get(2));
        assertEquals(CAP + " = '0': must be a whole number of milliseconds, 1 or more; nearest valid value: 1",
                applied.problems().get(3));
    }

    @Test
    void adaptiveCapIsLoweredWithAWarningAndNoProblem() {
        SubscriptionOverrides.Applied applied = apply(Map.of(CAP, "5000"));
        assertEquals(new TrackerSettings("timebucket", OptionalLong.of(256), 100, 4096, true, 1000, true, DEFAULT, 5_000, true),
                applied.settings());
        assertEquals(List.of(), applied.problems());
        assertEquals(List.of(CAP + " = '5000': not a power of two; 4096 is used"), applied.warnings());
    }

    @Test
    void precisionIsLoweredWithAWarningAndNoProblem() {
        SubscriptionOverrides.Applied applied = apply(Map.of(PRECISION, "60000"));
        assertEquals(OptionalLong.of(32768), applied.settings().configuredPrecisionMillis());
        assertEquals(List.of(), applied.problems());
        assertEquals(List.of(PRECISION + " = '60000': not a power of two; 32768 is used"), applied.warnings());
    }

    @Test
    void brokerKeyIsReportedAndHasNoEffect() {
        SubscriptionOverrides.Applied applied = apply(Map.of("delayedDeliveryIndexSkipReads", "false"));
        assertTrue(applied.settings().skipReads());
        assertEquals(List.of("delayedDeliveryIndexSkipReads = 'false': the key is read from broker.conf only;"
                + " a subscription may set " + BACKEND + ", " + PRECISION + ", " + RATIO + ", " + CAP + ", "
                + JOURNAL + ", " + FLUSH), applied.problems());
    }

    @Test
    void misspeltKeyIsReported() {
        assertEquals(List.of("delayedDeliveryIndexPrecison = '5': the key must be one of " + BACKEND + ", " + PRECISION
                + ", " + RATIO + ", " + CAP + ", " + JOURNAL + ", " + FLUSH + "; nearest valid key: " + PRECISION),
                apply(Map.of("delayedDeliveryIndexPrecison", "5")).problems());
    }

    private SubscriptionOverrides.Applied apply(Map<String, String> properties) {
        return SubscriptionOverrides.apply(broker, properties, BrokerConf.BACKENDS);
    }
}
