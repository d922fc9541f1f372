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
 * The time of a look-up at random and of a prune, per message of a full tracker. The stock in-memory trackers cannot tell whether
 * they hold a position and are not told of acknowledgements, so they are not here.
 */
@State(Scope.Thread)
@Threads(1)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms4g", "-Xmx14g", "-XX:+UseParallelGC", "-Ddelayed.benchmarks.worker=true"})
@Warmup(iterations = 2)
@Measurement(iterations = 3)
public class LookupBenchmark {

    private static final long TICK_MILLIS = 1_000;
    private static final int PRUNE_STEPS = 100;

    /** A name of {@link Backend}. */
    @Param({"heap", "timebucket"})
    public String backend;

    /** A name of {@link Workload}. */
    @Param({"fixed", "uniform600s", "uniform30d"})
    public String workload;

    /** Messages in one fill. */
    @Param("1000000")
    public int messages;

    private Messages stream;
    /** The positions to look up, half of them contained. */
    private long[] ledgerIds;
    private long[] entryIds;
    private Tracker tracker;

    /** Makes the messages and the positions to look up. */
    @Setup(Level.Trial)
    public void makeMessages() {
        stream = Workload.of(workload).messages(messages);
        ledgerIds = new long[messages];
        entryIds = new long[messages];
        SplittableRandom random = new SplittableRandom(messages);
        for (int i = 0; i < messages; i++) {
            int at = random.nextInt(messages);
            ledgerIds[i] = stream.ledgerId(at);
            // No ledger has that many entries.
            entryIds[i] = stream.entryId(at) + (i % 2 == 0 ? 0 : Layout.USUAL_ENTRIES_PER_LEDGER);
        }
    }

    /** Opens and fills the tracker. */
    @Setup(Level.Invocation)
    public void fill() {
        tracker = Backend.of(backend).openOrFail(false, TICK_MILLIS);
        stream.addTo(tracker);
        tracker.settle();
    }

    /** Closes the tracker. */
    @TearDown(Level.Invocation)
    public void close() {
        tracker.close();
    }

    /** Looks positions up at random. */
    @Benchmark
    public long contains() {
        long found = 0;
        for (int i = 0; i < ledgerIds.length; i++) {
            found += tracker.contains(ledgerIds[i], entryIds[i]) ? 1 : 0;
        }
        if (found != ledgerIds.length - ledgerIds.length / 2) {
            throw new IllegalStateException(found + " of " + ledgerIds.length + " positions were found");
        }
        return found;
    }

    /** Forgets everything, a hundredth of the positions at a time. */
    @Benchmark
    public long prune() {
        stream.prune(tracker, PRUNE_STEPS);
        if (tracker.count() != 0) {
            throw new IllegalStateException(tracker.count() + " positions were not forgotten");
        }
        return tracker.count();
    }
}
