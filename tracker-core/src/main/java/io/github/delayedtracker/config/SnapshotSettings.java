/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import java.util.Map;

/**
 * The settings of a backend that keeps snapshots. Every value is decided: a stock key that is left alone, or is 0 or -1, has its
 * default here.
 *
 * @param loadAheadMillis the time by which a segment is loaded before its first position is due, 1 or more
 * @param sealPositions positions in a bucket when it is sealed, 1 or more; a backend has limits of its own
 * @param segmentMillis longest time range of a segment that is not small, 1 or more
 * @param segmentPositions most positions in a segment, 1 or more
 * @param format the form in which snapshots are written
 * @param upkeep the settings that keep storage and memory clean
 */
public record SnapshotSettings(long loadAheadMillis, long sealPositions, long segmentMillis, long segmentPositions,
        SnapshotFormat format, UpkeepSettings upkeep) {

    private static final long MILLIS_A_SECOND = 1_000;

    /** The settings of a broker whose configuration names none of them. */
    public static final SnapshotSettings DEFAULT = of(Map.of());

    /** The settings from the texts of all keys, the broker's included; a missing key has its default. */
    static SnapshotSettings of(Map<String, String> texts) {
        return new SnapshotSettings(Settings.LOAD_AHEAD_MILLIS.findOrDefault(texts),
                oneOrMore(Settings.MIN_INDEX_COUNT_PER_BUCKET, texts),
                oneOrMore(Settings.MAX_TIME_STEP_PER_SEGMENT_SECONDS, texts) * MILLIS_A_SECOND,
                oneOrMore(Settings.MAX_INDEXES_PER_SEGMENT, texts),
                SnapshotFormat.of(Settings.SNAPSHOT_FORMAT.findOrDefault(texts)),
                new UpkeepSettings(Settings.SWEEP_INTERVAL_MINUTES.findOrDefault(texts),
                        Settings.SWEEP_DRY_RUN.findOrDefault(texts), Settings.SWEEP_MIN_AGE_MINUTES.findOrDefault(texts),
                        Settings.MAX_MEMORY_MB.findOrDefault(texts)));
    }

    /** The value of a limit. To the stock tracker 0 and -1 mean no limit; here they mean the default. */
    private static long oneOrMore(Setting<Long> setting, Map<String, String> texts) {
        long configured = setting.findOrDefault(texts);
        return configured < 1 ? setting.findOrDefault(Map.of()) : configured;
    }
}
