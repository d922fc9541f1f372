/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.it.cluster.RunEvent.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was written is read again from all files of a run, but for a line that was cut short. */
class RunFileTest {

    @TempDir
    Path folder;

    @Test
    void eventsOfAllFilesAreRead() throws Exception {
        try (RunFile sends = new RunFile(folder, "sends"); RunFile receives = new RunFile(folder, "receives")) {
            sends.add(Kind.SENDING, 1, "", "key", 5_000);
            receives.add(Kind.RECEIVED, 1, "7:8", "consumer", 0);
        }
        List<RunEvent> events = RunFile.all(folder);
        assertEquals(2, events.size());
        assertEquals("key", events.stream().filter(event -> event.kind() == Kind.SENDING).findFirst().orElseThrow().text());
    }

    @Test
    void aRunThatHasWrittenNothingHasNoEvents() throws Exception {
        assertEquals(List.of(), RunFile.all(folder.resolve("none")));
    }

    @Test
    void aFileIsAppendedToAndALineCutShortIsLeftOut() throws Exception {
        for (int i = 0; i < 2; i++) {
            try (RunFile file = new RunFile(folder, "sends")) {
                file.add(Kind.SENT, i, "7:8", "", 0);
            }
        }
        try (Stream<Path> files = Files.list(folder)) {
            Files.writeString(files.findFirst().orElseThrow(), "sent\t17", StandardOpenOption.APPEND);
        }
        assertEquals(List.of(0L, 1L), RunFile.all(folder).stream().map(RunEvent::message).toList());
    }
}
