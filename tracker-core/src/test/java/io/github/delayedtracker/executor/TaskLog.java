/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Makes tasks that note their start and end when the test ends them. Not thread safe. */
final class TaskLog {

    private final List<String> lines = new ArrayList<>();

    /** A task that has ended when it returns. */
    KeyedTask<String> atOnce(String name) {
        return () -> {
            lines.add(name);
            return CompletableFuture.completedFuture(name);
        };
    }

    /** A task that ends with the stage. */
    KeyedTask<String> until(String name, CompletableFuture<String> stage) {
        return () -> {
            lines.add(name);
            return stage;
        };
    }

    List<String> lines() {
        return lines;
    }
}
