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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each command of README.md and docs/ is in doc-commands.txt: beneath the file that runs it, or the reason why nothing does. */
class DocCommandsTest {

    private static final String REGISTER = "doc-commands.txt";
    private static final String RUN = "run by ";
    private static final String NOT_RUN = "not run: ";
    private static final int SHORTEST_REASON = 20;
    private static final int FEWEST_COMMANDS = 100;

    private final Map<String, String> heads = new LinkedHashMap<>();
    private final List<String> wrong = new ArrayList<>();

    @BeforeEach
    void readTheRegister() throws IOException {
        for (DocCommands.Entry entry : DocCommands.register()) {
            if (heads.put(entry.command(), entry.head()) != null) {
                wrong.add("twice: " + entry.command());
            }
        }
    }

    /** The commands of the pages that the register lacks, and those of the register that no page has. */
    private static Set<String> differences(Set<String> ofThePages, Set<String> ofTheRegister) {
        Set<String> differences = new TreeSet<>();
        ofThePages.stream().filter(command -> !ofTheRegister.contains(command)).forEach(command ->
                differences.add("not in " + REGISTER + ": " + command));
        ofTheRegister.stream().filter(command -> !ofThePages.contains(command)).forEach(command ->
                differences.add("on no page: " + command));
        return differences;
    }

    @Test
    void eachCommandIsInTheRegisterOnce() {
        Set<String> commands = DocCommands.all().keySet();
        assertTrue(commands.size() >= FEWEST_COMMANDS, commands.size() + " commands");
        assertEquals(Set.of(), differences(commands, heads.keySet()));
        assertEquals(List.of(), wrong);
    }

    @Test
    void whatRunsACommandIsThereAndNamesItOrItsPage() throws IOException {
        Map<String, Set<String>> pages = DocCommands.all();
        for (Map.Entry<String, String> entry : heads.entrySet()) {
            String head = entry.getValue();
            if (head.startsWith(RUN)) {
                Path file = DocsPage.projectRoot().resolve(head.substring(RUN.length()));
                Set<String> named = new TreeSet<>(pages.getOrDefault(entry.getKey(), Set.of()));
                named.addAll(Set.of(entry.getKey(), REGISTER));
                String text = Files.exists(file) ? Files.readString(file) : "";
                if (named.stream().noneMatch(text::contains)) {
                    wrong.add(file + " has neither the command nor its page: " + entry.getKey());
                }
            } else if (!head.startsWith(NOT_RUN) || head.length() < NOT_RUN.length() + SHORTEST_REASON) {
                wrong.add("neither a file nor a reason: " + head);
            }
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void aCommandThatIsAddedToAPageIsFound() {
        String page = """
                Run `mvn -B
                verify`, see `bin/pulsar`, `pulsar-admin`, and `.ci/run`; `delayed list` is a part of one.

                ```bash
                # A comment.
                frobnicate all
                ```

                ```
                DRY_RUN=1 sh install.sh /path/to/pulsar
                java -jar a.jar \\
                    -m 1
                scenarios 5, violations 0
                tee -a /path/to/pulsar/conf/broker.conf <<'EOF'
                key=value
                EOF
                $ /path/to/pulsar/bin/pulsar-admin topics list a/b
                ```
                <!-- Made by:
                     mvn -B test -->
                """;
        List<String> commands = List.of("frobnicate all", "DRY_RUN=1 sh install.sh /path/to/pulsar", "java -jar a.jar -m 1",
                "tee -a /path/to/pulsar/conf/broker.conf <<'EOF' key=value EOF",
                "$ /path/to/pulsar/bin/pulsar-admin topics list a/b", "mvn -B test", "mvn -B verify", ".ci/run");
        assertEquals(commands, DocCommands.in(page));
        assertEquals(Set.of("not in doc-commands.txt: frobnicate all", "on no page: gone"),
                differences(Set.of("frobnicate all", "mvn -B verify"), Set.of("mvn -B verify", "gone")));
    }
}
