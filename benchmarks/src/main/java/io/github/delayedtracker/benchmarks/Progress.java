/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

/** A progress bar on the standard error stream. */
final class Progress {

    private static final int WIDTH = 30;

    private final int steps;
    private int done;

    Progress(int steps) {
        this.steps = Math.max(1, steps);
    }

    /** Shows the bar and the name of the next step. */
    void next(String what) {
        int filled = (int) ((long) WIDTH * done / steps);
        String bar = "#".repeat(filled) + ".".repeat(WIDTH - filled);
        System.err.printf("\r[%s] %3d %%  %-60.60s", bar, 100 * done / steps, what);
        done = Math.min(steps, done + 1);
    }

    /** Clears the line, so that something else can be printed. */
    void clear() {
        System.err.printf("\r%100s\r", "");
    }
}
