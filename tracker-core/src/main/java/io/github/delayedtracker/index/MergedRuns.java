/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import java.util.List;
import java.util.PriorityQueue;

/** Several runs as one, in order. The first {@link #next} reads the first row of each; others cost O(log runs). */
public final class MergedRuns implements DueRun {

    private static final int FIRST_RUNS = 11;

    private final List<DueRun> runs;
    private PriorityQueue<DueRun> heads;

    /** Takes over runs that were not read. */
    public MergedRuns(List<DueRun> runs) {
        this.runs = runs;
    }

    @Override
    public boolean next() {
        if (heads == null) {
            heads = new PriorityQueue<>(FIRST_RUNS, DueRun::compare);
            runs.forEach(this::queue);
        } else if (!heads.isEmpty()) {
            queue(heads.poll());
        }
        return !heads.isEmpty();
    }

    @Override
    public void close() {
        runs.forEach(DueRun::close);
    }

    private void queue(DueRun run) {
        if (run.next()) {
            heads.add(run);
        }
    }

    @Override
    public long dueMillis() {
        return heads.peek().dueMillis();
    }

    @Override
    public long ledgerId() {
        return heads.peek().ledgerId();
    }

    @Override
    public long entryId() {
        return heads.peek().entryId();
    }
}
