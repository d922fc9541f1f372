/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import java.util.List;

/**
 * How a test has ended.
 *
 * @param test the method with its parameters
 */
record Outcome(Combination in, Suite suite, String test, How how, String failure) {

    /** What {@link Outcomes} writes. */
    enum How {
        PASSED, FAILED, RETRIED, LEFT_OUT, SKIPPED,
        /** Nor does it pass with the stock tracker: not told by a run, but by two. */
        FAILED_WITH_STOCK
    }

    static boolean isAnyFailed(List<Outcome> outcomes) {
        return outcomes.stream().anyMatch(each -> each.how() == How.FAILED);
    }

    static Outcome parse(Combination in, String line) {
        List<String> cells = List.of(line.split("\t", -1));
        Suite suite = in.suites().stream().filter(each -> each.simpleName().equals(cells.get(1))).findAny().orElseThrow();
        How how = How.valueOf(cells.get(0).toUpperCase(java.util.Locale.ROOT).replace('-', '_'));
        return new Outcome(in, suite, cells.get(2), how, cells.get(4));
    }

    /** The test without its parameters; what was set up or cleaned up has brackets instead. */
    String method() {
        return test.replaceFirst("\\[.*", "");
    }

    Outcome asWithStock() {
        return new Outcome(in, suite, test, How.FAILED_WITH_STOCK, failure);
    }

    String title() {
        return in.line().version + ", " + in.backend().title + ": " + suite.simpleName() + "." + test;
    }
}
