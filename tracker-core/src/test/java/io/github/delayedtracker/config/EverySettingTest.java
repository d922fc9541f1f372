/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The default, another value and a bad value of every key, from a line in broker.conf to the settings. */
class EverySettingTest {

    /**
     * @param effect what the key changes in the end
     * @param line the message or warning the bad text is answered with
     */
    record Case(Setting<?> setting, Function<Map<String, String>, Object> effect, Object defaultValue, String otherText,
            Object otherValue, String badText, String line) {

        Map<String, String> with(String text) {
            return Map.of(setting.key(), text);
        }

        @Override
        public String toString() {
            return setting.key();
        }
    }

    static Stream<Case> cases() {
        return Stream.concat(ofTheIndex(), ofStorageAndStock());
    }

    private static Stream<Case> ofTheIndex() {
        return Stream.of(
                new Case(Settings.BACKEND, settings(TrackerSettings::backend), "timebucket", "heap", "heap", "timebukcet",
                        "delayedDeliveryIndexBackend = 'timebukcet': must be one of the backends found on the class path:"
                                + " heap, timebucket; nearest valid value: timebucket"),
                new Case(Settings.PRECISION_MILLIS, settings(TrackerSettings::configuredPrecisionMillis),
                        OptionalLong.empty(), "64", OptionalLong.of(64), "12x",
                        "delayedDeliveryIndexPrecisionMillis = '12x': must be a whole number of milliseconds, 1 or more;"
                                + " nearest valid value: 12"),
                new Case(Settings.ADAPTIVE_PRECISION_RATIO, settings(TrackerSettings::adaptiveRatio), 0L, "1000", 1000L, "5",
                        "delayedDeliveryIndexAdaptivePrecisionRatio = '5': must be 0 (off) or a whole number from 8 to"
                                + " 1000000; nearest valid value: 8"),
                new Case(Settings.ADAPTIVE_PRECISION_MAX_MILLIS, settings(TrackerSettings::adaptiveMaxMillis), 65_536L,
                        "4096", 4096L, "1min", "delayedDeliveryIndexAdaptivePrecisionMaxMillis = '1min': must be a whole"
                                + " number of milliseconds, 1 or more; nearest valid value: 1"),
                new Case(Settings.SKIP_READS, settings(TrackerSettings::skipReads), true, "false", false, "flase",
                        "delayedDeliveryIndexSkipReads = 'flase': must be true or false; nearest valid value: false"),
                new Case(Settings.ACK_JOURNAL, settings(each -> each.ackJournal() ? "auto" : "off"), "auto", "off", "off", "on",
                        "delayedDeliveryIndexAckJournal = 'on': must be one of auto, off; nearest valid value: off"),
                new Case(Settings.ACK_FLUSH_MILLIS, settings(TrackerSettings::ackFlushMillis), 5_000L, "0", 0L, "499",
                        "delayedDeliveryIndexAckJournalFlushMillis = '499': must be 0 (off) or a whole number from 500 to"
                                + " 60000; nearest valid value: 500"));
    }

