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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links of README and docs lead to files that are there, and to headings in them; each page is reached from docs/README.md. */
class DocLinksTest {

    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *$");
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$|`[^`\n]*`");
    private static final int FEWEST_PAGES = 25;

    private final Path root = DocsPage.projectRoot();
    private final Map<Path, String> pages = pages();

    private Map<Path, String> pages() {
        try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
            return Stream.concat(Stream.of(root.resolve("README.md")), files.filter(file -> file.toString().endsWith(".md")))
                    .map(Path::normalize).collect(Collectors.toMap(Function.identity(), DocLinksTest::read));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The anchor that a heading gets on the page. */
    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
    }

    private static Set<String> anchors(String page) {
        return HEADING.matcher(page).results().map(heading -> anchor(heading.group(1))).collect(Collectors.toSet());
    }

    @Test
    void eachLinkLeadsToAPlaceThatIsThere() {
        assertTrue(pages.size() >= FEWEST_PAGES, pages.size() + " pages");
        List<String> broken = new ArrayList<>();
        pages.forEach((page, text) -> {
            Matcher link = LINK.matcher(CODE.matcher(text).replaceAll(""));
            while (link.find()) {
                Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1)).normalize();
                boolean external = link.group(1).contains(":");
                boolean leads = external || Files.exists(target)
                        && (link.group(2) == null || anchors(pages.getOrDefault(target, "")).contains(link.group(2)));
                if (!leads) {
                    broken.add(root.relativize(page) + " -> " + link.group());
                }
            }
        });
        assertEquals(List.of(), broken);
    }

    @Test
    void eachPageIsReachedFromTheFirst() {
        Set<Path> reached = new TreeSet<>();
        List<Path> ahead = new ArrayList<>(List.of(root.resolve("docs/README.md").normalize()));
        while (!ahead.isEmpty()) {
            Path page = ahead.remove(0);
            if (pages.containsKey(page) && reached.add(page)) {
                LINK.matcher(pages.get(page)).results().filter(link -> !link.group(1).isEmpty() && !link.group(1).contains(":"))
                        .forEach(link -> ahead.add(page.resolveSibling(link.group(1)).normalize()));
            }
        }
        Set<Path> unreached = new TreeSet<>(pages.keySet());
        unreached.removeAll(reached);
        unreached.remove(root.resolve("README.md").normalize());
        assertEquals(Set.of(), unreached);
    }
}
