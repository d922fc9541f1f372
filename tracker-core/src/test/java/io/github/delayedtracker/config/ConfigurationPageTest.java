/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.DocsPage;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {

    @Test
    void thePageInDocsIsTheOneMadeFromTheDeclarations() throws IOException {
        DocsPage.check("configuration.md", page -> ConfigurationPage.render());
    }

    @Test
    void everyKeyHasOneRowWithItsSevenCells() {
        for (Setting<?> setting : Settings.all()) {
            assertEquals(1, ConfigurationPage.render().lines()
                    .filter(line -> line.startsWith("| `" + setting.key() + "` |"))
                    .filter(line -> line.chars().filter(c -> c == '|').count() == 8).count(), setting.key());
        }
    }
}
