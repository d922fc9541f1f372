/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import static io.github.delayedtracker.config.SnapshotSettings.DEFAULT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrackerSettingsTest {

    private static final String PRECISION = "delayedDeliveryIndexPrecisionMillis";
    private static final String RATIO = "delayedDeliveryIndexAdaptivePrecisionRatio";
    private static final String CAP = "delayedDeliveryIndexAdaptivePrecisionMaxMillis";

    @Test
    void nothingConfiguredIsSilent() {
        TrackerSettings.Parsed parsed = BrokerConf.parse(Map.of());
        assertEquals(new TrackerSettings("timebucket", OptionalLong.empty(), 0, 65536, true, 1000, false, DEFAULT, 5_000, true),
                parsed.settings());
        assertEquals(List.of(), parsed.warnings());
    }

    @ParameterizedTest
    @ValueSource(strings = {"50000", "0", "-1", "1000000"})
    @DisplayName("B4: one info line says what fixed delays cost at a load, for the default as for any other value")
    void oneInfoLineSaysWhatIsReadAgainAtALoad(String lookahead) {
        TrackerSettings.Parsed parsed = BrokerConf.parse(lookahead.equals("50000") ? Map.of()
                : Map.of("delayedDeliveryFixedDelayDetectionLookahead", lookahead));
        assertEquals(List.of("delayedDeliveryFixedDelayDetectionLookahead = '" + lookahead + "': accepted and not used: no"
                + " backend pauses reading for fixed delays; at each load of a topic heap and timebucket read its whole"
                + " delayed backlog, bucket only what it has not recorded"), parsed.infos());
    }

    @Test
    void aFullBrokerConfArrives() {
        Map<String, String> lines = new HashMap<>();
        EverySettingTest.cases().forEach(key -> lines.put(key.setting().key(), key.otherText()));
        TrackerSettings.Parsed parsed = BrokerConf.parse(lines);
        assertEquals(new TrackerSettings("heap", OptionalLong.of(64), 1000, 4096, false, 250, true,
                new SnapshotSettings(5_000, 70, 60_000, 700, SnapshotFormat.PIP195,
                        new UpkeepSettings(0, true, 5, 256)), 0, false), parsed.settings());
        assertEquals(List.of(), parsed.warnings());
    }

    @Test
    void unknownBackendListsThoseFound() {
        assertRefused("delayedDeliveryIndexBackend", "HEAP", "must be one of the backends found on the class path:"
                + " heap, timebucket; nearest valid value: heap");
    }

    @Test
    void missingDefaultBackendSaysThatNoneWasFound() {
        ServiceConfiguration broker = BrokerConf.load(Map.of());
        assertEquals("delayedDeliveryIndexBackend = 'timebucket': must be one of the backends found on the class path: none",
                assertThrows(InvalidSettingException.class, () -> TrackerSettings.parse(broker.getProperties(),
                        BrokerConf.stock(broker), List.of())).getMessage());
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "-5, 1", "-12x, 1", "x, 1", "12.5, 12", "1_000, 1000", "1s, 1", "0x10, 1",
        "9223372036854775808, 9223372036854775807"})
    void badPrecisionNamesTheNearest(String text, String nearest) {
        assertRefused(PRECISION, text, "must be a whole number of milliseconds, 1 or more; nearest valid value: " + nearest);
    }

    @ParameterizedTest
    @CsvSource({"3, 2", "1000, 512", "65535, 32768", "9223372036854775807, 4611686018427387904"})
    void precisionIsLoweredToAPowerOfTwoWithOneWarning(String text, long loweredMillis) {
        TrackerSettings.Parsed parsed = BrokerConf.parse(Map.of(PRECISION, text));
        assertEquals(OptionalLong.of(loweredMillis), parsed.settings().configuredPrecisionMillis());
        assertEquals(List.of(PRECISION + " = '" + text + "': not a power of two; " + loweredMillis + " is used"),
                parsed.warnings());
    }

    @ParameterizedTest
    @CsvSource({"-1, 0", "-12x, 0", "off, 0", "1, 8", "7, 8", "7.5, 8", "8.5, 8", "1_000, 1000", "1000001, 1000000",
        "9223372036854775808, 1000000"})
    void badAdaptiveRatioNamesTheNearest(String text, String nearest) {
        assertRefused(RATIO, text, "must be 0 (off) or a whole number from 8 to 1000000; nearest valid value: " + nearest);
    }

    @ParameterizedTest
    @CsvSource({"0", "8", "1000", "1000000", "+9"})
    void adaptiveRatioTakesOffAndItsWholeRange(String text) {
        TrackerSettings.Parsed parsed = BrokerConf.parse(Map.of(RATIO, text));
        assertEquals(Long.parseLong(text), parsed.settings().adaptiveRatio());
        assertEquals(List.of(), parsed.warnings());
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "-1, 1", "65s, 65"})
    void badAdaptiveCapNamesTheNearest(String text, String nearest) {
        assertRefused(CAP, text, "must be a whole number of milliseconds, 1 or more; nearest valid value: " + nearest);
    }

    @ParameterizedTest
    @CsvSource({"3, 2", "60000, 32768", "9223372036854775807, 4611686018427387904"})
    void adaptiveCapIsLoweredToAPowerOfTwoWithOneWarning(String text, long loweredMillis) {
        TrackerSettings.Parsed parsed = BrokerConf.parse(Map.of(CAP, text));
        assertEquals(loweredMillis, parsed.settings().adaptiveMaxMillis());
        assertEquals(List.of(CAP + " = '" + text + "': not a power of two; " + loweredMillis + " is used"), parsed.warnings());
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void precisionAboveTheTickIsAcceptedInEveryMode(String strict) {
        TrackerSettings.Parsed parsed = BrokerConf.parse(Map.of(PRECISION, "65536",
                "isDelayedDeliveryDeliverAtTimeStrict", strict, "delayedDeliveryTickTimeMillis", "100"));
        assertEquals(65536, parsed.settings().precisionMillis(100));
        assertEquals(List.of(), parsed.warnings());
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "1000, 512", "1024, 1024", "0, 1", "-1, 1", "9223372036854775807, 4611686018427387904"})
    void derivedPrecisionIsTheLargestPowerOfTwoUpToTheTick(long tickMillis, long precisionMillis) {
        assertEquals(precisionMillis, BrokerConf.parse(Map.of()).settings().precisionMillis(tickMillis));
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "-1000"})
    void tickBelowOneBecomesOneWithAWarning(String tick) {
        TrackerSettings.Parsed parsed = BrokerConf.parse(Map.of("delayedDeliveryTickTimeMillis", tick));
        assertEquals(1, parsed.settings().tickMillis());
        assertEquals(1, parsed.warnings().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1"})
    void aStockLimitBelowOneIsTheDefault(String text) {
        TrackerSettings.Parsed parsed = BrokerConf.parse(Map.of("delayedDeliveryMinIndexCountPerBucket", text,
                "delayedDeliveryMaxTimeStepPerBucketSnapshotSegmentSeconds", text,
                "delayedDeliveryMaxIndexesPerBucketSnapshotSegment", text));
        assertEquals(new SnapshotSettings(60_000, 50_000, 300_000, 5_000, SnapshotFormat.COMPACT, UpkeepSettings.DEFAULT),
                parsed.settings().snapshots());
    }

    @Test
    void minusOneStaysLegalForEveryStockLimit() {
        Map<String, String> lines = new HashMap<>();
        Settings.all().stream().filter(setting -> setting.stock() && !setting.equals(Settings.STRICT)
                && !setting.equals(Settings.TICK_MILLIS)).forEach(setting -> lines.put(setting.key(), "-1"));
        assertEquals(5, lines.size());
        assertEquals(List.of(), BrokerConf.parse(lines).warnings());
    }

    @ParameterizedTest
    @CsvSource({"on, true", "Off, false", "0, false", "1, true", "truee, true", "disable, false"})
    void badBooleanNamesTheOneMeant(String text, String nearest) {
        assertRefused("delayedDeliveryIndexSkipReads", text, "must be true or false; nearest valid value: " + nearest);
    }

    @Test
    void booleansAreTakenInAnyCase() {
        assertEquals(false, BrokerConf.parse(Map.of("delayedDeliveryIndexSkipReads", "FALSE")).settings().skipReads());
    }

    @ParameterizedTest
    @CsvSource({"delayedDeliveryIndexBakend, delayedDeliveryIndexBackend",
        "delayeddeliveryindexskipreads, delayedDeliveryIndexSkipReads",
        "delayedDeliveryIndexPrecision, delayedDeliveryIndexPrecisionMillis",
        "delayedDeliveryIndexAdaptiveRatio, delayedDeliveryIndexAdaptivePrecisionRatio",
        "delayedDeliveryIndexAdaptivePrecisionMaxMs, delayedDeliveryIndexAdaptivePrecisionMaxMillis"})
    void misspeltKeyIsRefusedWithTheNearestKey(String key, String nearest) {
        assertRefused(key, "1", "the key must be one of " + String.join(", ", Settings.ownKeys())
                + "; nearest valid key: " + nearest);
    }

    @Test
    void aMessageIsOneShortLineWhateverTheValue() {
        String message = assertThrows(InvalidSettingException.class,
                () -> BrokerConf.parse(Map.of(PRECISION, "a\nb\u2028\tc" + "y".repeat(10_000)))).getMessage();
        assertEquals(PRECISION + " = 'a?b??c" + "y".repeat(74) + "...': must be a whole number of milliseconds, 1 or more;"
                + " nearest valid value: 1", message);
    }

    @Test
    void settingsOutOfRangeCannotBeMade() {
        assertThrows(IllegalArgumentException.class,
                () -> new TrackerSettings("heap", OptionalLong.empty(), 0, 1, true, 0, false, DEFAULT, 5_000, true));
        assertThrows(IllegalArgumentException.class,
                () -> new TrackerSettings("heap", OptionalLong.of(3), 0, 1, true, 1, false, DEFAULT, 5_000, true));
        assertThrows(IllegalArgumentException.class,
                () -> new TrackerSettings("heap", OptionalLong.of(Long.MIN_VALUE), 0, 1, true, 1, false, DEFAULT, 5_000, true));
        assertThrows(IllegalArgumentException.class,
                () -> new TrackerSettings("heap", OptionalLong.empty(), -1, 1, true, 1, false, DEFAULT, 5_000, true));
        assertThrows(IllegalArgumentException.class,
                () -> new TrackerSettings("heap", OptionalLong.empty(), 8, 0, true, 1, false, DEFAULT, 5_000, true));
        assertThrows(IllegalArgumentException.class,
                () -> new TrackerSettings("heap", OptionalLong.empty(), 8, 48, true, 1, false, DEFAULT, 5_000, true));
    }

    private static void assertRefused(String key, String text, String said) {
        assertEquals(key + " = '" + text + "': " + said, assertThrows(InvalidSettingException.class,
                () -> BrokerConf.parse(Map.of(key, text))).getMessage());
    }
}