    private static Stream<Case> ofStorageAndStock() {
        return Stream.of(
                new Case(Settings.LOAD_AHEAD_MILLIS, settings(settings -> settings.snapshots().loadAheadMillis()), 60_000L,
                        "5000", 5_000L, "0", "delayedDeliveryIndexLoadAheadMillis = '0': must be a whole number of"
                                + " milliseconds, 1 or more; nearest valid value: 1"),
                new Case(Settings.SNAPSHOT_FORMAT,
                        settings(settings -> settings.snapshots().format().name().toLowerCase(Locale.ROOT)), "compact",
                        "pip195", "pip195", "pip-195", "delayedDeliveryIndexSnapshotFormat = 'pip-195': must be one of compact,"
                                + " pip195; nearest valid value: pip195"),
                new Case(Settings.SWEEP_INTERVAL_MINUTES, upkeep(UpkeepSettings::sweepIntervalMinutes), 60L, "0", 0L, "-1",
                        "delayedDeliveryIndexSweepIntervalMinutes = '-1': must be 0 (off) or a whole number from 1 to"
                                + " 525600; nearest valid value: 0"),
                new Case(Settings.SWEEP_DRY_RUN, upkeep(UpkeepSettings::sweepDryRun), false, "true", true, "dry",
                        "delayedDeliveryIndexSweepDryRun = 'dry': must be true or false; nearest valid value: true"),
                new Case(Settings.SWEEP_MIN_AGE_MINUTES, upkeep(UpkeepSettings::sweepMinAgeMinutes), 1_440L, "5", 5L, "0",
                        "delayedDeliveryIndexSweepMinAgeMinutes = '0': must be a whole number of minutes, 1 or more;"
                                + " nearest valid value: 1"),
                new Case(Settings.MAX_MEMORY_MB, upkeep(UpkeepSettings::maxMemoryMb), 0L, "256", 256L, "64MB",
                        "delayedDeliveryIndexMaxMemoryMb = '64MB': must be 0 (off) or a whole number from 1 to"
                                + " 1048576; nearest valid value: 64"),
                new Case(Settings.TICK_MILLIS, settings(TrackerSettings::tickMillis), 1000L, "250", 250L, "0",
                        "delayedDeliveryTickTimeMillis = '0': must be a whole number of milliseconds, 1 or more; 1 is used"),
                new Case(Settings.STRICT, settings(TrackerSettings::strict), false, "true", true, "yes",
                        "isDelayedDeliveryDeliverAtTimeStrict = 'yes': must be true or false; nearest valid value: true"),
                new Case(Settings.FIXED_DELAY_LOOKAHEAD, checked(Settings.FIXED_DELAY_LOOKAHEAD), 50_000L, "0", 0L, "-2",
                        "delayedDeliveryFixedDelayDetectionLookahead = '-2': must be a whole number of messages, -1 or more;"
                                + " nearest valid value: -1"),
                new Case(Settings.MIN_INDEX_COUNT_PER_BUCKET, settings(settings -> settings.snapshots().sealPositions()),
                        50_000L, "70", 70L, "-7",
                        "delayedDeliveryMinIndexCountPerBucket = '-7': must be a whole number of positions,"
                                + " -1 or more; nearest valid value: -1"),
                new Case(Settings.MAX_TIME_STEP_PER_SEGMENT_SECONDS,
                        settings(settings -> settings.snapshots().segmentMillis() / 1_000), 300L, "60", 60L, "-300",
                        "delayedDeliveryMaxTimeStepPerBucketSnapshotSegmentSeconds = '-300': must be a whole number of"
                                + " seconds, -1 or more; nearest valid value: -1"),
                new Case(Settings.MAX_INDEXES_PER_SEGMENT, settings(settings -> settings.snapshots().segmentPositions()),
                        5000L, "700", 700L, "-5000",
                        "delayedDeliveryMaxIndexesPerBucketSnapshotSegment = '-5000': must be a whole number of"
                                + " positions, -1 or more; nearest valid value: -1"),
                new Case(Settings.MAX_NUM_BUCKETS, checked(Settings.MAX_NUM_BUCKETS), -1L, "20", 20L, "-2",
                        "delayedDeliveryMaxNumBuckets = '-2': must be a whole number of buckets, -1 or more;"
                                + " nearest valid value: -1"));
    }

    @Test
    void everyKeyHasItsCase() {
        assertEquals(Settings.all().stream().map(Setting::key).collect(Collectors.toSet()),
                cases().map(Case::toString).collect(Collectors.toSet()));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void defaultHoldsWhereTheKeyIsMissingOrBlank(Case key) {
        assertEquals(key.defaultValue(), key.effect().apply(Map.of()));
        assertEquals(key.defaultValue(), key.effect().apply(key.with("  ")));
        if (!key.setting().equals(Settings.PRECISION_MILLIS)) {
            assertEquals(String.valueOf(key.defaultValue()), key.setting().defaultText());
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void anotherValueArrives(Case key) {
        assertNotEquals(key.defaultValue(), key.otherValue());
        assertEquals(key.otherValue(), key.effect().apply(key.with("  " + key.otherText() + " ")));
        assertEquals(List.of(), BrokerConf.parse(key.with(key.otherText())).warnings());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void badValueIsAnsweredWithOneClearLine(Case key) {
        if (key.setting().equals(Settings.TICK_MILLIS)) {
            assertEquals(List.of(key.line()), BrokerConf.parse(key.with(key.badText())).warnings());
        } else {
            assertEquals(key.line(), assertThrows(InvalidSettingException.class,
                    () -> BrokerConf.parse(key.with(key.badText()))).getMessage());
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void lettersInAStockNumberStopTheBrokerItself(Case key) {
        if (key.setting().stock() && !key.setting().equals(Settings.STRICT)) {
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                    () -> BrokerConf.load(key.with("12x")));
            assertTrue(refused.getMessage().contains(key.setting().key()), refused.getMessage());
        }
    }

    private static Function<Map<String, String>, Object> settings(Function<TrackerSettings, Object> value) {
        return lines -> value.apply(BrokerConf.parse(lines).settings());
    }

    private static Function<Map<String, String>, Object> upkeep(Function<UpkeepSettings, Object> value) {
        return settings(settings -> value.apply(settings.snapshots().upkeep()));
    }

    // A key that is checked and otherwise not used: its value is the one the broker parsed and the check accepted.
    private static Function<Map<String, String>, Object> checked(Setting<Long> setting) {
        return lines -> {
            ServiceConfiguration broker = BrokerConf.load(lines);
            StockSettings stock = BrokerConf.stock(broker);
            TrackerSettings.parse(broker.getProperties(), stock, BrokerConf.BACKENDS);
            return setting.parse(stock.texts().get(setting.key()));
        };
    }
}
