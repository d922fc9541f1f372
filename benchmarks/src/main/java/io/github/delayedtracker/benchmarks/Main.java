/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.util.Statistics;

/**
 * The main class of the benchmarks: runs them with JMH's own command line and the gc profiler, one pass for each number of
 * messages. It prints a Markdown table at the end, also into the file that {@code delayed.benchmarks.out} names, a system
 * property.
 */
public final class Main {

    private static final List<String> DEFAULT_MESSAGES = List.of("1000000");

    private Main() {
    }

    /** Takes JMH's options; {@code -p messages=...} chooses the passes. */
    public static void main(String[] arguments) throws CommandLineOptionException, RunnerException, IOException {
        CommandLineOptions options = new CommandLineOptions(arguments);
        if (options.shouldHelp()) {
            options.showHelp();
            return;
        }
        Collection<String> passes = options.getParameter("messages").orElse(DEFAULT_MESSAGES);
        List<RunResult> results = new ArrayList<>();
        for (String messages : passes) {
            results.addAll(new Runner(new OptionsBuilder().parent(options)
                    // The timer benchmark has its own main class: it does not measure a number of messages.
                    .exclude("Timer")
                    .param("messages", messages)
                    .operationsPerInvocation(Integer.parseInt(messages))
                    .addProfiler(GCProfiler.class)
                    .shouldFailOnError(true)
                    .build()).run());
        }
        String table = table(results);
        new PrintStream(System.out, true, StandardCharsets.UTF_8).println(table);
        String out = System.getProperty("delayed.benchmarks.out");
        if (out != null) {
            Files.writeString(Path.of(out), table);
        }
    }

    private static String table(Collection<RunResult> results) {
        StringBuilder table = new StringBuilder("""
                | operation | messages | workload | backend | ns per message | allocated B, fill included |
                |---|---|---|---|---|---|
                """);
        for (RunResult result : results) {
            BenchmarkParams run = result.getParams();
            Result<?> time = result.getPrimaryResult();
            Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
            String benchmark = run.getBenchmark();
            table.append(String.format(Locale.ROOT, "| %s | %s | %s | %s | %s | %s |%n",
                    benchmark.substring(benchmark.lastIndexOf('.') + 1), run.getParam("messages"), run.getParam("workload"),
                    run.getParam("backend"), withSpread(time),
                    allocated == null ? "-" : String.format(Locale.ROOT, "%.1f", allocated.getScore())));
        }
        return table.toString();
    }

    /** The median shot, and the fastest and the slowest: a few shots say no more. */
    private static String withSpread(Result<?> time) {
        Statistics shots = time.getStatistics();
        return String.format(Locale.ROOT, "%.1f (%.1f to %.1f)", shots.getPercentile(50), shots.getMin(), shots.getMax());
    }
}
