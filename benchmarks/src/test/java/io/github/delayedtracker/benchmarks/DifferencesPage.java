/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The page docs/stock-differences.md: one row a scenario, one column a tracker. */
final class DifferencesPage {

    private static final String INTRODUCTION = """
            # Where we differ from the stock in-memory trackers

            The same calls on both of our indexes, behind the subscription state, and on the stock in-memory trackers of 4.0.7
            (heap) and 4.2.4 (time buckets of 512 ms). Tick 1000 ms; `+n` is n milliseconds after the start; `l:e` are positions;
            `at once` means that the tracker refused the message because the dispatcher sends it now.

            Not in the table, because it is the broker that reads: at 50,000 messages of one fixed delay
            (`delayedDeliveryFixedDelayDetectionLookahead`) the stock trackers let the dispatcher read nothing, plain and
            nacked messages included, until the first of them is due. Ours never do, so at each load of a topic `heap` and
            `timebucket` have its whole delayed backlog read; `bucket` only what it has not recorded.

            `mvn -pl benchmarks -am test -Ddelayed.docs.write=true` writes this page; without the property the same test,
            StockDifferentialTest, compares the table with what the trackers answer.

            """;

    private final Path file;

    DifferencesPage(Path file) {
        this.file = file;
    }

    /** The recorded answer of each scenario for one tracker, by title. */
    Map<String, String> answersOf(Backend backend) throws IOException {
        List<String[]> rows = Files.readAllLines(file).stream().filter(line -> line.startsWith("| "))
                .map(line -> line.split(" *\\| *", -1)).toList();
        int column = List.of(rows.get(0)).indexOf(backend.label());
        return rows.stream().skip(1).collect(Collectors.toMap(cells -> cells[1], cells -> cells[column]));
    }

    void write(Map<Backend, Map<String, String>> answers) throws IOException {
        String header = "| scenario | " + Backend.TRACKERS.stream().map(Backend::label).collect(Collectors.joining(" | "))
                + " | our rule |\n" + "|---".repeat(Backend.TRACKERS.size() + 2) + "|\n";
        String rows = Scenario.ALL.stream().map(scenario -> row(scenario, answers)).collect(Collectors.joining());
        Files.writeString(file, INTRODUCTION + header + rows);
    }

    private static String row(Scenario scenario, Map<Backend, Map<String, String>> answers) {
        List<String> cells = Backend.TRACKERS.stream().map(backend -> answers.get(backend).get(scenario.title())).toList();
        return "| " + scenario.title() + " | " + String.join(" | ", cells) + " | " + scenario.reason() + " |\n";
    }
}
