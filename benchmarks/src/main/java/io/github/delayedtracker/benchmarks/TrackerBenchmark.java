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
 * The time of an add, of a refused add, of a hand-out and of both together, per message, over all messages of a tracker.
 *
 * <pre>
 * mvn -q -B -DskipTests -pl benchmarks -am package
 * java -jar benchmarks/target/benchmarks.jar                                      # everything at 1 M, half an hour
 * java -jar benchmarks/target/benchmarks.jar handOut -p messages=10000000 -p workload=fixed  # one at 10 M
 * </pre>
 *
 * <p>{@link Main} runs one pass for each number of messages, so that scores are nanoseconds and allocated bytes per message. Our
 * trackers are measured behind the subscription state, with its lock and published figures. All trackers fill the sorted set that
 * the broker's interface demands. Messages are made before the clock runs. Operations that the stock trackers cannot do are in
 * {@link LookupBenchmark}.
 */
@State(Scope.Thread)
@Threads(1)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms4g", "-Xmx14g", "-XX:+UseParallelGC", "-Ddelayed.benchmarks.worker=true"})
@Warmup(iterations = 2)
@Measurement(iterations = 3)
public class TrackerBenchmark {

    private static final int BATCH = 100;
    private static final long TICK_MILLIS = 1_000;
    private static final int SPANS = 3;
    private static final int STEPS = 10_000;

    /** A name of {@link Backend}. */
    @Param({"heap", "timebucket", "stock-4.0", "stock-4.2"})
    public String backend;

    /** A name of {@link Workload}. */
    @Param({"fixed", "uniform600s", "uniform30d"})
    public String workload;

    /** Messages in one fill. */
    @Param("1000000")
    public int messages;

    private Messages stream;
    private Messages spread;
    private long spanMillis;

    /** Makes the messages. */
    @Setup(Level.Trial)
    public void makeMessages() {
        Traffic traffic = Workload.of(workload).traffic();
        stream = Workload.of(workload).messages(messages);
        spanMillis = SPANS * traffic.delays().longestMillis();
        spread = new Traffic(traffic.delays(), (double) messages / spanMillis, traffic.layout()).messages(messages, messages);
    }

    /** An empty tracker for {@link #add}. */
    @State(Scope.Thread)
    public static class Empty {
        private Tracker tracker;

        /** Opens the tracker. */
        @Setup(Level.Invocation)
        public void open(TrackerBenchmark benchmark) {
            tracker = Backend.of(benchmark.backend).openOrFail(false, TICK_MILLIS);
        }

        /** Closes the tracker. */
        @TearDown(Level.Invocation)
        public void close() {
            tracker.close();
            tracker = null;
        }
    }

    /** A filled tracker for {@link #handOut}. */
    @State(Scope.Thread)
    public static class Filled {
        private Tracker tracker;

        /** Opens and fills the tracker. */
        @Setup(Level.Invocation)
        public void fill(TrackerBenchmark benchmark) {
            tracker = Backend.of(benchmark.backend).openOrFail(false, TICK_MILLIS);
            benchmark.stream.addTo(tracker);
        }

        /** Closes the tracker. */
        @TearDown(Level.Invocation)
        public void close() {
            tracker.close();
            tracker = null;
        }
    }

    /** Adds all messages to an empty tracker. */
    @Benchmark
    public long add(Empty state) {
        stream.addTo(state.tracker);
        return state.tracker.count();
    }

    /** Adds all messages to a tracker that has them. The stock heap holds them twice from then on. */
    @Benchmark
    public long reAdd(Filled state) {
        return stream.addAgainTo(state.tracker);
    }

    /** Adds messages and hands out the due ones, for three times the longest delay. */
    @Benchmark
    public long steadyState(Empty state) {
        return spread.publishAndHandOut(state.tracker, spanMillis, STEPS, BATCH);
    }

    /** Drains a full tracker in batches of 100 while the time advances. */
    @Benchmark
    public long handOut(Filled state) {
        return stream.drain(state.tracker, BATCH);
    }
}
