/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import io.github.delayedtracker.upstream.Combination.Backend;
import io.github.delayedtracker.upstream.Combination.Line;
import io.github.delayedtracker.upstream.Outcome.How;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Makes docs/compatibility.md from what became of upstream's tests. */
final class CompatibilityPage {

    static final Path FILE = Path.of("").toAbsolutePath().resolve("../../docs/compatibility.md").normalize();

    private static final String HEAD = """
            # Upstream's own tests

            What becomes of the delayed-delivery tests that Pulsar publishes for its broker (test jars of `pulsar-broker`), run
            unchanged with the plugin in place of the stock trackers. Made by `mvn -B -Pupstream verify`, which fails when a
            test does, or when this page says something else; `-Ddelayed.docs.write=true` makes the page again.

            A test configures the factory itself. When its broker asks for the factory, the run changes the configuration to the
            plugin's and the backend's, and after each test it checks that the broker has the plugin. Storage is the mock of
            BookKeeper that Pulsar publishes for its tests, which keeps no labels of ledgers; the run adds them, because the
            plugin deletes no ledger whose label it has not read. A test that fails is tried at most twice more: several give a
            message 100 ms to arrive. There is no published mock of 4.2.4; the one of 5.0.0-M1 serves.

            """;

    private CompatibilityPage() {
    }

    static String render(List<Outcome> outcomes, List<NotApplicable> notApplicable) {
        StringBuilder page = new StringBuilder(HEAD);
        row(page, "Pulsar", "class", columns(backend -> backend.title));
        row(page, "---", "---", columns(backend -> "---"));
        for (Line line : Line.values()) {
            for (Suite suite : Suite.usual()) {
                row(page, line.version, "`" + suite.simpleName() + "`", columns(backend -> cell(outcomes.stream().filter(each ->
                        each.in().line() == line && each.in().backend() == backend && each.suite() == suite).toList())));
            }
        }
        page.append("""

                `BucketDelayedDeliveryTest` inherits the tests of `DelayedDeliveryTest`. With `pip195` it runs with them, on
                ledgers of 50 messages; with the others they run by themselves, in the row above.

                ## Not applicable

                | test | backends | what it asserts |
                |---|---|---|
                """);
        notApplicable.forEach(each -> page.append("| `").append(each.test().replace("#", ".")).append("` | ")
                .append(String.join(", ", each.backends())).append(" | ").append(each.reason()).append(" |\n"));
        return page.toString();
    }

    private static List<String> columns(Function<Backend, String> cell) {
        return Backend.OURS.stream().map(cell).toList();
    }

    private static void row(StringBuilder page, String line, String suite, List<String> cells) {
        page.append("| ").append(line).append(" | ").append(suite).append(" | ").append(String.join(" | ", cells))
                .append(" |\n");
    }

    private static String cell(List<Outcome> outcomes) {
        List<String> parts = new ArrayList<>();
        add(parts, outcomes, How.PASSED, "passed");
        add(parts, outcomes, How.FAILED, "failed");
        add(parts, outcomes, How.LEFT_OUT, "not applicable");
        String failed = outcomes.stream().filter(each -> each.how() == How.FAILED).map(each -> "`" + each.test() + "`")
                .collect(Collectors.joining(", "));
        return parts.isEmpty() ? "not run" : String.join(", ", parts) + (failed.isEmpty() ? "" : ": " + failed);
    }

    private static void add(List<String> parts, List<Outcome> outcomes, How how, String word) {
        long count = outcomes.stream().filter(each -> each.how() == how).count();
        if (count > 0) {
            parts.add(count + " " + word);
        }
    }
}
