/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where the build put things: folders, the drop-in jar, class paths of brokers, other JDKs. */
public final class Harness {

    private static final String FACTORY = "io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory";
    private static final String[] JDK_FOLDERS = {"/usr/lib/jvm", "/opt", "/opt/java", "/Library/Java/JavaVirtualMachines"};

    private Harness() {
    }

    /** The module's folder. */
    static Path module() {
        return Path.of(System.getProperty("it.module", ".")).toAbsolutePath().normalize();
    }

    /** The broker line on this JVM's own class path. */
    static String line() {
        return System.getProperty("it.line", "4.0");
    }

    /** Whether brokers of a line take the port of their bookie as an option; from 5.0 on the bookie picks a free one itself. */
    static boolean takesBookiePort(String line) {
        return line.startsWith("4.");
    }

    public static Path target() {
        return module().resolve("target");
    }

    /** Options that a broker needs on JDK 17 and later. */
    static List<String> openOptions() {
        return List.of(System.getProperty("it.opens", "").split(" +"));
    }

    /** The drop-in jar, found on this JVM's class path. */
    public static Path pluginJar() {
        try {
            CodeSource source = Class.forName(FACTORY, false, Harness.class.getClassLoader()).getProtectionDomain()
                    .getCodeSource();
            Path jar = Path.of(source.getLocation().toURI());
            if (!Files.isRegularFile(jar)) {
                throw new IllegalStateException("the drop-in jar is not built, only its classes at " + jar
                        + "; run the phase verify");
            }
            return jar;
        } catch (ClassNotFoundException | URISyntaxException e) {
            throw new IllegalStateException("the drop-in jar is not on the class path", e);
        }
    }

    /** The folder that has the NAR of the commands over HTTP, and no other. */
    static Path servletFolder() {
        Path folder = module().resolve("../../tracker-core/http/target").normalize();
        if (!Files.isRegularFile(folder.resolve("pulsar-delayed-http-0.1.0.nar"))) {
            throw new IllegalStateException("the NAR of the commands is not built in " + folder + "; run the phase verify");
        }
        return folder;
    }

    /** The folder that has the NAR of the commands in pulsar-admin, and no other. */
    static Path commandFolder() {
        return servletFolder().resolve("../../admin/target").normalize();
    }

    /** The class path of a broker line, as written by its module. */
    static String classPath(String line) {
        Path file = module().resolveSibling("broker-" + line).resolve("target/classpath.txt");
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new IllegalStateException("no class path of broker line " + line + " at " + file, e);
        }
    }

    /** The home of the JDK that runs this. */
    public static Path ownJavaHome() {
        return Path.of(System.getProperty("java.home"));
    }

    /** The home of a JDK of at least that feature version: by environment ({@code JAVA_HOME_25}...), then usual folders. */
    static Optional<Path> javaHome(int atLeast) {
        List<Path> candidates = new ArrayList<>();
        candidates.add(ownJavaHome());
        System.getenv().forEach((key, value) -> {
            if (key.startsWith("JAVA_HOME")) {
                candidates.add(Path.of(value));
            }
        });
        for (String folder : JDK_FOLDERS) {
            candidates.addAll(list(Path.of(folder)));
        }
        candidates.addAll(list(Path.of(System.getProperty("user.home"), ".sdkman/candidates/java")));
        candidates.addAll(list(Path.of(System.getProperty("user.home"), ".jdks")));
        return candidates.stream().filter(home -> featureVersion(home) >= atLeast).findFirst();
    }

    private static List<Path> list(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Path> homes = new ArrayList<>();
        try (var entries = Files.list(folder)) {
            entries.sorted().forEach(entry -> {
                homes.add(entry);
                homes.add(entry.resolve("Contents/Home"));
            });
        } catch (IOException e) {
            return List.of();
        }
        return homes;
    }

    /** Feature version of the JDK at a home, by its release file; 0 where there is none. */
    private static int featureVersion(Path home) {
        Path release = home.resolve("release");
        if (!Files.isExecutable(home.resolve("bin/java")) || !Files.isRegularFile(release)) {
            return 0;
        }
        try {
            for (String line : Files.readAllLines(release)) {
                if (line.startsWith("JAVA_VERSION=")) {
                    return Runtime.Version.parse(line.substring("JAVA_VERSION=".length()).replace("\"", "")).feature();
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            return 0;
        }
        return 0;
    }
}
