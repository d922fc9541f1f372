/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DelayIndexContractTest;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import java.util.Random;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/** The contract of every index, with seals, loads and merges at random between the calls. */
class BucketIndexDrivenContractTest extends DelayIndexContractTest {

    private final long seed = Long.getLong("delayed.test.seed", new Random().nextLong());

    @RegisterExtension
    final TestExecutionExceptionHandler tellsTheSeed = (context, failure) -> {
        throw failure instanceof TestAbortedException ? failure : new AssertionError("-Ddelayed.test.seed=" + seed, failure);
    };

    @Override
    protected DelayIndex newIndex() {
        return new DrivenBuckets(new TimeBucketIndexProvider()::newIndex, new Random(seed), 20, 2_000);
    }

    @Override
    protected boolean movesByItself() {
        return true;
    }
}
