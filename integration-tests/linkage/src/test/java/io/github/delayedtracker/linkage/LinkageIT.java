/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.linkage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.linkage.ShapeCheck.Overriding;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The drop-in jar links on every broker line, and a call of the broker arrives in the same methods of it on all of them:
 * every one that overrides a method on the line the jar is compiled against, and those declared for later lines.
 */
class LinkageIT {

    private static final Path MODULES = Path.of(System.getProperty("linkage.modules"));

    private static final String FACTORY = "io/github/delayedtracker/PluggableDelayedDeliveryTrackerFactory.";
    private static final String PLAIN = "io/github/delayedtracker/PlainAdapter.";
    private static final String SKIP_READ = "io/github/delayedtracker/SkipReadAdapter.";
    private static final String CLOSE_ASYNC = "closeAsync()Ljava/util/concurrent/CompletableFuture;";
    private static final String NEW_TRACKER_ASYNC = "newTrackerAsync("
            + "Lorg/apache/pulsar/broker/service/persistent/AbstractPersistentDispatcherMultipleConsumers;)"
            + "Ljava/util/concurrent/CompletableFuture;";
    private static final String RECOVER = "recoverBucketSnapshot()V";

    private static Linked on407;

    /** One line, and what linking the drop-in jar on it found. */
    private record Linked(String version, Linker linker, Set<Finding> findings) {
    }

    @BeforeAll
    static void linkOnTheLineCompiledAgainst() throws Exception {
        on407 = link("4.0.7", broker("4.0"));
    }

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

    private static Linked link(String version, List<Path> brokerJars) throws Exception {
        List<Path> jars = new ArrayList<>();
        jars.add(dropInJar());
        jars.addAll(brokerJars);
        ClassPath classPath = new ClassPath(jars);
        Linker linker = new Linker(classPath);
        Set<Finding> findings = linker.link(classPath.classesOf(dropInJar()));
        System.out.println("Pulsar " + version + ": " + linker.references() + " references, " + linker.overrides().size()
                + " overriding methods, " + findings.size() + " refused");
        return new Linked(version, linker, findings);
    }

    private static void assertLinks(Linked on) {
        assertEquals(Set.of(), on.findings(), "refused on " + on.version());
        assertTrue(on.linker().references() > 100, "only " + on.linker().references() + " references on " + on.version());
        assertTrue(on.linker().overrides().size() > 30, "only these override on " + on.version() + ": "
                + on.linker().overrides());
    }

    /** Links; overrides all that it does on 4.0.7, and besides exactly the methods given. */
    private static void assertLinksAndOverrides(Linked on, String... declaredForLaterLines) {
        assertLinks(on);
        assertEquals(Set.of(), on.linker().lostOverrides(on407.linker()), "override on 4.0.7, but not on " + on.version());
        Set<String> more = new TreeSet<>();
        for (Overriding overriding : on.linker().overrides()) {
            if (!on407.linker().overrides().contains(overriding)) {
                more.add(overriding.toString());
            }
        }
        assertEquals(new TreeSet<>(Set.of(declaredForLaterLines)), more, "override on " + on.version() + ", but not on 4.0.7");
    }

    @Test
    void itLinksOn407() {
        assertLinks(on407);
    }

    @Test
    void itLinksAndOverridesOn424() throws Exception {
        assertLinksAndOverrides(link("4.2.4", broker("4.2")), PLAIN + CLOSE_ASYNC, SKIP_READ + CLOSE_ASYNC);
    }

    /** The milestone has none of the methods of the lines around it and calls those of 4.0.7. */
    @Test
    void itLinksAndOverridesOn500M1() throws Exception {
        assertLinksAndOverrides(link("5.0.0-M1", broker("5.0")));
    }

    @Test
    void itLinksAndOverridesOn501() throws Exception {
        List<Path> jars = new ArrayList<>();
        for (String artifact : List.of("pulsar-broker", "managed-ledger")) {
            Path jar = MODULES.resolve("linkage/target/5.0.1").resolve(artifact + "-5.0.1.jar");
            assertTrue(Files.isRegularFile(jar), "there is no " + jar);
            jars.add(jar);
        }
        jars.addAll(broker("5.0"));
        assertLinksAndOverrides(link("5.0.1", jars), FACTORY + NEW_TRACKER_ASYNC, PLAIN + CLOSE_ASYNC,
                SKIP_READ + CLOSE_ASYNC, SKIP_READ + RECOVER);
    }
}
