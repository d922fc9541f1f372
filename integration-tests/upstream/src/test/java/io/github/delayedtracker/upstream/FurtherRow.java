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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What became of a further class when it was last run, a line of further.tsv.
 *
 * @param skipped tests that skip themselves
 * @param messages that were offered to a tracker
 * @param failed tests that fail, and those that fail with the stock tracker too
 * @param day in ISO form
 */
record FurtherRow(Line line, Backend backend, Suite suite, int passed, int skipped, int leftOut, long messages, long trackers,
        String day, List<String> failed, List<String> failedWithStock) {

    private static final Path FILE = Path.of("").toAbsolutePath().resolve("src/test/resources/further.tsv");
    private static final Comparator<FurtherRow> ORDER = Comparator.comparing(FurtherRow::line).thenComparing(FurtherRow::suite)
            .thenComparing(FurtherRow::backend);

    static FurtherRow of(Combination combination, Fork.Ended ended, String day) {
        List<Outcome> outcomes = ended.outcomes();
        return new FurtherRow(combination.line(), combination.backend(), combination.suites().get(0),
                count(outcomes, How.PASSED), count(outcomes, How.SKIPPED), count(outcomes, How.LEFT_OUT),
                ended.messages(), ended.trackers(), day, tests(outcomes, How.FAILED), tests(outcomes, How.FAILED_WITH_STOCK));
    }

    static List<FurtherRow> all() throws IOException {
        if (!Files.exists(FILE)) {
            return List.of();
        }
        try (Stream<String> lines = Files.lines(FILE)) {
            return lines.filter(line -> !line.startsWith("#")).map(FurtherRow::parse).toList();
        }
    }

    /** Writes it in the place of an older one of the same run. */
    static void put(FurtherRow row) throws IOException {
        List<FurtherRow> rows = new ArrayList<>(all());
        rows.removeIf(each -> ORDER.compare(each, row) == 0);
        rows.add(row);
        rows.sort(ORDER);
        String lines = rows.stream().map(each -> each.text() + "\n").collect(Collectors.joining());
        Files.writeString(FILE, "# line, backend, class, passed, skipped, not applicable, messages offered, trackers, day, "
                + "failed, failed with stock too\n" + lines);
    }

    private static FurtherRow parse(String text) {
        String[] cells = text.split("\t", -1);
        return new FurtherRow(Line.valueOf(cells[0]), Backend.valueOf(cells[1]), Suite.valueOf(cells[2]),
                Integer.parseInt(cells[3]), Integer.parseInt(cells[4]), Integer.parseInt(cells[5]), Long.parseLong(cells[6]),
                Long.parseLong(cells[7]), cells[8], list(cells[9]), list(cells[10]));
    }

    private String text() {
        return Stream.of(line.name(), backend.name(), suite.name(), passed, skipped, leftOut, messages, trackers, day,
                String.join(", ", failed), String.join(", ", failedWithStock)).map(String::valueOf)
                .collect(Collectors.joining("\t"));
    }

    private static List<String> list(String cell) {
        return cell.isEmpty() ? List.of() : List.of(cell.split(", "));
    }

    private static int count(List<Outcome> outcomes, How how) {
        return (int) outcomes.stream().filter(each -> each.how() == how).count();
    }

    private static List<String> tests(List<Outcome> outcomes, How how) {
        return outcomes.stream().filter(each -> each.how() == how).map(each -> each.test().replace(", ", ",")).toList();
    }
}
