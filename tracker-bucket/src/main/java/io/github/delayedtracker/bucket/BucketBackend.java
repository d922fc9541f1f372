/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket;

import io.github.delayedtracker.backend.BackendServices;
import io.github.delayedtracker.backend.BrokerStore;
import io.github.delayedtracker.backend.StoringBackend;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;

/**
 * The {@code bucket} backend: due times in BookKeeper, in memory which positions wait and what is due soon. In memory it is the
 * time-bucket index, which also serves cursors that are not durable.
 */
public final class BucketBackend implements StoringBackend {

    static final String NAME = "bucket";

    private final TimeBucketIndexProvider inMemory = new TimeBucketIndexProvider();

    /** Found by name. */
    public BucketBackend() {
        // nothing before a broker starts it
    }

    @Override
    public String backendName() {
        return NAME;
    }

    @Override
    public boolean roundsTimes() {
        return inMemory.roundsTimes();
    }

    @Override
    public DelayIndex newIndex() {
        return inMemory.newIndex();
    }

    @Override
    public BrokerStore start(BackendServices services) {
        return new BrokerBuckets(services, inMemory::newIndex);
    }
}
