/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.pulsar.broker.web.plugin.servlet.AdditionalServletDefinition;
import org.apache.pulsar.broker.web.plugin.servlet.AdditionalServletMetadata;
import org.apache.pulsar.broker.web.plugin.servlet.AdditionalServletUtils;
import org.apache.pulsar.broker.web.plugin.servlet.AdditionalServletWithClassLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The NAR as it is built: found and loaded by the broker's own code, and with nothing in it that is not its own. */
class NarIT {

    private static final Path NAR = Path.of(System.getProperty("delayed.nar"));

    @TempDir
    private Path directory;

    @Test
    void aBrokerFindsAndLoadsIt() throws Exception {
        Path nars = Files.createDirectory(directory.resolve("nars"));
        Files.copy(NAR, nars.resolve(NAR.getFileName()));
        String unpacked = directory.resolve("unpacked").toString();
        AdditionalServletMetadata found =
                AdditionalServletUtils.searchForServlets(nars.toString(), unpacked).servlets().get("delayed");
        AdditionalServletDefinition definition = found.getDefinition();
        assertEquals(DelayedServlets.class.getName(), definition.getAdditionalServletClass());
        try (AdditionalServletWithClassLoader loaded = AdditionalServletUtils.load(found, unpacked)) {
            assertEquals(DelayedServlets.BASE_PATH, loaded.getBasePath());
        }
    }

    @Test
    void itHoldsItsOwnClassesOnly() throws Exception {
        try (ZipFile nar = new ZipFile(NAR.toFile())) {
            List<String> names = nar.stream().map(ZipEntry::getName).toList();
            assertTrue(names.contains("META-INF/LICENSE") && names.contains("META-INF/NOTICE"), names.toString());
            assertTrue(names.contains("META-INF/bundled-dependencies/LICENSE"), names.toString());
            List<String> classes = names.stream().filter(name -> name.endsWith(".class")).toList();
            assertTrue(classes.size() > 10, classes.toString());
            assertEquals(List.of(), classes.stream()
                    .filter(name -> !name.matches("io/github/delayedtracker/http/[^/]+")).toList());
        }
    }
}
