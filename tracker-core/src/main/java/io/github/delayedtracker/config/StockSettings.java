/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import java.util.Map;

/**
 * The stock keys this project reads, with the values as the broker parsed them. Nothing is checked here.
 *
 * @param tickMillis delayedDeliveryTickTimeMillis
 * @param strict isDelayedDeliveryDeliverAtTimeStrict
 * @param fixedDelayLookahead delayedDeliveryFixedDelayDetectionLookahead
 * @param minIndexCountPerBucket delayedDeliveryMinIndexCountPerBucket
 * @param maxTimeStepPerSegmentSeconds delayedDeliveryMaxTimeStepPerBucketSnapshotSegmentSeconds
 * @param maxIndexesPerSegment delayedDeliveryMaxIndexesPerBucketSnapshotSegment
 * @param maxNumBuckets delayedDeliveryMaxNumBuckets
 */
public record StockSettings(long tickMillis, boolean strict, long fixedDelayLookahead, long minIndexCountPerBucket,
        int maxTimeStepPerSegmentSeconds, int maxIndexesPerSegment, int maxNumBuckets) {

    /** The values as they would stand in broker.conf, by key. */
    Map<String, String> texts() {
        return Map.of(
                Settings.TICK_MILLIS.key(), String.valueOf(tickMillis),
                Settings.STRICT.key(), String.valueOf(strict),
                Settings.FIXED_DELAY_LOOKAHEAD.key(), String.valueOf(fixedDelayLookahead),
                Settings.MIN_INDEX_COUNT_PER_BUCKET.key(), String.valueOf(minIndexCountPerBucket),
                Settings.MAX_TIME_STEP_PER_SEGMENT_SECONDS.key(), String.valueOf(maxTimeStepPerSegmentSeconds),
                Settings.MAX_INDEXES_PER_SEGMENT.key(), String.valueOf(maxIndexesPerSegment),
                Settings.MAX_NUM_BUCKETS.key(), String.valueOf(maxNumBuckets));
    }
}
