/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator.bugs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Puts one bug at a time into the production code and has the simulator look for it. */
class BugCatalogueTest {

    private static final long FIRST_SEED = 1;
    private static final int MOST_SCENARIOS = 5_000;
    /** Negative seeds are scenarios of the backend that stores. */
    private static final long FIRST_STORED_SEED = -5_000;
    private static final int FEWEST_BUGS = 25;
    /** A bug may make a scenario endless; all scenarios together take a fraction of this on a busy machine. */
    private static final Duration LONGEST_HUNT = Duration.ofMinutes(20);
    private static final String LOGGERS = "io.github.delayedtracker";
    private static final Path MODULE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().normalize();
    private static final Path PROJECT = MODULE.getParent().getParent();
    private static final Path PAGE = PROJECT.resolve("docs/design/simulator-bugs.md");

    /** The page is written: each bug is looked for from the first scenario on. */
    private static final boolean WRITES = Boolean.getBoolean("simulator.bugs.write");

    /** Only the bugs whose names begin like this are looked for, from the first scenario on, and no page is compared. */
    private static final String ONLY = System.getProperty("simulator.bug", "");

    private static final List<Bug> BUGS = BugCatalogue.read();
    private static final SourceCompiler COMPILER = new SourceCompiler();
    private static Level levelBefore;

    @BeforeAll
    static void silenceTheLogOfWhatIsBroken() {
        levelBefore = LogManager.getLogger(LOGGERS).getLevel();
        Configurator.setLevel(LOGGERS, Level.OFF);
    }

    @AfterAll
    static void letTheLogSpeakAgain() {
        Configurator.setLevel(LOGGERS, levelBefore);
        COMPILER.close();
    }

    @Test
    void everyBugIsCaughtAndThePageTellsHow() throws Exception {
        List<BugPage.Row> rows = huntAll();
        if (!ONLY.isEmpty()) {
            assertFalse(rows.isEmpty(), "no bug whose name begins with " + ONLY);
            rows.forEach(row -> System.out.println(row.bug().id() + ": " + row.caughtBy() + " after " + row.scenarios() + ", "
                    + row.message()));
            assertEquals(List.of(), rows.stream().filter(row -> !row.isCaught()).map(row -> row.bug().id()).toList());
            return;
        }
        String page = BugPage.of(rows, FIRST_SEED, FIRST_STORED_SEED, MOST_SCENARIOS);
        Files.createDirectories(MODULE.resolve("target"));
        Files.writeString(MODULE.resolve("target/simulator-bugs.md"), page);
        if (WRITES) {
            Files.writeString(PAGE, page);
        }
        String missed = rows.stream().filter(row -> !row.isCaught())
                .map(row -> "\n" + row.bug().id() + " (" + row.bug().title() + "): " + row.message())
                .collect(Collectors.joining());
        assertEquals("", missed, "not caught");
        assertEquals(BugPage.withoutCounts(page), BugPage.withoutCounts(Files.readString(PAGE)),
                "docs/design/simulator-bugs.md is stale; it says itself how to write it anew");
    }

    @Test
    void theSourcesAsTheyAreBreakNoPromise() throws Exception {
        Map<String, String> sources = new TreeMap<>();
        BUGS.forEach(bug -> sources.put(bug.className(), bug.source()));
        Map<String, byte[]> classes = new HashMap<>();
        sources.forEach((className, source) -> classes.putAll(COMPILER.compile(className, text(source))));
        assertTrue(classes.size() >= sources.size(), "classes were compiled");
        assertEquals(List.of(), hunter(classes).apply(new long[] {FIRST_SEED, MOST_SCENARIOS, Hunt.SCENARIOS}));
    }

    @Test
    void thereAreEnoughBugs() {
        assertTrue(BUGS.size() >= FEWEST_BUGS, BUGS.size() + " bugs");
    }

    @Test
    void aBugWhoseTextIsNotThereExactlyOnceIsToldOf() {
        Bug bug = new Bug("b", "title", "S-01", "m/src/main/java/p/C.java", "x = 1;", "x = 2;", Bug.Where.MEMORY);
        assertEquals("int x = 2;", bug.into("int x = 1;"));
        assertEquals("p.C", bug.className());
        assertThrows(IllegalStateException.class, () -> bug.into("int y = 1;"));
        assertThrows(IllegalStateException.class, () -> bug.into("x = 1; x = 1;"));
    }

    private static List<BugPage.Row> huntAll() throws Exception {
        // A bug that fits no longer is told of before the hunt.
        BUGS.forEach(bug -> bug.into(text(bug.source())));
        Map<String, Long> caughtBefore = WRITES || !ONLY.isEmpty() ? Map.of() : BugPage.scenarios(Files.readString(PAGE));
        ExecutorService threads = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<BugPage.Row> rows = new ArrayList<>();
            for (Future<BugPage.Row> row : threads.invokeAll(BUGS.stream()
                    .filter(bug -> bug.id().startsWith(ONLY)).map(bug -> hunting(bug, caughtBefore.get(bug.id()))).toList())) {
                rows.add(row.get());
            }
            return rows;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Callable<BugPage.Row> hunting(Bug bug, Long caughtBefore) {
        return () -> {
            Map<String, byte[]> patched = COMPILER.compile(bug.className(), bug.into(text(bug.source())));
            if (caughtBefore != null && caughtBefore <= MOST_SCENARIOS) {
                BugPage.Row again = hunt(bug, patched, caughtBefore, 1);
                if (again.isCaught()) {
                    return again;
                }
            }
            return hunt(bug, patched, 1, MOST_SCENARIOS);
        };
    }

    /** Runs so many of the bug's scenarios, from that one on, counted from 1. */
    private static BugPage.Row hunt(Bug bug, Map<String, byte[]> patched, long from, int count) throws Exception {
        Function<long[], List<String>> hunter = hunter(patched);
        long firstSeed = bug.where() == Bug.Where.STORAGE ? FIRST_STORED_SEED : FIRST_SEED;
        long[] scenarios = {firstSeed + from - 1, count, kind(bug.where())};
        List<String> found;
        try {
            found = assertTimeoutPreemptively(LONGEST_HUNT, () -> hunter.apply(scenarios));
        } catch (AssertionError endless) {
            return new BugPage.Row(bug, null, "a scenario did not end: " + endless.getMessage(), 0);
        }
        return found.isEmpty() ? new BugPage.Row(bug, null, "nothing noticed", MOST_SCENARIOS)
                : new BugPage.Row(bug, found.get(0), found.get(1), Long.parseLong(found.get(2)) - firstSeed + 1);
    }

    private static int kind(Bug.Where where) {
        return switch (where) {
            case MEMORY, STORAGE -> Hunt.SCENARIOS;
            case SWEEP -> Hunt.SWEEP;
            case JOURNAL -> Hunt.JOURNAL;
        };
    }

    @SuppressWarnings("unchecked")
    private static Function<long[], List<String>> hunter(Map<String, byte[]> classes) throws ReflectiveOperationException {
        ClassLoader loader = new PatchedClasses(BugCatalogueTest.class.getClassLoader(), classes);
        return (Function<long[], List<String>>) loader.loadClass(Hunt.class.getName()).getConstructor().newInstance();
    }

    private static String text(String source) {
        try {
            return Files.readString(PROJECT.resolve(source));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
