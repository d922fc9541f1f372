/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.linkage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Every reference of the drop-in jar to the broker and its libraries resolves on every broker line. */
class LinkageIT {

    private static final Path MODULES = Path.of(System.getProperty("linkage.modules"));

    private static Path dropInJar() throws ClassNotFoundException, URISyntaxException {
        Path jar = Path.of(Class.forName("io.github.delayedtracker.index.DelayIndex").getProtectionDomain()
                .getCodeSource().getLocation().toURI());
        assertTrue(Files.isRegularFile(jar), "the drop-in jar is not built, only " + jar);
        return jar;
    }

    private static List<Path> broker(String line) throws IOException {
        String text = Files.readString(MODULES.resolve("broker-" + line).resolve("target/classpath.txt")).strip();
        return Stream.of(text.split(File.pathSeparator)).map(Path::of).toList();
    }

    private static void assertLinks(String version, List<Path> brokerJars) throws Exception {
        List<Path> jars = new ArrayList<>();
        jars.add(dropInJar());
        jars.addAll(brokerJars);
        ClassPath classPath = new ClassPath(jars);
        Linker linker = new Linker(classPath);
        Set<String> findings = linker.link(classPath.classesOf(dropInJar()));
        System.out.println("Pulsar " + version + ": " + linker.references() + " references, " + findings.size() + " missing");
        assertEquals(Set.of(), findings);
        assertTrue(linker.references() > 100, "only " + linker.references() + " references were found");
    }

    @Test
    void itLinksOn407() throws Exception {
        assertLinks("4.0.7", broker("4.0"));
    }

    @Test
    void itLinksOn424() throws Exception {
        assertLinks("4.2.4", broker("4.2"));
    }

    @Test
    void itLinksOn500M1() throws Exception {
        assertLinks("5.0.0-M1", broker("5.0"));
    }

    @Test
    void itLinksOn501WhereItsJarsCanBeHad() throws Exception {
        String folder = System.getProperty("linkage.jars.5.0.1", "");
        if (folder.isBlank()) {
            System.out.println("SKIPPED Pulsar 5.0.1: -Dlinkage.jars.5.0.1 names no folder with its jars");
        }
        Assumptions.assumeFalse(folder.isBlank());
        List<Path> jars = new ArrayList<>();
        for (String artifact : List.of("pulsar-broker", "managed-ledger")) {
            Path jar = Path.of(folder, artifact + "-5.0.1.jar");
            assertTrue(Files.isRegularFile(jar), "there is no " + jar);
            jars.add(jar);
        }
        jars.addAll(broker("5.0"));
        assertLinks("5.0.1", jars);
    }
}
