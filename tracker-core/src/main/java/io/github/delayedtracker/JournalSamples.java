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
import java.util.Optional;

/** The figures of one subscription's journal, as its statistics show them. */
final class JournalSamples {

    private static final String NOT_NEEDED = "not_needed";

    private JournalSamples() {
    }

    /**
     * Fresh ones.
     *
     * @param journal empty until one may be needed
     * @param isRestoring whether a restore is under way
     * @param restored the end of the last one; empty if there was none
     */
    static Samples of(Optional<AckJournal> journal, boolean isRestoring, Optional<Outcome> restored, long nowMillis) {
        String state = isRestoring ? "restoring" : journal.map(AckJournal::isActive).orElse(false) ? "active"
                : restored.map(JournalSamples::ended).orElse(NOT_NEEDED);
        Samples samples = new Samples().put(TrackerMetrics.JOURNAL, state.equals(NOT_NEEDED) ? 0 : 1, state);
        journal.flatMap(AckJournal::figures).ifPresent(known -> samples.put(TrackerMetrics.JOURNAL_POSITIONS, known.positions())
                .put(TrackerMetrics.JOURNAL_BYTES, known.bytes())
                .put(TrackerMetrics.JOURNAL_AGE, Math.max(0, nowMillis - known.writtenMillis())));
        restored.ifPresent(outcome -> samples.put(TrackerMetrics.JOURNAL_RESTORED, outcome.positions()));
        return samples;
    }

    private static String ended(Outcome outcome) {
        return switch (outcome.end()) {
            case REFUSED -> "refused";
            case NEWER -> "newer";
            case RESET -> "reset";
            case NONE, NOT_NEEDED, APPLIED, LEFT -> NOT_NEEDED;
        };
    }
}
