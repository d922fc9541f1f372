/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.delayedtracker.upstream.Combination.Backend;
import io.github.delayedtracker.upstream.Outcome.How;
import java.io.IOException;
import java.nio.file.Files;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Those of the further classes that are asked for, each of their tests a test here. */
class FurtherTest {

    /** An expression of those that are wanted; see {@link Combination#further}. */
    static final String WANTED = "upstream.further";

    private static final int AT_A_TIME = Integer.getInteger("upstream.atATime", 2);

    @TestFactory
    Stream<DynamicTest> upstreamsFurtherTestsPassWithThePlugin() throws Exception {
        String wanted = System.getProperty(WANTED);
        assumeTrue(wanted != null, "no further classes are asked for");
        List<Combination> combinations = Combination.further(Pattern.compile(wanted));
        assertTrue(!combinations.isEmpty(), () -> "no class is named like " + wanted);
        return run(combinations).entrySet().stream().flatMap(ended -> tests(ended.getKey(), ended.getValue()));
    }

    private static Stream<DynamicTest> tests(Combination combination, Fork.Ended ended) {
        return Stream.concat(ended.outcomes().stream().filter(each -> each.how() != How.RETRIED)
                        .map(each -> DynamicTest.dynamicTest(each.title(), () -> check(each))),
                Stream.of(DynamicTest.dynamicTest(combination.title() + " offers messages to trackers",
                        () -> assertTrue(ended.messages() > 0 || !combination.suites().get(0).hasMessages(),
                                () -> combination.title() + " offered none"))));
    }

    private static void check(Outcome outcome) {
        switch (outcome.how()) {
            case FAILED -> fail(outcome.title() + ": " + outcome.failure());
            case FAILED_WITH_STOCK -> abort("fails with the stock tracker as well: " + outcome.failure());
            case SKIPPED -> abort("skips itself: " + outcome.failure());
            case LEFT_OUT -> abort("does not apply");
            default -> { }
        }
    }

    private static Map<Combination, Fork.Ended> run(List<Combination> combinations) throws Exception {
        List<NotApplicable> notApplicable = NotApplicable.all();
        ExecutorService forks = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            Map<Combination, Future<Fork.Ended>> runs = new LinkedHashMap<>();
            combinations.forEach(each -> runs.put(each, forks.submit(() -> write(each, run(each, notApplicable)))));
            Map<Combination, Fork.Ended> ended = new LinkedHashMap<>();
            for (Map.Entry<Combination, Future<Fork.Ended>> run : runs.entrySet()) {
                ended.put(run.getKey(), run.getValue().get());
            }
            return ended;
        } finally {
            // Ends the JVMs that are running still.
            forks.shutdownNow();
        }
    }

    /** What fails is tried once more by itself, and what fails then is tried with the stock tracker. */
    private static Fork.Ended run(Combination combination, List<NotApplicable> notApplicable) throws Exception {
        Fork.Ended whole = new Fork(combination, notApplicable).run();
        if (!Outcome.isAnyFailed(whole.outcomes())) {
            return whole;
        }
        List<Outcome> mended = again(combination, whole.outcomes(), notApplicable);
        if (Outcome.isAnyFailed(mended) && combination.backend() != Backend.STOCK) {
            Set<String> failing = again(combination.withStock(), mended, notApplicable).stream()
                    .filter(each -> each.how() == How.FAILED).map(Outcome::test).collect(Collectors.toSet());
            mended.replaceAll(each -> each.how() == How.FAILED && failing.contains(each.test()) ? each.asWithStock() : each);
        }
        return new Fork.Ended(mended, whole.messages(), whole.trackers());
    }

    /** The outcomes, with those of the methods that had failed as they are in a run of these alone. */
    private static List<Outcome> again(Combination combination, List<Outcome> outcomes, List<NotApplicable> notApplicable)
            throws Exception {
        List<Outcome> failed = outcomes.stream().filter(each -> each.how() == How.FAILED).toList();
        failed.forEach(each -> System.out.println("run again: " + each.title() + ": " + each.failure()));
        Set<String> methods = failed.stream().map(Outcome::method).collect(Collectors.toSet());
        // Where it is not a test that has failed there is no telling which do.
        boolean isWhole = methods.stream().anyMatch(method -> !method.matches("\\w+"));
        List<String> wanted = isWhole ? List.of(".*") : List.copyOf(methods);
        List<Outcome> mended = new ArrayList<>(new Fork(combination, notApplicable, wanted).run().outcomes());
        outcomes.stream().filter(each -> !isWhole && !methods.contains(each.method())).forEach(mended::add);
        return mended;
    }

    private static synchronized Fork.Ended write(Combination combination, Fork.Ended ended) throws IOException {
        FurtherRow row = FurtherRow.of(combination, ended, LocalDate.now(ZoneOffset.UTC).toString());
        System.out.println(row);
        if (Boolean.getBoolean("delayed.docs.write")) {
            FurtherRow.put(row);
            String page = Files.readString(CompatibilityPage.FILE);
            int usual = page.indexOf(FurtherPage.TITLE);
            Files.writeString(CompatibilityPage.FILE, page.substring(0, usual < 0 ? page.length() : usual)
                    + FurtherPage.render(FurtherRow.all()));
        }
        return ended;
    }
}
