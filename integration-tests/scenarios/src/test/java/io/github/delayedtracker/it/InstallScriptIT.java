/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.common.configuration.PulsarConfigurationLoader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/install/delayed-tracker.sh on the files of the server distribution: in, in again, and out. */
class InstallScriptIT {

    private static final String[] FILES = {"broker.conf", "standalone.conf"};
    private static final String JAR = "pulsar-delayed-tracker-0.1.0.jar";
    private static final String FACTORY = "io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory";

    @TempDir
    private Path folder;
    private Path pulsar;
    private String output = "";

    @BeforeEach
    void anUnpackedPulsar() throws IOException {
        pulsar = folder.resolve("pulsar");
        Files.createDirectories(pulsar.resolve("lib"));
        Files.createDirectories(pulsar.resolve("conf"));
        for (String file : FILES) {
            Files.copy(DistributionBroker.home().resolve("conf").resolve(file), pulsar.resolve("conf").resolve(file));
        }
        Files.copy(Harness.pluginJar(), folder.resolve(JAR));
    }

    private int run(Map<String, String> environment, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh",
                Harness.module().resolve("../../docs/install/delayed-tracker.sh").normalize().toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor();
    }

    private void install(String backend) throws Exception {
        assertEquals(0, run(Map.of(), "install", pulsar.toString(), JAR, backend), () -> output);
    }

