/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DelayIndexContractTest;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;

/** The contract of every index, by one that the third position of most of the tests wakes. */
class RestingIndexContractTest extends DelayIndexContractTest {

    private static final BucketSettings SETTINGS = RestingIndexTest.wakingAt(3);

    @Override
    protected DelayIndex newIndex() {
        return new RestingIndex(new TimeBucketIndexProvider()::newIndex, SETTINGS, () -> { });
    }

    @Override
    protected Object[] shared() {
        return new Object[] {SETTINGS};
    }
}
