/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.DelayIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/CONTRIBUTING.md are pieces of files that the build compiles or runs. */
class ContributingPageTest {

    private static final int FEWEST_EXAMPLES = 7;
    private static final Pattern EXAMPLE = Pattern.compile("From `([\\w.]+)`:\n\n```\\w*\n(.*?)\n```", Pattern.DOTALL);
    private static final Pattern SERVICE = Pattern.compile("```services\n(.*?)\n```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)[^)]*\\)");

    private final Path page = DocsPage.projectRoot().resolve("docs/CONTRIBUTING.md");

    @Test
    void eachExampleIsAPieceOfTheFileItIsSaidToBeFrom() throws IOException {
        List<MatchResult> examples = EXAMPLE.matcher(Files.readString(page)).results().toList();
        assertTrue(examples.size() >= FEWEST_EXAMPLES, examples.size() + " examples");
        for (MatchResult example : examples) {
            String source = unindented(Files.readString(source(example.group(1))));
            assertTrue(source.contains(unindented(example.group(2))),
                    () -> "not in " + example.group(1) + ":\n" + example.group(2));
        }
    }

    @Test
    void theServicesLineMakesTheExampleABackendOfItsName(@TempDir Path folder) throws IOException {
        MatchResult line = SERVICE.matcher(Files.readString(page)).results().findFirst().orElseThrow();
        Backends backends = NamedBackends.load(folder, List.of(line.group(1)));
        DelayIndex index = backends.get("tree").newIndex();
        assertTrue(index.add(1_000, 1, 7));
        assertEquals(1, index.takeDue(1_000, 10, (ledgerId, entryId) -> assertEquals(7, entryId)));
    }

    @Test
    void whatThePageRefersToIsThere() throws IOException {
        LINK.matcher(Files.readString(page)).results().forEach(link ->
                assertTrue(Files.exists(page.resolveSibling(link.group(1))), () -> link.group(1) + " is missing"));
    }

    private static Path source(String name) throws IOException {
        for (Path module : modules()) {
            try (Stream<Path> files = Files.walk(module.resolve("src/test"))) {
                List<Path> found = files.filter(file -> file.endsWith(name)).toList();
                if (!found.isEmpty()) {
                    return found.get(0);
                }
            }
        }
        throw new AssertionError("no test source " + name);
    }

    private static List<Path> modules() throws IOException {
        try (Stream<Path> folders = Files.walk(DocsPage.projectRoot(), 2)) {
            return folders.filter(folder -> Files.isDirectory(folder.resolve("src/test"))).sorted().toList();
        }
    }

    private static String unindented(String lines) {
        return lines.lines().map(String::strip).reduce("", (above, line) -> above + "\n" + line);
    }
}
