/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time to arm a fresh timer and cancel it while many others are armed, all of them for some time between ten minutes and two
 * hours from now, so none comes due. {@link TimerReport} runs it with each timer and number in one go.
 */
@State(Scope.Benchmark)
@Threads(1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms6g", "-Xmx6g"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class TimerBenchmark {

    static final int FIRST_DELAY_MILLIS = 600_000;
    static final int LAST_DELAY_MILLIS = 7_200_000;

    /** A name of {@link TimerKind}. */
    @Param({"wheel", "netty", "scheduled", "delay-queue"})
    public String timer;

    /** The number of other timers that are armed. */
    @Param({"1000", "100000", "10000000"})
    public int armed;

    private TimerContender contender;

    /** Arms the others, and lets them become old in the sense of the collector, as they would in a broker. */
    @Setup(Level.Trial)
    public void fill() {
        contender = TimerKind.of(timer).open();
        SplittableRandom random = new SplittableRandom(armed);
        for (int i = 0; i < armed; i++) {
            contender.arm(random.nextInt(FIRST_DELAY_MILLIS, LAST_DELAY_MILLIS));
        }
        System.gc();
    }

    /** Checks that the others are still there, and ends the timer. */
    @TearDown(Level.Trial)
    public void close() {
        long left = contender.armedCount();
        if (left < armed) {
            throw new IllegalStateException("armed were " + armed + ", left are " + left);
        }
        contender.close();
    }

    /** The source of the delays of a benchmark thread. */
    @State(Scope.Thread)
    public static class Draw {

        private final SplittableRandom random = new SplittableRandom();

        int delayMillis() {
            return random.nextInt(FIRST_DELAY_MILLIS, LAST_DELAY_MILLIS);
        }
    }

    /** Arms and cancels on one thread. */
    @Benchmark
    public void armAndCancel(Draw draw) {
        contender.cancel(contender.arm(draw.delayMillis()));
    }

    /** Arms and cancels on two threads at once; the time is that of one of them. */
    @Benchmark
    @Threads(2)
    public void armAndCancelOfTwoThreads(Draw draw) {
        contender.cancel(contender.arm(draw.delayMillis()));
    }
}
