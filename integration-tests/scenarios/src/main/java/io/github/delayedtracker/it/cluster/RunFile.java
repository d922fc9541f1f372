/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A file of events that is only appended to: a line is with the system before {@link #add} returns. Thread safe. */
final class RunFile implements AutoCloseable {

    private static final String END = ".events";

    private final BufferedWriter writer;

    RunFile(Path folder, String name) throws IOException {
        writer = Files.newBufferedWriter(Files.createDirectories(folder).resolve(name + END), StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** Adds an event of now that is of no message. */
    void add(RunEvent.Kind kind, String text, long number) {
        add(kind, 0, "", text, number);
    }

    /** Adds an event of now. */
    void add(RunEvent.Kind kind, long message, String position, String text, long number) {
        // Its time is taken with the lock held, so that a file is in the order of time.
        synchronized (writer) {
            try {
                writer.write(new RunEvent(kind, System.currentTimeMillis(), message, position, text, number).line());
                writer.write('\n');
                writer.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The events of all files of a folder, none if there is no folder; a last line that was cut short is left out. */
    static List<RunEvent> all(Path folder) throws IOException {
        List<RunEvent> events = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return events;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(END)).toList()) {
                String text = Files.readString(file);
                text.substring(0, text.lastIndexOf('\n') + 1).lines().map(RunEvent::of).forEach(events::add);
            }
        }
        return events;
    }

    @Override
    public void close() throws IOException {
        synchronized (writer) {
            writer.close();
        }
    }
}
