/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Commands of the system that end by themselves, or are ended. */
final class Shell {

    /** A mount waits for a busy disk; no command that is given here takes longer by itself. */
    private static final long MOST_SECONDS = 60;

    private Shell() {
    }

    /**
     * Runs a command to its end.
     *
     * @throws IOException if there is no such command, it ends with another code than 0, or does not end within a minute; with
     *     what it has printed
     */
    static void run(String... command) throws IOException, InterruptedException {
        runWithin(MOST_SECONDS, command);
    }

    /** The same with another time, in seconds. */
    static void runWithin(long seconds, String... command) throws IOException, InterruptedException {
        // A file: reading from the command itself would last as long as it does.
        Path printed = Files.createTempFile("command", ".log");
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed.toFile()).start();
            String name = String.join(" ", command);
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new IOException(name + " has not ended within " + seconds + " s: " + Files.readString(printed).strip());
            }
            if (process.exitValue() != 0) {
                throw new IOException(name + " has ended with " + process.exitValue() + ": " + Files.readString(printed).strip());
            }
        } finally {
            Files.delete(printed);
        }
    }
}
