/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.pulsar.admin.cli.extensions.CustomCommandFactory;
import org.apache.pulsar.common.nar.NarClassLoader;
import org.apache.pulsar.common.nar.NarClassLoaderBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The NAR as it is built: loaded by the loader that the tool uses, and with nothing in it that is not its own. */
class AdminNarIT {

    private static final Path NAR = Path.of(System.getProperty("delayed.nar"));

    @TempDir
    private Path directory;

    @Test
    void theToolFindsTheFactory() throws Exception {
        try (NarClassLoader loader = NarClassLoaderBuilder.builder().narFile(NAR.toFile())
                .parentClassLoader(CustomCommandFactory.class.getClassLoader())
                .extractionDirectory(directory.toString()).build()) {
            String definition = loader.getServiceDefinition("command_factory.yml");
            assertTrue(definition.contains("name: delayed"), definition);
            assertTrue(definition.contains("factoryClass: " + DelayedCommandFactory.class.getName()), definition);
            Object factory = loader.loadClass(DelayedCommandFactory.class.getName()).getDeclaredConstructor().newInstance();
            assertEquals("delayed", ((CustomCommandFactory) factory).commandGroups(null).get(0).name());
        }
    }

    @Test
    void itHoldsItsOwnClassesOnly() throws Exception {
        try (ZipFile nar = new ZipFile(NAR.toFile())) {
            List<String> names = nar.stream().map(ZipEntry::getName).toList();
            assertTrue(names.contains("META-INF/bundled-dependencies/LICENSE"), names.toString());
            List<String> classes = names.stream().filter(name -> name.endsWith(".class")).toList();
            assertTrue(classes.size() > 5, classes.toString());
            assertEquals(List.of(), classes.stream()
                    .filter(name -> !name.matches("io/github/delayedtracker/admin/[^/]+")).toList());
        }
    }
}
