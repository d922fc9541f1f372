/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A class that a page names in code letters is there, by its first word: a name of two humps at least. */
class DocNamesTest {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern NAMED = Pattern.compile("`([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)(?:[.(#][^`]*)?`");
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|enum|record)\\s+([A-Z]\\w*)");
    /** A test class of Pulsar that ours run by its name. */
    private static final Pattern UPSTREAM = Pattern.compile("\"org\\.apache\\.pulsar\\.[a-z.]+\\.([A-Z]\\w*Test)\"");
    /** Java's, Pulsar's, Prometheus', and promises that tests name by texts. */
    private static final Set<String> OF_OTHERS = Set.of("CompletionStage", "LongAdder", "MessageId", "OnlyOwnOrphansAreDeleted",
            "OrphansGoInTheEnd", "PrometheusRule", "ReentrantLock", "ServiceLoader", "VirtualMachineError");
    private static final List<String> SOURCES = List.of("tracker-core", "tracker-timebucket", "tracker-bucket", "benchmarks",
            "integration-tests");
    private static final int FEWEST_NAMES = 100;

    private final Path root = DocsPage.projectRoot();

    private static List<Path> files(Path folder, String end) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(end)).toList();
        }
    }

    private Set<String> declared() throws IOException {
        Set<String> declared = new TreeSet<>();
        for (String module : SOURCES) {
            for (Path file : files(root.resolve(module), ".java")) {
                String source = Files.readString(file);
                DECLARED.matcher(source).results().forEach(found -> declared.add(found.group(1)));
                UPSTREAM.matcher(source).results().forEach(found -> declared.add(found.group(1)));
            }
        }
        return declared;
    }

    @Test
    void eachClassThatAPageNamesIsThere() throws IOException {
        Set<String> declared = declared();
        Set<String> unknown = new TreeSet<>();
        int names = 0;
        for (Path page : files(root.resolve("docs"), ".md")) {
            Matcher named = NAMED.matcher(BLOCK.matcher(Files.readString(page)).replaceAll(""));
            while (named.find()) {
                names++;
                if (!declared.contains(named.group(1)) && !OF_OTHERS.contains(named.group(1))) {
                    unknown.add(root.relativize(page) + ": " + named.group(1));
                }
            }
        }
        assertEquals(Set.of(), unknown);
        assertTrue(names >= FEWEST_NAMES, names + " names");
    }
}
