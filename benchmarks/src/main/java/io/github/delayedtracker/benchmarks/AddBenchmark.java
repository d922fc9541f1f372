/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

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
 * The time of an add on the workloads that {@link TrackerBenchmark} leaves out, measured as it does, for {@code timebucket} and
 * the stock trackers. A fill seals 61 tails, and the compiler needs several hundred of them: hence the many warm-up shots.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar AddBenchmark                                  # at 1 M, a few minutes
 * java -jar benchmarks/target/benchmarks.jar AddBenchmark -p backend=timebucket,stock-4.0  # one of them
 * </pre>
 */
@State(Scope.Thread)
@Threads(1)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms4g", "-Xmx14g", "-XX:+UseParallelGC", "-Ddelayed.benchmarks.worker=true"})
@Warmup(iterations = 15)
@Measurement(iterations = 10)
public class AddBenchmark {

    private static final long TICK_MILLIS = 1_000;

    /** A name of {@link Backend}. */
    @Param({"timebucket", "stock-4.0", "stock-4.2"})
    public String backend;

    /** A name of {@link Workload}. */
    @Param({"fixed + 50 ms jitter", "uniform1d", "menu18", "backoff12", "mixed 60/30/10", "1 % delayed, uniform600s",
            "1 % delayed, uniform30d", "one per ledger", "one per bucket", "random 2^40"})
    public String workload;

    /** Messages in one fill. */
    @Param("1000000")
    public int messages;

    private Messages stream;
    private Tracker tracker;

    /** Makes the messages. */
    @Setup(Level.Trial)
    public void makeMessages() {
        stream = Workload.of(workload).messages(messages);
    }

    /** Opens the tracker. */
    @Setup(Level.Invocation)
    public void open() {
        tracker = Backend.of(backend).openOrFail(false, TICK_MILLIS);
    }

    /** Closes the tracker. */
    @TearDown(Level.Invocation)
    public void close() {
        tracker.close();
        tracker = null;
    }

    /** Adds all messages to an empty tracker. */
    @Benchmark
    public long add() {
        stream.addTo(tracker);
        return tracker.count();
    }
}
