/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.common.configuration.PulsarConfigurationLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A8: the commands under "Install" in README.md, run as written on the files of the server distribution. */
class InstallIT {

    private static final Pattern TARBALL_COMMANDS = Pattern.compile("\\*\\*Tarball\\*\\*\\s+```\\n(.*?)```", Pattern.DOTALL);
    private static final String FOLDER_IN_README = "/path/to/pulsar";
    private static final String JAR = "pulsar-delayed-tracker-0.1.0.jar";
    private static final String FACTORY_KEY = "delayedDeliveryTrackerFactoryClassName";
    private static final String FACTORY = "io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory";
    private static final String BACKEND_KEY = "delayedDeliveryIndexBackend";

    @TempDir
    private Path folder;

    private static Path shipped(String file) {
        return Path.of(System.getProperty("it.distribution"), "conf", file);
    }

    /** A broker's folder with nothing in it but the two files, after the commands. */
    private Path install() throws Exception {
        Path pulsar = folder.resolve("pulsar");
        Files.createDirectories(pulsar.resolve("lib"));
        Files.createDirectories(pulsar.resolve("conf"));
        for (String file : new String[] {"broker.conf", "standalone.conf"}) {
            Files.copy(shipped(file), pulsar.resolve("conf").resolve(file));
        }
        Path built = Files.createDirectories(folder.resolve("tracker-bucket/target"));
        Files.copy(Harness.pluginJar(), built.resolve(JAR));
        Matcher commands = TARBALL_COMMANDS.matcher(Files.readString(Harness.module().resolve("../../README.md")));
        if (!commands.find()) {
            throw new IllegalStateException("README.md has no block of commands under **Tarball**");
        }
        Process shell = new ProcessBuilder("sh", "-e", "-c", commands.group(1).replace(FOLDER_IN_README, pulsar.toString()))
                .directory(folder.toFile()).inheritIO().redirectOutput(folder.resolve("out").toFile()).start();
        assertEquals(0, shell.waitFor());
        return pulsar;
    }

    private static Properties read(Path file) throws IOException {
        Properties properties = new Properties();
        try (var in = Files.newInputStream(file)) {
            properties.load(in);
        }
        return properties;
    }

    @Test
    void theCommandsPutTheJarInPlaceAndChangeNothingElseInEitherFile() throws Exception {
        Path pulsar = install();
        assertEquals(Files.size(Harness.pluginJar()), Files.size(pulsar.resolve("lib").resolve(JAR)));
        for (String file : new String[] {"broker.conf", "standalone.conf"}) {
            Path changed = pulsar.resolve("conf").resolve(file);
            Properties expected = read(shipped(file));
            expected.setProperty(FACTORY_KEY, FACTORY);
            expected.setProperty(BACKEND_KEY, "timebucket");
            assertEquals(expected, read(changed), file);
            ServiceConfiguration loaded = PulsarConfigurationLoader.create(changed.toString(), ServiceConfiguration.class);
            assertEquals(FACTORY, loaded.getDelayedDeliveryTrackerFactoryClassName(), file);
        }
    }
}
