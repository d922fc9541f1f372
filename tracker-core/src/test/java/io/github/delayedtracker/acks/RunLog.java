/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What has happened in one run, a line each. Runs are five times as fast without: one that fails is repeated. */
final class RunLog {

    private final List<String> lines = new ArrayList<>();
    private final boolean isKept;

    RunLog(String name, boolean isKept) {
        this.isKept = isKept;
        lines.add(name);
    }

    void add(Supplier<String> line) {
        if (isKept) {
            lines.add(line.get());
        }
    }

    @Override
    public String toString() {
        return String.join("\n", lines);
    }
}
