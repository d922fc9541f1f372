/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.Locale;
import org.openjdk.jol.info.GraphStats;

/**
 * One measured footprint. The truth is the size of the object graph by JOL; for the tracker that keeps its heap in
 * direct buffers it is the capacity it allocated.
 *
 * @param workload what was added
 * @param backend who held it
 * @param messages how many messages were held
 * @param method how the retained bytes were found: {@code JOL}, {@code allocated}, or {@code reported} where the graph
 *     was too large to walk
 * @param retainedBytes bytes kept alive, position set included
 * @param reportedBytes bytes the tracker says it keeps alive
 * @param positionSetBytes the part of it that is the position set, as reported
 */
record FootprintRow(Workload workload, Backend backend, int messages, String method, long retainedBytes,
        long reportedBytes, long positionSetBytes) {

    /** Largest fill of which the stock object graph is walked: at one object or more a byte it outgrows the walker. */
    private static final int STOCK_WALK_LIMIT = 2_000_000;

    static final String CSV_HEADER = "workload,backend,messages,method,retainedBytes,reportedBytes,positionSetBytes";
    static final String MARKDOWN_HEADER = """
            | workload | backend | retained B/msg | of it position set | the rest | by | reported / retained |
            |---|---|---|---|---|---|---|
            """;

    /** Measures a filled tracker. */
    static FootprintRow of(Workload workload, Backend backend, Tracker tracker) {
        int messages = Math.toIntExact(tracker.count());
        long reportedBytes = tracker.reportedBytes();
        Object root = tracker.indexRoot();
        String method;
        long retainedBytes;
        if (root == null) {
            method = "allocated";
            retainedBytes = reportedBytes;
        } else if (!backend.ours() && messages > STOCK_WALK_LIMIT) {
            method = "reported";
            retainedBytes = reportedBytes;
        } else {
            method = "JOL";
            retainedBytes = GraphStats.parseInstance(root).totalSize();
        }
        return new FootprintRow(workload, backend, messages, method, retainedBytes, reportedBytes,
                tracker.positionSetBytes());
    }

    double perMessage() {
        return (double) retainedBytes / messages;
    }

    /** Without the position set, which the stock in-memory trackers do not have. */
    double perMessageWithoutSet() {
        return (double) (retainedBytes - positionSetBytes) / messages;
    }

    String csv() {
        return String.join(",", '"' + workload.label() + '"', backend.label(), Integer.toString(messages), method,
                Long.toString(retainedBytes), Long.toString(reportedBytes), Long.toString(positionSetBytes));
    }

    String markdown() {
        return String.format(Locale.ROOT, "| %s | %s | %.3f | %.3f | %.3f | %s | %.2f |", workload.label(), backend.label(),
                perMessage(), (double) positionSetBytes / messages, perMessageWithoutSet(), method,
                (double) reportedBytes / retainedBytes);
    }
}
