/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

/**
 * What the configuration says to a backend that keeps snapshots. The stock keys are taken as given: -1 means that a backend uses
 * its own limit.
 *
 * @param loadAheadMillis how long before the first of its positions is due a segment is loaded
 * @param sealPositions positions in a bucket when it is sealed, at most
 * @param segmentMillis longest time range of a segment that is not small
 * @param segmentPositions most positions in a segment
 * @param format in which form they are written
 * @param upkeep how storage is kept clean
 */
public record SnapshotSettings(long loadAheadMillis, long sealPositions, long segmentMillis, long segmentPositions,
        SnapshotFormat format, UpkeepSettings upkeep) {

    /** What a broker has whose configuration says nothing. */
    public static final SnapshotSettings DEFAULT =
            new SnapshotSettings(60_000, 50_000, 300_000, 5_000, SnapshotFormat.COMPACT, UpkeepSettings.DEFAULT);

    private static final long MILLIS_A_SECOND = 1_000;

    static SnapshotSettings of(long loadAheadMillis, StockSettings stock, SnapshotFormat format, UpkeepSettings upkeep) {
        return new SnapshotSettings(loadAheadMillis, stock.minIndexCountPerBucket(),
                stock.maxTimeStepPerSegmentSeconds() < 0 ? -1 : stock.maxTimeStepPerSegmentSeconds() * MILLIS_A_SECOND,
                stock.maxIndexesPerSegment(), format, upkeep);
    }
}
