/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator.sweep;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.delayedtracker.bucket.steps.JobTime;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * Two clusters of one name on the same bookies, from a seed: brokers come, go and lead, sometimes two at a time; their metadata
 * store fails, goes away, is lost, or meets a newer version; ledgers are written and not recorded. Then a calm end in which no
 * broker lives long enough to look at all ledgers.
 *
 * <p>Promises: nothing is deleted but orphans of the own cluster; all that can be told for such goes in the end; a cluster has
 * one id as long as its metadata store is not lost; what a newer version has written stays.
 */
public final class SweepSimulation {

    private static final long SECOND = 1_000;
    private static final long HOUR = 3_600 * SECOND;
    private static final int STEPS = 60;
    private static final int LEDGERS_BEFORE = 60;
    private static final int LIVES = 40;
    private static final int WELL_OF_TEN = 7;

    private final JobTime time;
    private final SplittableRandom random;
    private final SharedLedgers ledgers = new SharedLedgers();
    private final List<SweepCluster> clusters;
    private String newerGone;

    private SweepSimulation(long seed) {
        time = new JobTime(seed);
        random = new SplittableRandom(seed);
        clusters = List.of(new SweepCluster("one", time, random, ledgers), new SweepCluster("other", time, random, ledgers));
    }

    /**
     * A promise that was broken.
     *
     * @param promise which
     * @param message how
     * @param seed of the scenario
     */
    public record Broken(String promise, String message, long seed) {
    }

    /** Runs scenarios of so many seeds until one breaks a promise. */
    public static Optional<Broken> run(long firstSeed, int count) {
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            Optional<Broken> broken = new SweepSimulation(seed).run(seed);
            if (broken.isPresent()) {
                return broken;
            }
        }
        return Optional.empty();
    }

    private Optional<Broken> run(long seed) {
        for (SweepCluster cluster : clusters) {
            // An older version has been here.
            for (int i = 0; i < LEDGERS_BEFORE; i++) {
                cluster.write(Optional.empty(), random.nextInt(4) == 0);
            }
            cluster.start(true);
            cluster.start(false);
        }
        for (int step = 0; step < STEPS; step++) {
            act(clusters.get(random.nextInt(clusters.size())));
            time.runUntil(time.nowMillis() + random.nextLong(2 * HOUR));
        }
        clusters.forEach(this::calm);
        time.runUntil(time.nowMillis() + SweepBroker.MIN_AGE_MILLIS);
        for (int life = 0; life < LIVES; life++) {
            for (SweepCluster cluster : clusters) {
                cluster.killAll();
                cluster.start(true);
            }
            time.runUntil(time.nowMillis() + HOUR + 4 * SECOND + random.nextLong(4 * SECOND));
        }
        return verdict(seed);
    }

    private void act(SweepCluster cluster) {
        SweepBroker broker = cluster.brokers.get(random.nextInt(cluster.brokers.size()));
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> write(broker);
            case 3 -> {
                broker.kill();
                cluster.brokers.remove(broker);
                cluster.start(random.nextBoolean());
            }
            case 4 -> broker.lead(true);
            case 5 -> broker.lead(false);
            case 6 -> cluster.values.faults(random.nextBoolean() ? 0 : random.nextInt(1_000));
            case 7 -> cluster.values.hang(random.nextInt(3) == 0);
            case 8 -> newer(cluster);
            default -> {
                if (random.nextInt(3) == 0) {
                    cluster.loseValues();
                }
            }
        }
    }

    private void write(SweepBroker broker) {
        for (int i = random.nextInt(20); i >= 0; i--) {
            broker.write(random.nextInt(10) >= WELL_OF_TEN);
        }
    }

    /** A newer version is there for a while, and writes what this one cannot read. */
    private void newer(SweepCluster cluster) {
        String name = random.nextBoolean() ? SweepCluster.PLACE : SweepCluster.ID;
        Optional<String> before = cluster.values.text(name);
        String newer = newer();
        cluster.values.set(name, newer);
        time.runUntil(time.nowMillis() + random.nextLong(4 * HOUR));
        if (!cluster.values.text(name).equals(Optional.of(newer))) {
            newerGone = name + " of cluster " + cluster + " was of a newer version and is " + cluster.values.text(name);
        }
        // It goes, and takes its changes back.
        cluster.values.delete(name);
        before.ifPresent(text -> cluster.values.set(name, text));
    }

    private String newer() {
        String text = "2 " + random.nextInt(1_000) + " of a later version ";
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(UTF_8));
        return text + String.format("%08x", crc.getValue());
    }

    private void calm(SweepCluster cluster) {
        cluster.values.faults(0);
        cluster.values.hang(false);
        cluster.killAll();
        write(cluster.start(true));
        write(cluster.start(false));
    }

    private Optional<Broken> verdict(long seed) {
        for (SweepCluster cluster : clusters) {
            if (cluster.broken().isPresent()) {
                return Optional.of(new Broken("OneIdForACluster", cluster.broken().get(), seed));
            }
        }
        if (ledgers.broken().isPresent()) {
            return Optional.of(new Broken("OnlyOwnOrphansAreDeleted", ledgers.broken().get(), seed));
        }
        if (newerGone != null) {
            return Optional.of(new Broken("NewerIsLeftAlone", newerGone, seed));
        }
        List<Long> left = ledgers.provable();
        return left.isEmpty() ? Optional.empty()
                : Optional.of(new Broken("OrphansGoInTheEnd", "orphans " + left + " are left", seed));
    }
}
