/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import org.apache.pulsar.broker.delayed.bucket.BucketDelayedDeliveryTracker;
import org.apache.pulsar.broker.delayed.bucket.RecoverDelayedDeliveryTrackerException;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;

/** The stock tracker that every adapter of ours is as well: the same state, and nothing of ours. */
public final class StockShell {

    private StockShell() {
    }

    /** Made as an adapter makes its superclass. */
    public static BucketDelayedDeliveryTracker of(AbstractPersistentDispatcherMultipleConsumers dispatcher, boolean strict,
            long tickMillis) throws RecoverDelayedDeliveryTrackerException {
        return new BucketDelayedDeliveryTracker(dispatcher, InertTimer.INSTANCE, tickMillis, strict,
                InertSnapshotStorage.INSTANCE, 1, 1, 1, -1);
    }
}
