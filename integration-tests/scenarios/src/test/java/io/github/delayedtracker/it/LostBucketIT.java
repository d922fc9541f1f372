/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.it.LostBucketRun.Result;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Finding S5 on a broker, beside the stock tracker. {@link LostBucketRun} measures the same with a million. */
@Tag(OnABroker.MATRIX_ONLY)
class LostBucketIT {

    private static final int MESSAGES = 50_000;
    private static final int PLAIN_A_SECOND = 500;
    private static final int MOST_TIMES_STOCK = 3;

    @Test
    void s5WhatIsDueInLostBucketsComesNearlyAsFastAsWithStockAndPlainMessagesGoOn() throws Exception {
        Result stock = new LostBucketRun(MESSAGES, PLAIN_A_SECOND).run(LostBucketRun.stock());
        Result bucket = new LostBucketRun(MESSAGES, PLAIN_A_SECOND).run(LostBucketRun.bucket());
        assertTrue(bucket.lostLedgers() > 0, "snapshots were deleted");
        assertTrue(bucket.rereadPositions() > MESSAGES / 2, bucket.rereadPositions() + " positions were lost");
        assertEquals(0, bucket.early());
        assertTrue(bucket.dueMillis() <= MOST_TIMES_STOCK * stock.dueMillis(),
                bucket.dueMillis() + " ms, with the stock tracker " + stock.dueMillis() + " ms");
        assertTrue(2 * bucket.plainASecond() >= PLAIN_A_SECOND, bucket.plainASecond() + " plain messages a second of "
                + PLAIN_A_SECOND);
    }
}
