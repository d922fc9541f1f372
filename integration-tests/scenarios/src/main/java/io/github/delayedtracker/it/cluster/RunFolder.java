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
import java.util.List;
import java.util.stream.Stream;

/**
 * The folders of runs. Of a run that kept every promise the verdict and what its clients have written down stay; what its servers
 * have stored and logged, some hundred megabytes, goes. As a program it adds up the verdicts of a folder of runs.
 */
final class RunFolder {

    static final String EVENTS = "events";
    static final String VERDICT = "verdict.txt";

    private RunFolder() {
    }

    /** Prints a line for each run of a folder, and what they add up to. */
    public static void main(String[] arguments) throws IOException {
        System.out.println(RunTable.of(Path.of(arguments[0])).text());
    }

    /** Deletes all of a run but its verdict and its events. */
    static void keepEvents(Path folder) throws IOException {
        for (Path part : parts(folder)) {
            if (!part.endsWith(EVENTS) && !part.endsWith(VERDICT)) {
                delete(part);
            }
        }
    }

    private static List<Path> parts(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }

    private static void delete(Path part) throws IOException {
        if (Files.isDirectory(part)) {
            for (Path inner : parts(part)) {
                delete(inner);
            }
        }
        Files.delete(part);
    }
}
