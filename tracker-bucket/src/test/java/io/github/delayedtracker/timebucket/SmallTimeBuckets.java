/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DelayIndexProvider;

/** The timebucket backend with parts that are full after a few positions, so that short runs seal, overlap and merge them. */
public final class SmallTimeBuckets implements DelayIndexProvider {

    private static final int POSITIONS_OF_A_PART = 8;

    @Override
    public String backendName() {
        return "timebucket-small";
    }

    @Override
    public boolean roundsTimes() {
        return true;
    }

    @Override
    public DelayIndex newIndex() {
        return new TimeBucketIndex(POSITIONS_OF_A_PART);
    }
}
