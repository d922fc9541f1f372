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
import java.util.function.UnaryOperator;

/** Compares a page of docs/ with what is made from declarations, after writing it if {@code delayed.docs.write} is set. */
public final class DocsPage {

    private DocsPage() {
    }

    /**
     * Fails if the page is not the one that is made.
     *
     * @param made from the page as it is, the page as it is to be
     */
    public static void check(String name, UnaryOperator<String> made) throws IOException {
        Path page = projectRoot().resolve("docs").resolve(name);
        assertTrue(Files.exists(page), () -> page + " is missing");
        if (Boolean.getBoolean("delayed.docs.write")) {
            Files.writeString(page, made.apply(Files.readString(page)));
        }
        String found = Files.readString(page);
        assertEquals(made.apply(found), found, () -> page + " is not up to date; make it again with -Ddelayed.docs.write=true");
    }

    /**
     * Fails if a part of a page, from one comment to the next, is not the one that is made.
     *
     * @param part the name that the first comment begins with
     */
    public static void checkPart(String name, String part, String made) throws IOException {
        check(name, page -> {
            int begin = page.indexOf("\n", page.indexOf("<!-- " + part + ": "));
            int end = page.indexOf("<!-- end of " + part + " -->");
            assertTrue(page.contains("<!-- " + part + ": ") && end > begin, () -> name + " has no comments around " + part);
            return page.substring(0, begin + 1) + made + page.substring(end);
        });
    }

    static Path projectRoot() {
        String root = System.getProperty("maven.multiModuleProjectDirectory");
        if (root != null) {
            return Path.of(root);
        }
        for (Path path = Path.of("").toAbsolutePath(); path != null; path = path.getParent()) {
            if (Files.exists(path.resolve("LICENSE"))) {
                return path;
            }
        }
        throw new IllegalStateException("no LICENSE in any folder above " + Path.of("").toAbsolutePath());
    }
}
