/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {

    @Test
    void thePageInDocsIsTheOneMadeFromTheDeclarations() throws IOException {
        Path page = projectRoot().resolve("docs").resolve("configuration.md");
        if (Boolean.getBoolean("delayed.docs.write")) {
            Files.createDirectories(page.getParent());
            Files.writeString(page, ConfigurationPage.render());
        }
        assertTrue(Files.exists(page), () -> page + " is missing; make it with -Ddelayed.docs.write=true");
        assertEquals(ConfigurationPage.render(), Files.readString(page),
                () -> page + " is not up to date; make it again with -Ddelayed.docs.write=true");
    }

    @Test
    void everyKeyHasOneRowWithItsSevenCells() {
        for (Setting<?> setting : Settings.all()) {
            assertEquals(1, ConfigurationPage.render().lines()
                    .filter(line -> line.startsWith("| `" + setting.key() + "` |"))
                    .filter(line -> line.chars().filter(c -> c == '|').count() == 8).count(), setting.key());
        }
    }

    private static Path projectRoot() {
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
