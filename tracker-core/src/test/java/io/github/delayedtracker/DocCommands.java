/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The commands of README.md and docs/: lines of blocks, spans in a sentence, and lines of comments that begin with a program. All
 * lines of a block that says {@code bash}, {@code sh}, {@code shell} or {@code console} are commands. Line breaks and repeated
 * blanks of a command count as one blank.
 */
public final class DocCommands {

    private static final Set<String> SHELLS = Set.of("bash", "sh", "shell", "console");
    private static final Set<String> PROGRAMS = Set.of("apt-get", "bash", "bookkeeper", "cat", "cd", "cp", "curl", "docker",
            "export", "git", "grep", "helm", "java", "javac", "jcmd", "jq", "kubectl", "mkdir", "mv", "mvn", "promtool", "pulsar",
            "pulsar-admin", "pulsar-client", "pulsar-daemon", "pulsar-perf", "python3", "rm", "sed", "sh", "sha512sum", "sudo",
            "systemctl", "tar", "tee", "unzip", "wget");
    private static final Pattern FIRST_WORD = Pattern.compile("(?:\\$ +)?(?:[A-Z][A-Z0-9_]*=\\S* +)*(\\S+)(.*)", Pattern.DOTALL);
    private static final Pattern PATH = Pattern.compile("(?:\\.ci|bin|\\.|\\.\\.|/path/to/.+)/.+");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^[ >]*```([^\\n]*)\\n(.*?)^[ >]*```$");
    private static final Pattern SPAN = Pattern.compile("`([^`]+)`");
    private static final Pattern COMMENT = Pattern.compile("(?s)<!--(.*?)-->");
    private static final Pattern HERE_DOCUMENT = Pattern.compile("<<-?'?(\\w+)'?");

    private static final String REGISTER = "/doc-commands.txt";

    private DocCommands() {
    }

    /**
     * A command of doc-commands.txt.
     *
     * @param head the line that it is beneath
     */
    record Entry(String command, String head) {
    }

    /** The lines of doc-commands.txt. */
    static List<Entry> register() throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (var in = DocCommands.class.getResourceAsStream(REGISTER)) {
            String head = "";
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
                if (line.startsWith(" ")) {
                    entries.add(new Entry(line.strip(), head));
                } else {
                    head = line;
                }
            }
        }
        return entries;
    }

    /** The commands that a file has to run as written. */
    public static Set<String> runBy(String file) throws IOException {
        return register().stream().filter(entry -> entry.head().endsWith("/" + file)).map(Entry::command)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The pages that have each command, by its text. */
    static Map<String, Set<String>> all() {
        Path root = DocsPage.projectRoot();
        try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
            List<Path> pages = Stream.concat(Stream.of(root.resolve("README.md")),
                    files.filter(file -> file.toString().endsWith(".md"))).sorted().toList();
            Map<String, Set<String>> commands = new TreeMap<>();
            for (Path page : pages) {
                String name = root.relativize(page.normalize()).toString();
                for (String command : in(Files.readString(page))) {
                    commands.merge(command, Set.of(name), (some, more) ->
                            Stream.concat(some.stream(), more.stream()).collect(Collectors.toSet()));
                }
            }
            return commands;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The commands of a page of the project, in its order. */
    public static List<String> of(String page) throws IOException {
        return in(Files.readString(DocsPage.projectRoot().resolve(page)));
    }

    /** The commands of a text, blocks first. */
    static List<String> in(String page) {
        List<String> commands = new ArrayList<>();
        Matcher block = BLOCK.matcher(page);
        while (block.find()) {
            commands.addAll(inLines(block.group(2), SHELLS.contains(block.group(1).strip())));
        }
        String prose = block.replaceAll("");
        COMMENT.matcher(prose).results().forEach(comment -> commands.addAll(inLines(comment.group(1).strip(), false)));
        SPAN.matcher(COMMENT.matcher(prose).replaceAll("")).results().map(span -> oneLine(span.group(1)))
                .filter(span -> isCommand(span) && (span.indexOf(' ') > 0 || span.startsWith(".ci/"))).forEach(commands::add);
        return commands;
    }

    private static List<String> inLines(String lines, boolean eachLine) {
        List<String> commands = new ArrayList<>();
        Iterator<String> rest = lines.lines().map(String::strip).iterator();
        while (rest.hasNext()) {
            String line = rest.next();
            if (!line.isEmpty() && !line.startsWith("#") && (eachLine || isCommand(line))) {
                commands.add(whole(line, rest));
            }
        }
        return commands;
    }

    /** With the lines that go on where this one ends with a backslash, and those of a here-document. */
    private static String whole(String line, Iterator<String> rest) {
        StringBuilder command = new StringBuilder(line);
        while (command.charAt(command.length() - 1) == '\\' && rest.hasNext()) {
            command.setLength(command.length() - 1);
            command.append(rest.next());
        }
        Matcher document = HERE_DOCUMENT.matcher(command);
        Optional<String> end = document.find() ? Optional.of(document.group(1)) : Optional.empty();
        while (end.isPresent() && rest.hasNext() && !command.toString().endsWith(" " + end.get())) {
            command.append(' ').append(rest.next());
        }
        return oneLine(command.toString());
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    private static boolean isCommand(String text) {
        Matcher first = FIRST_WORD.matcher(text);
        return first.matches() && (PROGRAMS.contains(first.group(1)) || PATH.matcher(first.group(1)).matches());
    }
}
