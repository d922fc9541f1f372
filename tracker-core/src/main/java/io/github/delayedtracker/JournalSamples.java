/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.acks.AckJournal;
import io.github.delayedtracker.acks.AckRestore.Outcome;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.metrics.Series;
import java.util.Optional;

/** The figures of one subscription's journal, as its statistics show them. */
final class JournalSamples {

    private static final Series NONE_KEPT = TrackerMetrics.JOURNAL.series("none");
    private static final Series NOT_NEEDED = TrackerMetrics.JOURNAL.series("not_needed");
    private static final Series ACTIVE = TrackerMetrics.JOURNAL.series("active");
    private static final Series RESTORING = TrackerMetrics.JOURNAL.series("restoring");
    private static final Series REFUSED = TrackerMetrics.JOURNAL.series("refused");
    private static final Series NEWER = TrackerMetrics.JOURNAL.series("newer");
    private static final Series RESET = TrackerMetrics.JOURNAL.series("reset");

    private JournalSamples() {
    }

    /** Puts those of a subscription that keeps none. */
    static void putNone(Samples samples) {
        samples.put(NONE_KEPT, 1);
    }

    /**
     * Puts fresh ones.
     *
     * @param journal empty until one may be needed
     * @param isRestoring whether a restore is under way
     * @param restored the end of the last one; empty if there was none
     */
    static void put(Samples samples, Optional<AckJournal> journal, boolean isRestoring, Optional<Outcome> restored,
            long nowMillis) {
        Series state = isRestoring ? RESTORING : journal.map(AckJournal::isActive).orElse(false) ? ACTIVE
                : restored.map(JournalSamples::ended).orElse(NOT_NEEDED);
        samples.put(state, state == NOT_NEEDED ? 0 : 1);
        journal.flatMap(AckJournal::figures).ifPresent(known -> samples.put(TrackerMetrics.JOURNAL_POSITIONS, known.positions())
                .put(TrackerMetrics.JOURNAL_BYTES, known.bytes())
                .put(TrackerMetrics.JOURNAL_AGE, Math.max(0, nowMillis - known.writtenMillis())));
        restored.ifPresent(outcome -> samples.put(TrackerMetrics.JOURNAL_RESTORED, outcome.positions()));
    }

    private static Series ended(Outcome outcome) {
        return switch (outcome.end()) {
            case REFUSED -> REFUSED;
            case NEWER -> NEWER;
            case RESET -> RESET;
            case NONE, NOT_NEEDED, APPLIED, LEFT -> NOT_NEEDED;
        };
    }
}
