/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * What tasks of a timer threw, for a program or test that works with that timer: whatever it measured or found out beside a
 * failed task counts for nothing. Any thread may tell of a failure.
 */
public final class TaskFailures implements Consumer<Throwable> {

    private final AtomicReference<Throwable> first = new AtomicReference<>();

    @Override
    public void accept(Throwable failure) {
        if (!first.compareAndSet(null, failure)) {
            first.get().addSuppressed(failure);
        }
    }

    /** Returns if no task has failed; throws the failures otherwise, the later ones as suppressed by the first. */
    public void mustBeNone() {
        Throwable failure = first.get();
        if (failure != null) {
            throw new IllegalStateException("a task of the timer failed", failure);
        }
    }
}
