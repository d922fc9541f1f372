/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.BrokerSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * What a run is to do.
 *
 * @param tracker a backend, or a stock tracker by its short name
 * @param strict never before deliverAt; else up to a tick before
 * @param rate messages a second
 * @param delaySeconds the longest delay
 * @param seconds how long messages are sent at least; longer if the faults take longer
 * @param hideOneIn of so many messages a consumer hides one from the judge, which has to find it; 0 for none
 */
record RunPlan(String tracker, boolean strict, int rate, int delaySeconds, int seconds, int hideOneIn, FaultPlan faults) {

    private static final long TICK_MILLIS = 1_000;
    /** What the cluster takes on a busy machine to do what is due. */
    private static final long SLACK_MILLIS = 2_000;
    private static final long STOCK_FLUSH_MILLIS = 60_000;
    private static final long PLUGIN_FLUSH_MILLIS = 5_000;
    /** A bookie that dies holds reads and writes up for the broker's time-outs and the time until it is left out. */
    private static final long SETTLE_MILLIS = 30_000;
    /** What may lie between two copies that were sent at once, where consumers do not always have a processor. */
    private static final long DOUBLE_MILLIS = 1_000;
    private static final int SEAL = 25;
    private static final int MOST_RANGES = 100;

    /** The plan in the system properties {@code fire.*}. */
    static RunPlan ofProperties() throws IOException, InterruptedException {
        long seed = Long.getLong("fire.seed", new Random().nextInt(1_000_000));
        List<FaultPlan.Kind> chosen = chosen(System.getProperty("fire.kinds", ""), System.getProperty("fire.without", ""),
                possible());
        boolean strict = Boolean.parseBoolean(System.getProperty("fire.strict", Boolean.toString(seed % 2 == 0)));
        return new RunPlan(System.getProperty("fire.tracker", "bucket"), strict, Integer.getInteger("fire.rate", 200),
                Integer.getInteger("fire.delaySeconds", 60), Integer.getInteger("fire.seconds", 60),
                Integer.getInteger("fire.hideOneIn", 0),
                FaultPlan.of(seed, Integer.getInteger("fire.faults", 10), chosen, ProcessCluster.BROKERS));
    }

    /**
     * The kinds that a plan is made of.
     *
     * @param kinds names with commas between, or nothing for all that are possible
     * @param without names of those that are left out
     * @throws IllegalArgumentException if there is no such kind, one is not possible, or none is left
     */
    static List<FaultPlan.Kind> chosen(String kinds, String without, List<FaultPlan.Kind> possible) {
        List<FaultPlan.Kind> wanted = kinds.isEmpty() ? possible : named(kinds);
        if (!possible.containsAll(wanted)) {
            throw new IllegalArgumentException("fire.kinds has faults that this machine does not let a run have: " + kinds
                    + "; possible are " + possible);
        }
        List<FaultPlan.Kind> left = new ArrayList<>(wanted);
        left.removeAll(named(without));
        if (left.isEmpty()) {
            throw new IllegalArgumentException("fire.without leaves no kind of fault: " + without);
        }
        return left;
    }

    private static List<FaultPlan.Kind> named(String kinds) {
        return Stream.of(kinds.split(",")).filter(kind -> !kind.isEmpty()).map(FaultPlan.Kind::valueOf).toList();
    }

    private static List<FaultPlan.Kind> possible() throws IOException, InterruptedException {
        boolean hasClock = OwnNamespaces.areHere() && SteppedClock.library().isPresent();
        return Stream.of(FaultPlan.Kind.values()).filter(kind -> OwnNamespaces.areHere() || !kind.takesNamespaces())
                .filter(kind -> hasClock || kind != FaultPlan.Kind.STEP_CLOCK).toList();
    }

    private BrokerSettings settings() {
        return BrokerSettings.of(tracker, strict, TICK_MILLIS);
    }

    boolean isPlugin() {
        return settings().plugin();
    }

    /**
     * The tracker's lines of each broker: seals of 25 positions, so that hundreds are sealed and merged; a record of few
     * ranges, so that acknowledgements need a journal; and sweeps so soon that what a crash leaves is gone before the end.
     */
    Map<String, String> brokerLines() {
        Map<String, String> lines = new LinkedHashMap<>(settings().trackerLines());
        lines.put("delayedDeliveryMinIndexCountPerBucket", Integer.toString(SEAL));
        if (isPlugin()) {
            lines.put("delayedDeliveryIndexAckJournalFlushMillis", Long.toString(PLUGIN_FLUSH_MILLIS));
            lines.put("delayedDeliveryIndexLoadAheadMillis", "5000");
            lines.put("delayedDeliveryIndexSweepIntervalMinutes", "1");
            lines.put("delayedDeliveryIndexSweepMinAgeMinutes", "1");
            lines.put("managedLedgerMaxUnackedRangesToPersist", Integer.toString(MOST_RANGES));
        }
        return lines;
    }

    /** Writes down what the judge has to know, and what has to happen for the run to prove anything. */
    void note(RunFile file) {
        file.add(RunEvent.Kind.SETTING, RunEvent.Setting.EARLY_MILLIS.name(), strict ? 0 : TICK_MILLIS);
        file.add(RunEvent.Kind.SETTING, RunEvent.Setting.SETTLE_MILLIS.name(), SETTLE_MILLIS);
        file.add(RunEvent.Kind.SETTING, RunEvent.Setting.DOUBLE_MILLIS.name(), DOUBLE_MILLIS);
        file.add(RunEvent.Kind.SETTING, RunEvent.Setting.STEP_MILLIS.name(), SteppedClock.MOST_STEP_MILLIS);
        file.add(RunEvent.Kind.SETTING, RunEvent.Setting.FLUSH_MILLIS.name(),
                SLACK_MILLIS + (isPlugin() ? PLUGIN_FLUSH_MILLIS : STOCK_FLUSH_MILLIS));
        file.add(RunEvent.Kind.LEAST, "faults", faults.count());
        // A cluster that is away half of the time still has to take half of the messages of the least time.
        file.add(RunEvent.Kind.LEAST, "sent", (long) rate * seconds / 2);
        if (isPlugin()) {
            file.add(RunEvent.Kind.LEAST, Judge.HANDED_OUT, 1);
            file.add(RunEvent.Kind.LEAST, "looks-at-a-journal", 1);
        }
        if (tracker.equals("bucket")) {
            file.add(RunEvent.Kind.LEAST, "seals", 1);
            file.add(RunEvent.Kind.LEAST, "merges", 1);
        }
    }

    @Override
    public String toString() {
        return "tracker " + tracker + (strict ? ", strict" : ", not strict") + ", seed " + faults.seed() + ", "
                + faults.count() + " faults, " + rate + " messages a second for " + seconds + " s or more, due in up to "
                + delaySeconds + " s" + (hideOneIn > 0 ? ", one in " + hideOneIn + " hidden from the judge" : "");
    }
}
