/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.layers;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.delayedtracker.DocsPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The drawing of the packages in docs/how-it-works.md is made from the compiled classes, and the list of locks in
 * docs/architecture.md from the sources; {@code -Ddelayed.docs.write=true} writes them.
 */
class RoomsPageTest {

    private static final String ROOT = "io.github.delayedtracker";
    private static final String BUCKET = "bucket";
    private static final String[] SOURCES = {"tracker-core/src/main", "tracker-core/http/src/main", "tracker-core/admin/src/main",
        "tracker-timebucket/src/main", "tracker-bucket/src/main"};
    private static final Pattern LOCK = Pattern.compile("\\bsynchronized\\b|new (?:Stamped|Reentrant|Brief)Lock\\(");
    private static final Pattern DISPATCHERS_MONITOR = Pattern.compile("synchronized \\((?:dispatcher|monitor)\\)");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");

    /** The packages that the classes of each use. */
    private static Map<String, Set<String>> uses() {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass type : new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("-tests.jar")).importPackages(ROOT)) {
            Set<String> used = uses.computeIfAbsent(room(type), name -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream().map(Dependency::getTargetClass).map(JavaClass::getBaseComponentType)
                    .filter(target -> target.getPackageName().startsWith(ROOT)).map(RoomsPageTest::room)
                    .filter(Predicate.not(room(type)::equals)).forEach(used::add);
        }
        return uses;
    }

    private static String room(JavaClass type) {
        return type.getPackageName().equals(ROOT) ? "(root)" : type.getPackageName().substring(ROOT.length() + 1);
    }

    private static boolean leads(Map<String, Set<String>> uses, String from, String to) {
        return from.equals(to) || uses.get(from).stream().anyMatch(next -> leads(uses, next, to));
    }

    private static String id(String room) {
        return room.replaceAll("\\W", "_");
    }

    private static String node(String room) {
        return id(room) + "[\"" + room + "\"]\n";
    }

    @Test
    void theDrawingHasThePackagesAndTheirArrows() throws IOException {
        Map<String, Set<String>> uses = uses();
        StringBuilder drawing = new StringBuilder("```mermaid\nflowchart TD\n");
        uses.keySet().stream().filter(room -> !room.startsWith(BUCKET)).forEach(room ->
                drawing.append("    ").append(node(room)));
        drawing.append("    subgraph backend_bucket [the backend bucket]\n");
        uses.keySet().stream().filter(room -> room.startsWith(BUCKET)).forEach(room ->
                drawing.append("        ").append(node(room)));
        drawing.append("    end\n");
        uses.forEach((from, all) -> all.stream()
                .filter(to -> all.stream().noneMatch(other -> !other.equals(to) && leads(uses, other, to)))
                .forEach(to -> drawing.append("    ").append(id(from)).append(" --> ").append(id(to)).append('\n')));
        DocsPage.checkPart("how-it-works.md", "packages", drawing.append("```\n").toString());
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String folder : SOURCES) {
            try (Stream<Path> files = Files.walk(Path.of("..", "..").resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }

    private static String names(Pattern part) throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path file : sources()) {
            if (part.matcher(COMMENT.matcher(Files.readString(file)).replaceAll("")).find()) {
                names.add("`" + file.getFileName().toString().replace(".java", "") + "`");
            }
        }
        List<String> lines = new ArrayList<>();
        for (String name : names) {
            int last = lines.size() - 1;
            if (last < 0 || lines.get(last).length() + name.length() > 120) {
                lines.add(name);
            } else {
                lines.set(last, lines.get(last) + ", " + name);
            }
        }
        return lines.stream().collect(Collectors.joining(",\n", "", ".\n"));
    }

    @Test
    void theListHasEachClassWithALock() throws IOException {
        DocsPage.checkPart("architecture.md", "locks", "Classes with a lock or a monitor of their own, or that take another's:\n"
                + names(LOCK) + "\nOf these take the dispatcher's monitor:\n" + names(DISPATCHERS_MONITOR));
    }
}