    /** The folder's files and their contents. */
    private Map<String, String> contents() throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(pulsar)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(pulsar.relativize(file).toString(),
                        new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            }
        }
        return contents;
    }

    @Test
    void itPutsTheJarInPlaceAndTheBrokerReadsTheLines() throws Exception {
        install("bucket");
        assertEquals(Files.size(Harness.pluginJar()), Files.size(pulsar.resolve("lib").resolve(JAR)));
        for (String file : FILES) {
            ServiceConfiguration loaded = PulsarConfigurationLoader.create(pulsar.resolve("conf").resolve(file).toString(),
                    ServiceConfiguration.class);
            assertEquals(FACTORY, loaded.getDelayedDeliveryTrackerFactoryClassName(), file);
            assertEquals("bucket", loaded.getProperties().getProperty("delayedDeliveryIndexBackend"), file);
        }
    }

    @Test
    void doneTwiceItIsAsDoneOnce() throws Exception {
        install("timebucket");
        Map<String, String> once = contents();
        install("timebucket");
        assertEquals(once, contents());
        assertTrue(output.lines().noneMatch(line -> line.startsWith("changed:") || line.startsWith("copied:")), () -> output);
    }

    @Test
    void anotherBackendAndAnotherJarTakeThePlaceOfTheFormerOnes() throws Exception {
        Files.write(pulsar.resolve("lib/pulsar-delayed-tracker-0.0.9.jar"), new byte[] {1});
        install("heap");
        install("bucket");
        assertFalse(Files.exists(pulsar.resolve("lib/pulsar-delayed-tracker-0.0.9.jar")));
        String conf = contents().get("conf/broker.conf");
        assertTrue(conf.endsWith("delayedDeliveryIndexBackend=bucket\n# delayed-tracker: end\n"), conf);
        assertFalse(conf.contains("delayedDeliveryIndexBackend=heap"));
    }

    @Test
    void undoLeavesEveryByteAsItWas() throws Exception {
        Map<String, String> before = contents();
        install("bucket");
        assertEquals(0, run(Map.of(), "undo", pulsar.toString()), () -> output);
        assertEquals(before, contents());
        assertEquals(0, run(Map.of(), "undo", pulsar.toString()), () -> output);
        assertEquals(before, contents());
    }

    @Test
    void undoKeepsWhatWasWrittenBehindTheBlock() throws Exception {
        Path conf = pulsar.resolve("conf/standalone.conf");
        Files.writeString(conf, "a=1\nb=2");
        install("bucket");
        Files.writeString(conf, "user=3\n", StandardOpenOption.APPEND);
        assertEquals(0, run(Map.of(), "undo", pulsar.toString()), () -> output);
        assertEquals("a=1\nb=2\nuser=3\n", Files.readString(conf));
    }

    @Test
    void aBlockWithoutItsEndIsRefusedWhereverAnotherEndStands() throws Exception {
        Path conf = pulsar.resolve("conf/standalone.conf");
        Files.writeString(conf, "# delayed-tracker: end\na=1\n# delayed-tracker: begin\nb=2\n");
        Map<String, String> before = contents();
        assertEquals(1, run(Map.of(), "undo", pulsar.toString()), () -> output);
        assertEquals(before, contents());
    }

    @Test
    void withoutABackendTheOneThatIsThereStays() throws Exception {
        install("bucket");
        assertEquals(0, run(Map.of(), "install", pulsar.toString(), JAR), () -> output);
        assertTrue(output.contains("backend: bucket for a broker, bucket for a standalone"), () -> output);
        assertTrue(contents().get("conf/broker.conf").contains("delayedDeliveryIndexBackend=bucket"));
    }

    @Test
    void aLineBehindTheBlockCountsAfterAnotherInstall() throws Exception {
        Path conf = pulsar.resolve("conf/broker.conf");
        install("timebucket");
        Files.writeString(conf, "delayedDeliveryIndexBackend=bucket\n", StandardOpenOption.APPEND);
        Map<String, String> before = contents();
        install("timebucket");
        assertEquals(before, contents());
        install("heap");
        assertTrue(Files.readString(conf).endsWith("Backend=heap\n# delayed-tracker: end\ndelayedDeliveryIndexBackend=bucket\n"));
    }

    /** As the README has them, without the script: a broker without the jar would not start. */
    @Test
    void undoRefusesToTakeTheJarFromLinesThatAreNotItsOwn() throws Exception {
        for (String file : FILES) {
            install("timebucket");
            Path conf = pulsar.resolve("conf").resolve(file);
            Files.writeString(conf, "delayedDeliveryTrackerFactoryClassName = " + FACTORY + "\n", StandardOpenOption.APPEND);
            assertRefusedAndLeftAlone("undo", pulsar.toString());
            assertTrue(output.contains(file) && output.contains("names the factory"), () -> output);
            Files.writeString(conf, Files.readString(conf).replace("\ndelayedDeliveryTrackerFactoryClassName = ", "\n#"));
            assertEquals(0, run(Map.of(), "undo", pulsar.toString()), () -> output);
        }
    }

    @Test
    void aBlockThatAnEditorHasGivenOtherLineEndsIsKnown() throws Exception {
        Path conf = pulsar.resolve("conf/broker.conf");
        Files.writeString(conf, "a=1\n");
        install("bucket");
        Files.writeString(conf, Files.readString(conf).replace("\n", "\r\n"));
        install("heap");
        assertEquals(0, run(Map.of(), "undo", pulsar.toString()), () -> output);
        assertEquals("a=1\r\n", Files.readString(conf));
    }

    @Test
    void aBlockWithoutItsBeginOrWithLinesOfTheUsersIsRefused() throws Exception {
        install("bucket");
        Path conf = pulsar.resolve("conf/broker.conf");
        String sound = Files.readString(conf);
        for (String broken : List.of(sound.replaceAll("# delayed-tracker: begin.*\n", ""),
                sound.replace("# delayed-tracker: end", "mine=1\n# delayed-tracker: end"))) {
            Files.writeString(conf, broken);
            assertRefusedAndLeftAlone("undo", pulsar.toString());
            assertRefusedAndLeftAlone("install", pulsar.toString(), JAR);
        }
    }

    @Test
    void filesBesideTheConfigurationStay() throws Exception {
        Files.writeString(pulsar.resolve("conf/broker.conf.new"), "mine");
        install("bucket");
        assertEquals("mine", contents().get("conf/broker.conf.new"));
        assertEquals(3, contents().keySet().stream().filter(name -> name.startsWith("conf/")).count());
    }

    private void assertRefusedAndLeftAlone(String... arguments) throws Exception {
        Map<String, String> before = contents();
        assertEquals(1, run(Map.of(), arguments), () -> output);
        assertEquals(before, contents());
    }

    @Test
    void aDryRunSaysWhatWouldChangeAndChangesNothing() throws Exception {
        Map<String, String> before = contents();
        assertEquals(0, run(Map.of("DRY_RUN", "1"), "install", pulsar.toString(), JAR));
        assertTrue(output.contains("+delayedDeliveryTrackerFactoryClassName=" + FACTORY), () -> output);
        assertEquals(before, contents());
        install("timebucket");
        Map<String, String> installed = contents();
        assertEquals(0, run(Map.of("DRY_RUN", "1"), "undo", pulsar.toString()));
        assertTrue(output.contains("-delayedDeliveryIndexBackend=timebucket"), () -> output);
        assertEquals(installed, contents());
    }

    @Test
    void whatItCannotDoItRefusesAndLeavesAlone() throws Exception {
        Files.writeString(pulsar.resolve("conf/standalone.conf"), "a=1\n# delayed-tracker: begin\nb=2\n");
        Map<String, String> before = contents();
        String[][] refused = {{"install", folder.toString(), JAR}, {"install", pulsar.toString(), JAR, "btree"},
                {"install", pulsar.toString(), "other.jar"}, {"install", pulsar.toString()}, {"remove", pulsar.toString()},
                {"undo", pulsar.toString()}};
        for (String[] arguments : refused) {
            assertEquals(1, run(Map.of(), arguments), () -> String.join(" ", arguments) + ": " + output);
            assertTrue(output.startsWith("delayed-tracker.sh: "), () -> output);
        }
        assertEquals(before, contents());
    }
}
