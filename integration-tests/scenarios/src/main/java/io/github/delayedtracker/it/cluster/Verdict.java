/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.util.List;
import java.util.Map;

/**
 * The judgement of a run.
 *
 * @param figures what was counted, by name
 * @param refused the names of the faults that the cluster has refused, which count as none
 * @param broken the broken promises, each with how often and some examples
 */
record Verdict(Map<String, Long> figures, List<String> refused, Map<Promise, Violation> broken) {

    /** The promises that are judged. */
    enum Promise {
        /** What the broker has said it has comes. */
        NOTHING_IS_LOST,
        /** Nothing comes before it is due. */
        NOTHING_IS_EARLY,
        /** What was acknowledged a flush interval before a fault, or without any, does not come again. */
        ACKNOWLEDGED_STAYS,
        /** What was not acknowledged comes again only after it was given back, or by a fault. */
        TWICE_HAS_A_CAUSE,
        /** Without a fault a tracker hands out no more than was sent with a delay, whatever the broker then does. */
        HANDED_OUT_ONCE,
        /** What has no delay comes in the order of its key; what is due at one time too, while there is no fault. */
        KEYS_KEEP_ORDER,
        /** Nothing comes that was not sent, nor from where the topic does not have it. */
        NOTHING_IS_MADE_UP,
        /** Counts are zero and no ledger is left when all is acknowledged. */
        NOTHING_IS_LEFT,
        /** The run has ended, and as much has happened in it as was planned: without that the others prove nothing. */
        RUN_IS_WHOLE
    }

    /** How often a promise was broken, with examples of the first times. */
    record Violation(long times, List<String> examples) {
    }

    boolean holds() {
        return broken.isEmpty();
    }

    /** For a person: first whether it holds, then a figure, a refused fault or an example a line. */
    String text() {
        StringBuilder text = new StringBuilder(holds() ? "every promise was kept\n" : "BROKEN: " + broken.keySet() + "\n");
        figures.forEach((name, value) -> text.append(name).append(": ").append(value).append('\n'));
        refused.forEach(name -> text.append("refused: ").append(name).append('\n'));
        broken.forEach((promise, violation) -> {
            text.append(promise).append(", ").append(violation.times()).append(" times:\n");
            violation.examples().forEach(example -> text.append("  ").append(example).append('\n'));
        });
        return text.toString();
    }
}
