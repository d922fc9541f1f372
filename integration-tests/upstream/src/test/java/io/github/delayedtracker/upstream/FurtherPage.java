/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import io.github.delayedtracker.upstream.Combination.Backend;
import io.github.delayedtracker.upstream.Combination.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Makes the second half of docs/compatibility.md from what became of the further classes. */
final class FurtherPage {

    /** Where that half begins. */
    static final String TITLE = "\n## Further classes\n";

    private static final String HEAD = TITLE + """

            Pulsar's tests of what a tracker sits in the middle of: dispatchers, Key_Shared, retry and dead letters, negative
            acknowledgements, batches, transactions. They delay next to nothing, and a dispatcher makes a tracker at its first
            delayed message; so the run offers each message that has no time as one that was due when it was sent. The counts of
            trackers and of messages offered to them tell that a class had any. A class runs in a JVM of its own; what fails is
            run once more without the other tests of its class, and what fails again is run with the stock tracker in the same
            way, to tell whose it is. The classes of the sticky-key dispatcher mock broker and topic; the run gives these mocks
            a factory and lets the topic delay messages.

            `mvn -B -Pupstream -Dupstream.further='4.0.7 bucket .*' verify` runs those that the expression matches, here all
            classes of a line with a backend (`heap`, `timebucket`, `bucket`, or `stock`), and nothing else; it takes
            minutes a class. With `-Ddelayed.docs.write=true` each class writes its row here when it has ended.

            | Pulsar | class | backend | passed | failed | not applicable | trackers | messages offered | day |
            | --- | --- | --- | --: | --: | --: | --: | --: | --- |
            """;

    private FurtherPage() {
    }

    static String render(List<FurtherRow> rows) {
        StringBuilder page = new StringBuilder(HEAD);
        rows.forEach(row -> page.append("| ").append(String.join(" | ", cells(row))).append(" |\n"));
        List<String> notes = new ArrayList<>();
        rows.forEach(row -> addNotes(notes, row));
        for (Line line : Line.values()) {
            addMissing(notes, line, rows);
        }
        page.append('\n').append(notes.stream().map(note -> "- " + note + "\n").collect(Collectors.joining()));
        return page.toString();
    }

    private static List<String> cells(FurtherRow row) {
        return List.of(row.line().version, "`" + row.suite().simpleName() + "`", row.backend().title,
                String.valueOf(row.passed()), String.valueOf(row.failed().size() + row.failedWithStock().size()),
                String.valueOf(row.skipped() + row.leftOut()), String.valueOf(row.trackers()), String.valueOf(row.messages()),
                row.day());
    }

    private static void addNotes(List<String> notes, FurtherRow row) {
        String of = " of `" + row.suite().simpleName() + "` on " + row.line().version + " with " + row.backend().title;
        if (row.skipped() > 0) {
            notes.add(row.skipped() + of + " skip themselves.");
        }
        row.failed().forEach(test -> notes.add("`" + test + "`" + of + " fails" + (row.backend() == Backend.STOCK ? "."
                : ", and passes with the stock tracker.")));
        row.failedWithStock().forEach(test -> notes.add("`" + test + "`" + of + " fails, and with the stock tracker as well."));
    }

    private static void addMissing(List<String> notes, Line line, List<FurtherRow> rows) {
        for (Backend backend : List.of(Backend.HEAP, Backend.TIMEBUCKET, Backend.BUCKET)) {
            List<Suite> missing = new ArrayList<>(Suite.further());
            rows.stream().filter(row -> row.line() == line && row.backend() == backend)
                    .forEach(row -> missing.remove(row.suite()));
            if (missing.size() == Suite.further().size()) {
                notes.add("None was run on " + line.version + " with " + backend.title + ".");
            } else if (!missing.isEmpty()) {
                notes.add("Not run on " + line.version + " with " + backend.title + ": " + missing.stream()
                        .map(suite -> "`" + suite.simpleName() + "`").collect(Collectors.joining(", ")) + ".");
            }
        }
    }
}
