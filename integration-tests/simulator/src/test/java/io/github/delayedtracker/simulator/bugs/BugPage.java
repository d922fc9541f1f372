/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator.bugs;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The page that lists the bugs, the promise each of them breaks, and how many scenarios it takes to find out. */
final class BugPage {

    private static final String START = """
            # Bugs the simulator catches

            Each row is a mistake somebody might make in the production code. `BugCatalogueTest` puts one at a time into the
            sources, compiles the patched file in memory and runs scenarios against it until a promise is broken. All must be
            caught within {most} scenarios; the sources as they are break nothing in as many. The text that each bug replaces is
            in `bugs.txt` beside the test.

            *Like* names what the bug is taken from: issues of apache/pulsar (`#n`), defects found in the stock trackers by
            reading (`Sn`) and running them (`Tn`), rules of this project (`Rn`) and invariants of its design (`In`). *Caught by*
            is the invariant class that noticed first, *scenarios* how many were run until then, counted from seed {first}; with
            storage, its faults and crashes (`bucket`) from seed {stored}. The test runs that scenario first, and looks through
            the others only if it catches the bug no longer.

            This page is written by the test: `mvn -B -pl integration-tests/simulator -am test -Dtest=BugCatalogueTest
            -Dsurefire.failIfNoSpecifiedTests=false -Dsimulator.bugs.write=true`.

            | bug | what goes wrong | file | like | caught by | scenarios |
            |---|---|---|---|---|---:|
            """;

    private static final Pattern ROW = Pattern.compile("\\| ([a-z0-9-]+) \\|.*\\| ([0-9,]+) \\|");

    private BugPage() {
    }

    /**
     * One bug and what became of it.
     *
     * @param bug the bug
     * @param caughtBy the invariant that noticed, or null
     * @param message what it said, or why nothing was noticed
     * @param scenarios how many were run
     */
    record Row(Bug bug, String caughtBy, String message, long scenarios) {

        boolean isCaught() {
            return caughtBy != null;
        }

        private String line() {
            String file = bug.className().substring(bug.className().lastIndexOf('.') + 1);
            return String.format(Locale.ROOT, "| %s | %s | `%s` | %s | %s | %,d |%n", bug.id(), bug.title(), file, bug.like(),
                    isCaught() ? caughtBy : "nobody", scenarios);
        }
    }

    static String of(List<Row> rows, long firstSeed, long firstStoredSeed, int mostScenarios) {
        String most = String.format(Locale.ROOT, "%,d", mostScenarios);
        return START.replace("{most}", most).replace("{first}", Long.toString(firstSeed))
                .replace("{stored}", Long.toString(firstStoredSeed))
                + rows.stream().map(Row::line).collect(Collectors.joining());
    }

    /** How many scenarios it took by this page, by the bug's short name. */
    static Map<String, Long> scenarios(String page) {
        Map<String, Long> scenarios = new HashMap<>();
        page.lines().map(ROW::matcher).filter(Matcher::matches)
                .forEach(row -> scenarios.put(row.group(1), Long.valueOf(row.group(2).replace(",", ""))));
        return scenarios;
    }

    /** The page without the counts, which change with every change of the simulator. */
    static String withoutCounts(String page) {
        return page.lines().map(line -> line.replaceAll("\\| [0-9,.]+ \\|$", "|")).collect(Collectors.joining("\n"));
    }
}
