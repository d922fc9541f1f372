/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DelayIndexProvider;

/**
 * The backend {@code timebucket}: positions with the same rounded due time share one time bucket, so the cost of a
 * position falls with the number of positions in a bucket. Never creates anything but an empty index; safe from any thread.
 */
public final class TimeBucketIndexProvider implements DelayIndexProvider {

    @Override
    public String backendName() {
        return "timebucket";
    }

    @Override
    public boolean roundsTimes() {
        return true;
    }

    @Override
    public DelayIndex newIndex() {
        return new TimeBucketIndex();
    }
}
