/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator.bugs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** Reads {@code bugs.txt}; the format is told at its top. */
final class BugCatalogue {

    private static final String RESOURCE = "bugs.txt";

    private BugCatalogue() {
    }

    /** All bugs in their order. */
    static List<Bug> read() {
        try (InputStream in = BugCatalogue.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + RESOURCE + " beside " + BugCatalogue.class.getName());
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Bug> parse(String text) {
        Map<String, Bug> bugs = new LinkedHashMap<>();
        List<String> block = new ArrayList<>();
        for (String line : (text + "\nbug end").split("\n", -1)) {
            if (line.startsWith("bug ")) {
                if (!block.isEmpty()) {
                    Bug bug = bug(block);
                    if (bugs.put(bug.id(), bug) != null) {
                        throw new IllegalArgumentException("two bugs are called " + bug.id());
                    }
                }
                block.clear();
                block.add(line);
            } else if (!block.isEmpty()) {
                block.add(line);
            }
        }
        return List.copyOf(bugs.values());
    }

    private static Bug bug(List<String> block) {
        Map<String, String> words = new LinkedHashMap<>();
        StringJoiner right = new StringJoiner("\n");
        StringJoiner wrong = new StringJoiner("\n");
        for (String line : block) {
            if (line.startsWith("-")) {
                right.add(line.substring(1));
            } else if (line.startsWith("+")) {
                wrong.add(line.substring(1));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                String[] sides = line.split(" ", 2);
                if (sides.length < 2 || words.put(sides[0], sides[1].trim()) != null) {
                    throw new IllegalArgumentException("not a line of a bug: " + line);
                }
            }
        }
        return new Bug(word(words, "bug"), word(words, "title"), word(words, "like"), word(words, "in"), right.toString(),
                wrong.toString(), where(words.getOrDefault("with", "")));
    }

    private static Bug.Where where(String with) {
        return with.isEmpty() ? Bug.Where.MEMORY : Bug.Where.valueOf(with.toUpperCase(Locale.ROOT));
    }

    private static String word(Map<String, String> words, String key) {
        String value = words.get(key);
        if (value == null) {
            throw new IllegalArgumentException("a bug has no line '" + key + "': " + words);
        }
        return value;
    }
}
