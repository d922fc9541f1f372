/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.Locale;

/**
 * One measured footprint, after a fill from which nothing was drained.
 *
 * @param workload the messages that were added
 * @param backend the tracker that held them
 * @param messages how many messages were held
 * @param precisionMillis width of a time bucket
 * @param retained bytes kept alive, all included
 * @param reportedBytes bytes the tracker says it keeps alive
 * @param positionSetBytes the part of it that tells which positions are contained, as reported
 * @param tailBytes the bytes of the open tail above those of its positions once sealed; they do not grow with the messages
 * @param modelBytes the bytes that {@link SizingModel} says, 0 if it says nothing
 */
record FootprintRow(Workload workload, Backend backend, int messages, long precisionMillis, Retained retained,
        long reportedBytes, long positionSetBytes, long tailBytes, long modelBytes) {

    static final String CSV_HEADER = "workload,backend,messages,precisionMillis,method,retainedBytes,bytesPerMessage,"
            + "tailBytes,sealedBytesPerMessage,boundBytesPerMessage,ratioToBound,reportedBytes,positionSetBytes,modelBytes";
    static final String MARKDOWN_HEADER = """
            | workload | backend | B/msg | open tail, KiB | B/msg sealed | bound | ratio | position set | reported / retained \
            | model / retained | by |
            |---|---|---|---|---|---|---|---|---|---|---|
            """;
    /** The least bound to which a ratio says something; a smaller one is next to nothing. */
    private static final double LEAST_BOUND_BYTES = 1e-4;

    double perMessage() {
        return (double) retained.bytes() / messages;
    }

    /** The bytes a message without the open tail. */
    double sealedPerMessage() {
        return (double) (retained.bytes() - tailBytes) / messages;
    }

    double boundPerMessage() {
        return workload.boundBytes(precisionMillis);
    }

    /** The error of the model, as a share of the retained bytes; 0 if there is no model. */
    double modelError() {
        return modelBytes == 0 ? 0 : (double) modelBytes / retained.bytes() - 1;
    }

    /** The error of the bytes that the tracker reports, as a share of the retained ones. */
    double reportedError() {
        return (double) reportedBytes / retained.bytes() - 1;
    }

    private String ratio() {
        double bound = boundPerMessage();
        double ratio = sealedPerMessage() / bound;
        return bound < LEAST_BOUND_BYTES ? "" : String.format(Locale.ROOT, ratio < 100 ? "%.2f" : "%.0f", ratio);
    }

    String csv() {
        return String.format(Locale.ROOT, "\"%s\",%s,%d,%d,%s,%d,%.5f,%d,%.5f,%.5f,%s,%d,%d,%d", workload.label(),
                backend.label(), messages, precisionMillis, retained.method(), retained.bytes(), perMessage(), tailBytes,
                sealedPerMessage(), boundPerMessage(), ratio(), reportedBytes, positionSetBytes, modelBytes);
    }

    String markdown() {
        return String.format(Locale.ROOT, "| %s | %s | %.3f | %.0f | %.3f | %.4f | %s | %.3f | %.4f | %s | %s |",
                workload.label(), backend.label(), perMessage(), tailBytes / 1024.0, sealedPerMessage(), boundPerMessage(),
                ratio(), (double) positionSetBytes / messages, 1 + reportedError(),
                modelBytes == 0 ? "" : String.format(Locale.ROOT, "%.2f", 1 + modelError()), retained.method());
    }
}
