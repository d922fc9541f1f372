/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.delayedtracker.upstream.Outcome.How;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The tests that Pulsar publishes for its broker's delayed delivery, each of them a test here, and the page that lists them. */
class UpstreamTest {

    /** They wait for due times most of the time. */
    private static final int AT_A_TIME = 6;

    @TestFactory
    Stream<DynamicTest> upstreamsTestsPassWithThePlugin() throws Exception {
        assumeTrue(System.getProperty(FurtherTest.WANTED) == null, "further classes are asked for");
        List<NotApplicable> notApplicable = NotApplicable.all();
        List<Outcome> outcomes = run(notApplicable);
        Stream<DynamicTest> tests = outcomes.stream().filter(each -> each.how() != How.RETRIED)
                .map(each -> DynamicTest.dynamicTest(each.title(), () -> check(each, notApplicable)));
        return Stream.concat(tests, Stream.of(
                DynamicTest.dynamicTest("docs/compatibility.md says what became of them", () ->
                        checkPage(CompatibilityPage.render(outcomes, notApplicable) + FurtherPage.render(FurtherRow.all()))),
                DynamicTest.dynamicTest("what is said not to apply is a test of upstream's", () ->
                        notApplicable.forEach(each -> assertTrue(outcomes.stream().anyMatch(outcome ->
                                outcome.how() == How.LEFT_OUT && isOf(outcome, each)), each::test)))));
    }

    private static List<Outcome> run(List<NotApplicable> notApplicable) throws Exception {
        ExecutorService forks = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Future<List<Outcome>>> runs = new ArrayList<>();
            for (Combination combination : Combination.usual()) {
                runs.add(forks.submit(() -> new Fork(combination, notApplicable).run().outcomes()));
            }
            List<List<Outcome>> ended = new ArrayList<>();
            for (Future<List<Outcome>> run : runs) {
                ended.add(run.get());
            }
            List<Outcome> outcomes = new ArrayList<>();
            for (List<Outcome> each : ended) {
                outcomes.addAll(Outcome.isAnyFailed(each) ? runAlone(each, notApplicable) : each);
            }
            outcomes.stream().filter(each -> each.how() == How.RETRIED)
                    .forEach(each -> System.out.println("tried again: " + each.title() + ": " + each.failure()));
            return outcomes;
        } finally {
            // Ends the JVMs that are running still.
            forks.shutdownNow();
        }
    }

    /**
     * A test of many messages that are due in seconds fails where they take longer to send, and leaves a thread behind that slows
     * down each other try in its JVM: what has failed is run again in a new one, with no other beside it.
     */
    private static List<Outcome> runAlone(List<Outcome> failed, List<NotApplicable> notApplicable) throws Exception {
        failed.stream().filter(each -> each.how() == How.FAILED)
                .forEach(each -> System.out.println("run again alone: " + each.title() + ": " + each.failure()));
        return new Fork(failed.get(0).in(), notApplicable).run().outcomes();
    }

    private static void check(Outcome outcome, List<NotApplicable> notApplicable) {
        if (outcome.how() == How.LEFT_OUT) {
            abort(notApplicable.stream().filter(each -> isOf(outcome, each)).findAny().orElseThrow().reason());
        }
        if (outcome.how() == How.FAILED) {
            fail(outcome.title() + ": " + outcome.failure());
        }
    }

    private static boolean isOf(Outcome outcome, NotApplicable each) {
        return each.is(outcome.in().backend()) && each.test().equals(outcome.suite().simpleName() + "#" + outcome.test());
    }

    private static void checkPage(String page) throws IOException {
        Path file = CompatibilityPage.FILE;
        if (Boolean.getBoolean("delayed.docs.write")) {
            Files.writeString(file, page);
        }
        assertTrue(Files.exists(file), () -> file + " is missing; make it with -Ddelayed.docs.write=true");
        assertEquals(page, Files.readString(file),
                () -> file + " is not up to date; make it again with -Ddelayed.docs.write=true");
    }
}
