/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.layers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A4: the table of layers in docs/architecture.md has each package, and no class that is not there. */
class LayersPageTest {

    private static final String ROOT = "io.github.delayedtracker";
    private static final String WITHOUT_PACKAGE = "(root)";
    private static final int NAMES_FROM = 17;
    private static final int NAMES_TO = 51;

    private static final Set<JavaClass> CLASSES = Set.copyOf(new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages(ROOT));

    private static Set<String> lines() throws IOException {
        String page = Files.readString(Path.of("../../docs/architecture.md"));
        String table = page.substring(page.indexOf("```\n") + 4);
        return table.substring(0, table.indexOf("\n```")).lines().collect(Collectors.toSet());
    }

    @Test
    void everyPackageIsInTheTable() throws IOException {
        Set<String> told = new TreeSet<>();
        for (String line : lines()) {
            told.addAll(Arrays.asList(line.substring(0, NAMES_FROM).trim().split(" ")));
        }
        Set<String> packages = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            String name = type.getPackageName();
            packages.add(name.equals(ROOT) ? WITHOUT_PACKAGE : name.substring(ROOT.length() + 1));
        }
        assertEquals(packages, told);
    }

    @Test
    void everyClassInTheTableIsThere() throws IOException {
        Set<String> classes = CLASSES.stream().map(JavaClass::getSimpleName).collect(Collectors.toSet());
        Set<String> unknown = new TreeSet<>();
        for (String line : lines()) {
            if (line.startsWith(WITHOUT_PACKAGE)) {
                continue;
            }
            for (String name : line.substring(NAMES_FROM, Math.min(line.length(), NAMES_TO)).split("[ ,.]+")) {
                if (!name.isEmpty() && Character.isUpperCase(name.charAt(0)) && !classes.contains(name)) {
                    unknown.add(name);
                }
            }
        }
        assertEquals(Set.of(), unknown);
    }
}
