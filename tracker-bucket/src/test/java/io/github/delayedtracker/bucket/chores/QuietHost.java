/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.CallCounts;
import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.index.PositionSink;
import java.util.function.Function;
import java.util.function.Supplier;

/** A subscription without a dispatcher: its index is asked by the test alone, on one thread, and nothing is acknowledged. */
public class QuietHost implements IndexHost {

    @Override
    public <T> T change(Function<PositionSink, T> change) {
        CallCounts.locked();
        return change.apply((ledgerId, entryId) -> { });
    }

    @Override
    public <T> T read(Supplier<T> look) {
        CallCounts.locked();
        return look.get();
    }

    @Override
    public void askAlways(boolean always) {
        // The test asks whatever it likes.
    }

    @Override
    public void markDelete(PositionSink sink) {
        // Unknown.
    }
}
