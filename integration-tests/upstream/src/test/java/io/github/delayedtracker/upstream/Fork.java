/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory;
import io.github.delayedtracker.upstream.Outcome.How;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs a combination in a JVM of its own, and stops that if it does not end. */
final class Fork {

    /** What became of the tests, and what {@link EveryMessage} has counted. */
    record Ended(List<Outcome> outcomes, long messages, long trackers) { }

    private static final long LONGEST_MINUTES = 15;
    /** The longest of them has 112 tests, and starts a broker for each. */
    private static final long LONGEST_MINUTES_OF_FURTHER = 60;
    /** The last line of a run. */
    private static final Pattern END = Pattern.compile("ended (\\d+) (\\d+)");

    private final Combination combination;
    private final List<NotApplicable> leftOut;
    private final List<String> methods;
    private final Path module = Path.of("").toAbsolutePath();
    private final Path folder;

    Fork(Combination combination, List<NotApplicable> leftOut) throws IOException {
        this(combination, leftOut, List.of());
    }

    /** @param methods that alone are run; all where there are none */
    Fork(Combination combination, List<NotApplicable> leftOut, List<String> methods) throws IOException {
        this.methods = methods;
        this.combination = combination;
        this.leftOut = leftOut;
        this.folder = Files.createDirectories(module.resolve("target").resolve("upstream")
                .resolve(combination.name() + (methods.isEmpty() ? "" : "-again")));
    }

    /** What became of its tests; one that says so if it did not come to its end. */
    Ended run() throws IOException, InterruptedException {
        Path log = folder.resolve("output.log");
        Path results = folder.resolve("outcomes.tsv");
        Files.deleteIfExists(results);
        long begunNanos = System.nanoTime();
        Process process = new ProcessBuilder(command(results)).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(log.toFile()).start();
        boolean ended = false;
        long minutes = combination.isFurther() ? LONGEST_MINUTES_OF_FURTHER : LONGEST_MINUTES;
        try {
            ended = process.waitFor(minutes, TimeUnit.MINUTES);
        } finally {
            process.destroyForcibly().waitFor();
        }
        List<String> lines = Files.exists(results) ? Files.readAllLines(results) : List.of();
        List<Outcome> outcomes = new ArrayList<>();
        lines.stream().filter(line -> line.contains("\t")).forEach(line -> outcomes.add(Outcome.parse(combination, line)));
        Matcher end = END.matcher(lines.isEmpty() ? "" : lines.get(lines.size() - 1));
        boolean isWhole = end.matches();
        if (!ended || !isWhole) {
            outcomes.add(new Outcome(combination, combination.suites().get(0), "the JVM", How.FAILED, (ended
                    ? "did not come to its end" : "was stopped after " + minutes + " minutes") + "; see " + log));
        }
        System.out.printf("%s: %d outcomes in %d s%n", combination.name(), outcomes.size(),
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNanos));
        return isWhole ? new Ended(outcomes, Long.parseLong(end.group(1)), Long.parseLong(end.group(2)))
                : new Ended(outcomes, 0, 0);
    }

    private List<String> command(Path results) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(combination.isFurther() ? "-Xmx2g" : "-Xmx1g", "-XX:+UseSerialGC",
                "-XX:+EnableDynamicAgentLoading", "-Djdk.attach.allowAttachSelf=true", "-Djava.io.tmpdir=" + folder));
        command.addAll(List.of(System.getProperty("upstream.opens").split(" ")));
        command.add("-D" + UpstreamRun.KEYS + "=" + combination.backend().keys);
        command.add("-D" + UpstreamRun.LEFT_OUT + "=" + leftOut.stream().filter(each -> each.is(combination.backend()))
                .map(NotApplicable::test).collect(Collectors.joining(",")));
        command.add("-D" + UpstreamRun.ONLY + "=" + String.join(",", methods));
        command.add("-D" + UpstreamRun.EVERY_MESSAGE + "=" + combination.isFurther());
        command.add("-D" + UpstreamRun.OWN_ONLY + "=" + combination.ownOnly().stream().map(Suite::simpleName)
                .collect(Collectors.joining(",")));
        String brokers = Files.readString(module.resolveSibling("upstream-" + combination.line().folder)
                .resolve("target").resolve("classpath.txt")).trim();
        command.addAll(List.of("-cp", String.join(File.pathSeparator, place(UpstreamRun.class),
                place(PluggableDelayedDeliveryTrackerFactory.class), brokers), UpstreamRun.class.getName(), results.toString()));
        combination.suites().forEach(suite -> command.add(suite.className));
        return command;
    }

    private static String place(Class<?> type) throws IOException {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IOException("the place of " + type + " is no path", e);
        }
    }
}
