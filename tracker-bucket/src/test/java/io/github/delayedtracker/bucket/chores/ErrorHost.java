/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.index.PositionSink;
import java.util.function.Function;
import java.util.function.Supplier;

/** Another host, one call of which ends with an Error before it has done anything, as where the heap is full for a moment. */
final class ErrorHost extends QuietHost {

    private final IndexHost host;
    private int calls;
    private int failing = -1;

    ErrorHost(IndexHost host) {
        this.host = host;
    }

    /** The call that fails, from 0 for the next one. */
    void failIn(int more) {
        failing = calls + more;
    }

    int calls() {
        return calls;
    }

    private void count() {
        if (calls++ == failing) {
            throw new OutOfMemoryError("for the test");
        }
    }

    @Override
    public <T> T change(Function<PositionSink, T> change) {
        count();
        return host.change(change);
    }

    @Override
    public <T> T read(Supplier<T> look) {
        count();
        return host.read(look);
    }
}
