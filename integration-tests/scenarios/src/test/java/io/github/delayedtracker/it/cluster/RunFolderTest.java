/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.it.cluster.Verdict.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of a run, and what many runs add up to. */
class RunFolderTest {

    @TempDir
    private Path folder;

    private Path run(String name, String tracker, int seed, Verdict verdict) throws IOException {
        Path run = Files.createDirectories(folder.resolve(name));
        Files.writeString(run.resolve(RunFolder.VERDICT), new RunPlan(tracker, true, 200, 60, 60, 0,
                FaultPlan.of(seed, 2, List.of(FaultPlan.Kind.KILL_BROKER), 1)) + "\nfrom then to now\n" + verdict.text());
        return run;
    }

    private static Verdict kept(long faults, long sent) {
        return new Verdict(Map.of("faults", faults, "sent", sent, "unsure", 7L), List.of("3-UNLOAD_TOPIC-1-ANY"), Map.of());
    }

    @Test
    void theVerdictAndTheEventsOfARunStayAndItsServersGo() throws IOException {
        Path run = run("one", "bucket", 1, kept(2, 10));
        Files.writeString(Files.createDirectories(run.resolve(RunFolder.EVENTS)).resolve("faults.events"), "kept");
        Files.writeString(Files.createDirectories(run.resolve("bookie-0/disk/ledgers")).resolve("0.log"), "gone");
        RunFolder.keepEvents(run);
        try (Stream<Path> left = Files.list(run)) {
            assertEquals(List.of(RunFolder.EVENTS, RunFolder.VERDICT),
                    left.map(part -> part.getFileName().toString()).sorted().toList());
        }
        assertEquals("kept", Files.readString(run.resolve(RunFolder.EVENTS).resolve("faults.events")));
    }

    @Test
    void runsAddUpByTrackerAndThoseThatBrokeAPromiseAreNamed() throws IOException {
        run("one", "bucket", 1, kept(2, 10));
        run("two", "bucket", 2, kept(3, 20));
        run("three", "heap", 3, new Verdict(Map.of("faults", 1L, "sent", 5L), List.of(),
                Map.of(Promise.NOTHING_IS_LOST, new Verdict.Violation(1, List.of("message 8")))));
        Files.createDirectories(folder.resolve("under-way"));
        List<String> lines = RunTable.of(folder).text().lines().toList();
        assertEquals("| bucket | 2 | none | 5 | 30 | 0 | 0 | 0 | 0 |", lines.get(2));
        assertEquals("| heap | 1 | 3 (NOTHING_IS_LOST) | 1 | 5 | 0 | 0 | 0 | 0 |", lines.get(3));
        assertEquals(4, lines.size());
    }

    @Test
    void aVerdictThatNamesNoTrackerIsRefused() throws IOException {
        Path run = Files.createDirectories(folder.resolve("odd"));
        Files.writeString(run.resolve(RunFolder.VERDICT), "every promise was kept\n");
        assertTrue(assertThrows(IOException.class, () -> RunTable.of(folder)).getMessage().contains("odd"));
    }
}
