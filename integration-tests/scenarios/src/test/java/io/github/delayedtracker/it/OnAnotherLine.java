/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.File;
import java.io.PrintWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.platform.commons.JUnitException;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.opentest4j.AssertionFailedError;

/**
 * The scenarios of one class in a JVM of their own that has the class path of another broker line, the drop-in jar, and of this
 * JVM the scenarios and JUnit alone: a broker inside that JVM is one of that line. Its folders and log are below
 * {@code target/lines/<line>}.
 */
final class OnAnotherLine {

    private static final long MOST_SECONDS = 300;
    private static final String ENGINE = "org.junit.jupiter.engine.JupiterTestEngine";
    private static final String PARAMS = "org.junit.jupiter.params.ParameterizedTest";

    private OnAnotherLine() {
    }

    /** Runs them; fails unless all of them have run and passed. */
    static void run(String line, Path javaHome, Class<?> scenarios) throws Exception {
        run(line, javaHome, scenarios, List.of(), List.of(), MOST_SECONDS);
    }

    /** The same with other classes before those of the line, options of the JVM, and a limit of time. */
    static void run(String line, Path javaHome, Class<?> scenarios, List<Class<?>> first, List<String> options, long mostSeconds)
            throws Exception {
        Path folder = Harness.target().resolve("lines").resolve(line);
        Files.createDirectories(folder.resolve("target"));
        Path output = folder.resolve("output.log");
        List<String> command = new ArrayList<>(List.of(javaHome.resolve("bin/java").toString(), "-Xmx1500m", "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-Dit.line=" + line, "-Dit.module=" + folder));
        command.addAll(Harness.openOptions());
        command.addAll(options);
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath(line, first)), OnAnotherLine.class.getName(),
                scenarios.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try {
            boolean ended = process.waitFor(mostSeconds, TimeUnit.SECONDS);
            String said = Files.readString(output);
            System.out.println("LINE " + line + ": " + said.lines().filter(text -> text.startsWith("RAN ")).findFirst()
                    .orElse("no end, see " + output));
            if (!ended || process.exitValue() != 0) {
                throw new AssertionError(scenarios.getName() + " on line " + line + (ended ? " ended with "
                        + process.exitValue() : " did not end") + ":\n" + said);
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static Set<String> classPath(String line, List<Class<?>> first) throws Exception {
        Set<String> path = new LinkedHashSet<>();
        for (Class<?> type : first) {
            path.add(whereIs(type));
        }
        path.add(whereIs(OnAnotherLine.class));
        path.add(whereIs(Harness.class));
        path.add(Harness.classPath(line));
        path.add(Harness.pluginJar().toString());
        for (Class<?> type : List.of(LauncherFactory.class, TestEngine.class, JUnitException.class, Assertions.class,
                AssertionFailedError.class, Class.forName(ENGINE), Class.forName(PARAMS))) {
            path.add(whereIs(type));
        }
        return path;
    }

    private static String whereIs(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    }

    /** In that JVM: runs the class that is named. */
    public static void main(String[] names) throws Exception {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request().selectors(selectClass(names[0])).build(),
                listener);
        TestExecutionSummary summary = listener.getSummary();
        summary.printFailuresTo(new PrintWriter(System.out, true, UTF_8));
        System.out.println("RAN " + names[0] + ": " + summary.getTestsSucceededCount() + " of " + summary.getTestsFoundCount()
                + " passed");
        boolean passed = summary.getTestsFoundCount() > 0 && summary.getTestsSucceededCount() == summary.getTestsFoundCount();
        // A broker that was embedded leaves threads behind.
        System.exit(passed && summary.getTotalFailureCount() == 0 ? 0 : 1);
    }
}
