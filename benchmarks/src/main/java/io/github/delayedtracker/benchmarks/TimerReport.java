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
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * The timers side by side: time and allocation of arm and cancel by {@link TimerBenchmark}, bytes of an armed timer, and the
 * wake-ups of the thread of an idle one in a minute. Takes a directory for {@code timers.md} and then options of JMH.
 */
final class TimerReport {

    private static final int BYTES_ARMED = 1_000_000;
    private static final int IDLE_ARMED = 100_000;
    private static final long IDLE_MILLIS = 60_000;
    private static final String SWITCHES = "voluntary_ctxt_switches:";

    private final StringBuilder text = new StringBuilder();

    private TimerReport() {
    }

    public static void main(String[] arguments)
            throws CommandLineOptionException, RunnerException, IOException, InterruptedException {
        if (arguments.length == 0) {
            throw new IllegalArgumentException("the first argument must be the directory for timers.md");
        }
        TimerReport report = new TimerReport();
        report.bytes();
        report.idle();
        report.speed(Arrays.copyOfRange(arguments, 1, arguments.length));
        new PrintStream(System.out, true, StandardCharsets.UTF_8).print(report.text);
        Path out = Files.createDirectories(Path.of(arguments[0]));
        Files.writeString(out.resolve("timers.md"), report.text);
    }

    private void speed(String[] options) throws CommandLineOptionException, RunnerException {
        text.append("""

                | operation | armed | timer | ns | allocated B |
                |---|---|---|---|---|
                """);
        for (RunResult result : new Runner(new OptionsBuilder().parent(new CommandLineOptions(options))
                .include(TimerBenchmark.class.getName()).addProfiler(GCProfiler.class).shouldFailOnError(true).build()).run()) {
            BenchmarkParams run = result.getParams();
            String benchmark = run.getBenchmark();
            text.append(String.format(Locale.ROOT, "| %s | %,d | %s | %,.0f (+-%,.0f) | %.0f |%n",
                    benchmark.substring(benchmark.lastIndexOf('.') + 1), Long.parseLong(run.getParam("armed")),
                    TimerKind.of(run.getParam("timer")).label(), result.getPrimaryResult().getScore(),
                    result.getPrimaryResult().getScoreError(),
                    result.getSecondaryResults().get("gc.alloc.rate.norm").getScore()));
        }
    }

    private void bytes() {
        text.append(String.format(Locale.ROOT, "%n| timer | B an armed timer, of %,d |%n|---|---|%n", BYTES_ARMED));
        for (TimerKind kind : TimerKind.values()) {
            text.append(String.format(Locale.ROOT, "| %s | %.1f |%n", kind.label(), bytesOf(kind)));
        }
    }

    /** The bytes of an armed timer. This is a method of its own, so that no variable holds a timer of before. */
    private static double bytesOf(TimerKind kind) {
        Retained.heapInUse();
        long before = Retained.heapInUse();
        try (TimerContender timer = kind.open()) {
            arm(timer, BYTES_ARMED);
            return (double) (Retained.heapInUse() - before) / timer.armedCount();
        }
    }

    private void idle() throws IOException, InterruptedException {
        text.append(String.format(Locale.ROOT, "%n| timer | wake-ups in %d s, %,d armed |%n|---|---|%n", IDLE_MILLIS / 1_000,
                IDLE_ARMED));
        List<TimerContender> timers = new ArrayList<>();
        Map<TimerKind, OptionalLong> before = new EnumMap<>(TimerKind.class);
        for (TimerKind kind : TimerKind.values()) {
            TimerContender timer = kind.open();
            arm(timer, IDLE_ARMED);
            timers.add(timer);
        }
        Thread.sleep(IDLE_MILLIS / 10);
        for (TimerKind kind : TimerKind.values()) {
            before.put(kind, switches(kind.threadName()));
        }
        Thread.sleep(IDLE_MILLIS);
        for (TimerKind kind : TimerKind.values()) {
            OptionalLong after = switches(kind.threadName());
            text.append(String.format(Locale.ROOT, "| %s | %s |%n", kind.label(),
                    after.isEmpty() ? "-" : after.getAsLong() - before.get(kind).orElseThrow()));
        }
        timers.forEach(TimerContender::close);
    }

    private static void arm(TimerContender timer, int count) {
        SplittableRandom random = new SplittableRandom(count);
        for (int i = 0; i < count; i++) {
            timer.arm(random.nextInt(TimerBenchmark.FIRST_DELAY_MILLIS, TimerBenchmark.LAST_DELAY_MILLIS));
        }
    }

    /** The number of times that a thread of this process gave up the processor by itself; empty without it, or not on Linux. */
    private static OptionalLong switches(String threadName) throws IOException {
        Path threads = Path.of("/proc/self/task");
        if (!Files.isDirectory(threads)) {
            return OptionalLong.empty();
        }
        try (Stream<Path> listed = Files.list(threads)) {
            for (Path thread : listed.toList()) {
                if (Files.readString(thread.resolve("comm")).strip().equals(threadName)) {
                    String line = Files.readAllLines(thread.resolve("status")).stream()
                            .filter(status -> status.startsWith(SWITCHES)).findAny().orElseThrow();
                    return OptionalLong.of(Long.parseLong(line.substring(SWITCHES.length()).strip()));
                }
            }
        }
        return OptionalLong.empty();
    }
}
