/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory;
import io.github.delayedtracker.upstream.Combination.Suite;
import io.github.delayedtracker.upstream.Outcome.How;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs a combination in a JVM of its own, and stops that if it does not end. */
final class Fork {

    private static final long LONGEST_MINUTES = 15;

    private final Combination combination;
    private final List<NotApplicable> leftOut;
    private final Path module = Path.of("").toAbsolutePath();
    private final Path folder;

    Fork(Combination combination, List<NotApplicable> leftOut) throws IOException {
        this.combination = combination;
        this.leftOut = leftOut;
        this.folder = Files.createDirectories(module.resolve("target").resolve("upstream").resolve(combination.name()));
    }

    /** What became of its tests; one that says so if it did not come to its end. */
    List<Outcome> run() throws IOException, InterruptedException {
        Path log = folder.resolve("output.log");
        Path results = folder.resolve("outcomes.tsv");
        Files.deleteIfExists(results);
        long begunNanos = System.nanoTime();
        Process process = new ProcessBuilder(command(results)).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(log.toFile()).start();
        boolean ended = false;
        try {
            ended = process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES);
        } finally {
            process.destroyForcibly().waitFor();
        }
        List<String> lines = Files.exists(results) ? Files.readAllLines(results) : List.of();
        List<Outcome> outcomes = new ArrayList<>();
        lines.stream().filter(line -> line.contains("\t")).forEach(line -> outcomes.add(Outcome.parse(combination, line)));
        if (!ended || !lines.contains("ended")) {
            outcomes.add(new Outcome(combination, combination.suites().get(0), "the JVM", How.FAILED, (ended
                    ? "did not come to its end" : "was stopped after " + LONGEST_MINUTES + " minutes") + "; see " + log));
        }
        System.out.printf("%s: %d outcomes in %d s%n", combination.name(), outcomes.size(),
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNanos));
        return outcomes;
    }

    private List<String> command(Path results) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:+EnableDynamicAgentLoading",
                "-Djdk.attach.allowAttachSelf=true", "-Djava.io.tmpdir=" + folder));
        command.addAll(List.of(System.getProperty("upstream.opens").split(" ")));
        command.add("-D" + UpstreamRun.KEYS + "=" + combination.backend().keys);
        command.add("-D" + UpstreamRun.LEFT_OUT + "=" + leftOut.stream().filter(each -> each.is(combination.backend()))
                .map(NotApplicable::test).collect(Collectors.joining(",")));
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
