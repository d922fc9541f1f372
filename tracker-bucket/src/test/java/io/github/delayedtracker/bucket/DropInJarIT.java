/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The jar an operator copies: what is in it, and what is not. */
class DropInJarIT {

    private static final Path JAR = Path.of(System.getProperty("delayed.jar"));
    private static final String SHADED = "io/github/delayedtracker/shaded/";

    private static List<String> entries() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            return jar.stream().map(e -> e.getName()).filter(n -> !n.endsWith("/")).toList();
        }
    }

    @Test
    void itHoldsOurClassesAndRelocatedLibrariesOnly() throws IOException {
        for (String entry : entries()) {
            if (entry.endsWith(".class")) {
                assertTrue(entry.startsWith("io/github/delayedtracker/"), "a class that a broker may have too: " + entry);
            }
        }
        assertTrue(entries().stream().anyMatch(e -> e.startsWith(SHADED + "fastutil/")));
        assertTrue(entries().stream().anyMatch(e -> e.startsWith(SHADED + "roaringbitmap/")));
    }

    @Test
    void everyBackendIsRegistered() throws IOException {
        Set<String> providers = new TreeSet<>();
        try (JarFile jar = new JarFile(JAR.toFile())) {
            try (InputStream in = jar.getInputStream(
                    jar.getEntry("META-INF/services/io.github.delayedtracker.index.DelayIndexProvider"))) {
                new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().map(String::trim)
                        .filter(line -> !line.isEmpty()).forEach(providers::add);
            }
            for (String provider : providers) {
                assertNotNull(jar.getEntry(provider.replace('.', '/') + ".class"), provider + " is named but missing");
            }
        }
        assertEquals(3, providers.size(), providers.toString());
    }

    private static String text(JarFile jar, String entry) throws IOException {
        assertNotNull(jar.getEntry(entry), entry);
        try (InputStream in = jar.getInputStream(jar.getEntry(entry))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void licenceAndNoticeNameEveryLibraryInIt() throws IOException {
        Set<String> libraries = new TreeSet<>();
        for (String entry : entries()) {
            if (entry.startsWith(SHADED)) {
                libraries.add(entry.substring(SHADED.length(), entry.indexOf('/', SHADED.length())));
            }
        }
        try (JarFile jar = new JarFile(JAR.toFile())) {
            String licence = text(jar, "META-INF/LICENSE");
            String notice = text(jar, "META-INF/NOTICE");
            for (String library : libraries) {
                assertTrue(licence.toLowerCase(Locale.ROOT).contains(":" + library + ")"), "META-INF/LICENSE without " + library);
                assertTrue(notice.toLowerCase(Locale.ROOT).contains("- " + library), "META-INF/NOTICE without " + library);
            }
            Path own = JAR.resolve("../../../LICENSE").normalize();
            assertTrue(licence.startsWith(Files.readString(own)), "META-INF/LICENSE does not begin with " + own);
        }
    }

    @Test
    void itIsSmallAndCarriesAVersion() throws IOException {
        assertTrue(Files.size(JAR) < 3_000_000, Files.size(JAR) + " bytes");
        try (JarFile jar = new JarFile(JAR.toFile())) {
            long libraryBytes = jar.stream().filter(entry -> entry.getName().contains("/shaded/"))
                    .mapToLong(JarEntry::getCompressedSize).sum();
            assertTrue(libraryBytes < 1_700_000, libraryBytes + " bytes of libraries");
            String version = jar.getManifest().getMainAttributes().getValue("Implementation-Version");
            assertNotNull(version);
            assertFalse(version.isBlank());
        }
    }
}
