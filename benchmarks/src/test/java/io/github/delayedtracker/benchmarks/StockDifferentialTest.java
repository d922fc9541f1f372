/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scenarios on our indexes and on the stock trackers answer as docs/stock-differences.md records. */
class StockDifferentialTest {

    private static final long TICK_MILLIS = 1_000;
    private static final DifferencesPage PAGE =
            new DifferencesPage(Path.of(System.getProperty("delayed.docs", "../docs"), "stock-differences.md"));

    @BeforeAll
    static void writeThePageWhenAsked() throws IOException {
        if (Boolean.getBoolean("delayed.docs.write")) {
            Map<Backend, Map<String, String>> answers = new EnumMap<>(Backend.class);
            for (Backend backend : Backend.TRACKERS) {
                answers.put(backend, answersOf(backend).orElseThrow(() ->
                        new IllegalStateException("no class path for " + backend.label() + " at " + backend.location())));
            }
            PAGE.write(answers);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AS_PUBLISHED")
    void answersAsRecorded(Backend backend) throws IOException {
        Optional<Map<String, String>> answers = answersOf(backend);
        if (answers.isEmpty()) {
            System.out.println("SKIPPED differential of " + backend.label() + ": no class path at " + backend.location());
        }
        assumeTrue(answers.isPresent(), () -> "no class path at " + backend.location());
        Map<String, String> recorded = PAGE.answersOf(backend);
        assertEquals(Scenario.ALL.size(), recorded.size(), "rows of docs/stock-differences.md");
        assertAll(Scenario.ALL.stream().map(scenario -> () -> assertEquals(
                recorded.get(scenario.title()), answers.get().get(scenario.title()), scenario.title())));
    }

    @ParameterizedTest
    @EnumSource(names = {"HEAP", "TIMEBUCKET"})
    @DisplayName("T14, S-04: a position is handed out once, whatever times it was added with")
    void t14_ourBackendsHandOutAPositionOncePerAdd(Backend backend) {
        for (Scenario scenario : Scenario.ALL.stream().filter(any -> any.title().startsWith("added")).toList()) {
            String answer = answer(scenario, backend.openOrFail(scenario.strict(), TICK_MILLIS));
            assertEquals(1, answer.split("1:1", -1).length - 1, scenario.title() + ": " + answer);
        }
    }

    private static Optional<Map<String, String>> answersOf(Backend backend) {
        if (backend.open(false, TICK_MILLIS).isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> answers = new HashMap<>();
        for (Scenario scenario : Scenario.ALL) {
            answers.put(scenario.title(), answer(scenario, backend.openOrFail(scenario.strict(), TICK_MILLIS)));
        }
        return Optional.of(answers);
    }

    private static String answer(Scenario scenario, Tracker tracker) {
        try (tracker) {
            return scenario.answerOf(tracker);
        }
    }
}
