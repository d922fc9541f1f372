/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.simulator.Action.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * A setup and the actions on it, in the order of their times. Drawn from a seed or written by hand; the text form is one line.
 *
 * @param setup what is fixed
 * @param actions what happens
 */
public record Scenario(Setup setup, List<Action> actions) {

    private static final long HOUR_MILLIS = 3_600_000;
    private static final int SEEDS_AN_OUTAGE = 4;
    private static final int SEEDS_A_CLOSE_THAT_FAILS = 16;
    private static final int SEEDS_A_FORMER_OWNER = 8;
    private static final int SEEDS_A_CLOSE_WHILE_SEALING = 8;
    private static final int CLOSES_WHILE_SEALING = 6;
    private static final int SEEDS_A_LONG_READ = 16;
    private static final int RARELY = 30;
    private static final String SEPARATOR = " | ";
    private static final long LONG_TICK_MILLIS = 60_000;
    private static final List<Kind> DISTURBANCES = Arrays.stream(Kind.values()).filter(Kind::isDisturbance)
            .filter(Kind::isOfAnyBackend).toList();

    /** Keeps the actions in the order of their times. */
    public Scenario {
        actions = actions.stream().sorted(Comparator.comparingLong(Action::atMillis)).toList();
    }

    /** Starts a scenario written by hand. */
    public static Script script(Setup setup) {
        return new Script(setup);
    }

    /** The scenario of a seed. */
    public static Scenario drawn(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Setup setup = Setup.drawn(seed, random);
        List<Action> actions = new ArrayList<>();
        long spanMillis = pick(random, 1_000, 20_000, 200_000);
        actions.add(new Action(0, Kind.CONNECT, 0, 0));
        int publishes = 1 + random.nextInt(5);
        for (int i = 0; i < publishes; i++) {
            actions.add(publish(random, random.nextLong(spanMillis), spanMillis));
        }
        int others = random.nextInt(8);
        for (int i = 0; i < others; i++) {
            // Half of them in the middle of what another action has started.
            long atMillis = random.nextBoolean() ? random.nextLong(spanMillis)
                    : actions.get(random.nextInt(actions.size())).atMillis() + random.nextInt(8);
            Action other = other(random, atMillis, spanMillis);
            actions.add(other);
            if (other.kind() == Kind.CLEAR) {
                actions.add(publish(random, atMillis + random.nextInt(8), spanMillis));
            } else if (other.kind() == Kind.STEP_CLOCK) {
                actions.add(new Action(atMillis, Kind.PUBLISH, 1, 60_000 + random.nextLong(60_000)));
            } else if (other.kind() == Kind.TICK && other.millis() == LONG_TICK_MILLIS) {
                // What waits for a day is rounded by it, and it is lowered again.
                actions.add(new Action(atMillis + random.nextInt(8), Kind.PUBLISH, 1, 86_400_000));
                long lowerAtMillis = atMillis + 8 + random.nextLong(spanMillis);
                actions.add(new Action(lowerAtMillis, Kind.TICK, 0, pick(random, 1, 50, 1_000)));
                actions.add(publish(random, lowerAtMillis + random.nextInt(8), spanMillis));
            }
        }
        if (seed < 0) {
            actions.addAll(StorageFate.drawn(seed, spanMillis));
        }
        if (seed < 0 && Math.floorMod(seed, SEEDS_AN_OUTAGE) == 1) {
            addOutage(new SplittableRandom(~seed), spanMillis, actions);
        }
        if (Math.floorMod(seed, SEEDS_A_CLOSE_THAT_FAILS) == 0) {
            addCloseThatFails(new SplittableRandom(~seed), spanMillis, actions);
        }
        if (seed < 0 && Math.floorMod(seed, SEEDS_A_FORMER_OWNER) == SEEDS_A_FORMER_OWNER - 1) {
            addTwoOwners(new SplittableRandom(~seed), spanMillis, actions);
        }
        if (seed < 0 && Math.floorMod(seed, SEEDS_A_CLOSE_WHILE_SEALING) == 2) {
            addClosesWhileSealing(new SplittableRandom(~seed), spanMillis, actions);
        }
        if (Math.floorMod(seed, SEEDS_A_LONG_READ) == 5) {
            addReadThatHangs(new SplittableRandom(~seed), spanMillis, actions);
        }
        if (setup.is(Setup.Parameter.JOURNAL)) {
            actions.addAll(JournalFate.actions(seed, setup, spanMillis));
        }
        return new Scenario(setup, actions);
    }

    /** What is held falls due above a read position that stays where it is. */
    private static void addReadThatHangs(SplittableRandom random, long spanMillis, List<Action> actions) {
        long atMillis = random.nextLong(spanMillis);
        actions.add(new Action(atMillis, Kind.CONNECT, 0, 0));
        actions.add(new Action(atMillis, Kind.PUBLISH_SPREAD, 1 + random.nextInt(14), 20_000));
        long backMillis = atMillis + 100 + random.nextInt(10_000);
        actions.add(new Action(backMillis, Kind.SEEK_BACK, 100, 0));
        actions.add(new Action(backMillis + random.nextInt(5), Kind.HANG_READ, random.nextInt(2), 30_000));
    }

    /** A few milliseconds from the last step of a seal, and of those from each other. */
    private static void addClosesWhileSealing(SplittableRandom random, long spanMillis, List<Action> actions) {
        long atMillis = random.nextLong(Math.min(spanMillis, 30_000));
        for (int i = 0; i < CLOSES_WHILE_SEALING; i++) {
            actions.add(new Action(atMillis, Kind.CONNECT, 0, 0));
            actions.add(new Action(atMillis, Kind.PUBLISH_SPREAD, SimulatedBuckets.SEAL_POSITIONS, 900_000));
            atMillis += random.nextInt(60);
            actions.add(new Action(atMillis, Kind.SWITCH_TYPE, 0, 0));
            actions.add(new Action(atMillis + 6 + random.nextInt(40), Kind.UNLOAD, 0, 0));
            atMillis += 1_000;
        }
    }

    /** Some buckets are there when the next owner reads the record, and the former one merges them after that. */
    private static void addTwoOwners(SplittableRandom random, long spanMillis, List<Action> actions) {
        long atMillis = random.nextLong(Math.min(spanMillis, 30_000));
        actions.add(new Action(atMillis, Kind.CONNECT, 0, 0));
        long lastMillis = atMillis + 1_000L * (1 + random.nextInt(3));
        for (long sealMillis = atMillis; sealMillis < lastMillis; sealMillis += 1_000) {
            actions.add(new Action(sealMillis, Kind.PUBLISH_SPREAD, 8, 900_000));
        }
        actions.add(new Action(lastMillis, Kind.PUBLISH_SPREAD, 1 + random.nextInt(4), 900_000));
        long goesOnMillis = pick(random, 10, 7_000, 11_900, 11_900);
        actions.add(new Action(lastMillis + random.nextInt(100), Kind.TWO_OWNERS, goesOnMillis, pick(random, 0, 90_000, 90_000)));
        actions.add(new Action(lastMillis + goesOnMillis + 120_000, Kind.FLUSH, 0, 0));
    }

    /** Of numbers of its own, so that the rest of a seed is what it is without. Something is published before and meanwhile. */
    private static void addOutage(SplittableRandom random, long spanMillis, List<Action> actions) {
        long atMillis = random.nextLong(Math.min(spanMillis, 30_000));
        long millis = random.nextInt(RARELY) == 0 ? 3 * HOUR_MILLIS : pick(random, 5_000, 100_000, 200_000, 400_000);
        long delayMillis = Math.min(millis, 20_000 + random.nextLong(300_000));
        actions.add(new Action(atMillis, Kind.PUBLISH_SPREAD, 8 + random.nextInt(30), delayMillis));
        actions.add(new Action(atMillis + random.nextLong(10_000), Kind.STORAGE_AWAY, random.nextInt(8), millis));
        actions.add(new Action(atMillis + random.nextLong(millis), Kind.PUBLISH_SPREAD, 1 + random.nextInt(100), delayMillis));
        actions.add(new Action(atMillis + millis + 20_000, Kind.FLUSH, 0, 0));
    }

    /** Of numbers of its own as well. Something waits before, and is published when the dispatcher is in use again. */
    private static void addCloseThatFails(SplittableRandom random, long spanMillis, List<Action> actions) {
        long atMillis = random.nextLong(spanMillis);
        long millis = pick(random, 0, 20_000, 70_000, 130_000, 250_000);
        long delayMillis = 1 + random.nextLong(2 * millis + spanMillis);
        actions.add(new Action(atMillis, Kind.PUBLISH_SPREAD, 1 + random.nextInt(14), delayMillis));
        actions.add(new Action(atMillis + random.nextLong(1_000), Kind.CLOSE_FAILS, random.nextInt(RARELY) == 0 ? 0 : 1, millis));
        actions.add(new Action(atMillis + 1_000 + millis, Kind.PUBLISH_SPREAD, 1 + random.nextInt(14), delayMillis));
    }

    private static Action publish(SplittableRandom random, long atMillis, long spanMillis) {
        int count = random.nextInt(120) == 0 ? 100 + random.nextInt(100) : 1 + random.nextInt(14);
        return switch (random.nextInt(11)) {
            case 10 -> new Action(atMillis, Kind.PUBLISH_FOREVER, 1, 0);
            case 0, 1 -> new Action(atMillis, Kind.PUBLISH, count, 0);
            case 2, 3, 4 -> new Action(atMillis, Kind.PUBLISH, count, 1 + random.nextLong(spanMillis));
            case 5 -> new Action(atMillis, Kind.PUBLISH_SPREAD, count, 86_400_000);
            default -> new Action(atMillis, Kind.PUBLISH_SPREAD, count, 1 + random.nextLong(spanMillis));
        };
    }

    private static Action other(SplittableRandom random, long atMillis, long spanMillis) {
        Kind kind = DISTURBANCES.get(random.nextInt(DISTURBANCES.size()));
        return switch (kind) {
            case TICK -> new Action(atMillis, kind, 0, pick(random, 1, 50, 1_000, 5_000, LONG_TICK_MILLIS));
            case POLICY, UNLOAD -> new Action(atMillis, kind, random.nextInt(2), 0);
            case EXPIRE -> new Action(atMillis, kind, 0, random.nextLong(spanMillis));
            case STEP_CLOCK -> new Action(atMillis, kind, 0,
                    pick(random, -3_600_000, -5_000, -100, 100, 5_000, 3_600_000, 3_600_000));
            case FAIL_READS -> new Action(atMillis, kind, 1 + random.nextInt(3), 0);
            case HANG_READ, SLOW_WORKER -> new Action(atMillis, kind, random.nextInt(2), pick(random, 50, 2_000, 30_000));
            case ACK -> new Action(atMillis, kind, random.nextInt(12), random.nextLong(pick(random, 25, 25, 120)));
            case SKIP, SEEK_BACK, SEEK_FORWARD -> new Action(atMillis, kind, random.nextLong(pick(random, 12, 12, 12, 200)), 0);
            default -> new Action(atMillis, kind, random.nextInt(12), 0);
        };
    }

    private static long pick(SplittableRandom random, long... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** Reads what {@link #toString} printed. */
    public static Scenario parse(String line) {
        String[] sides = line.split(" \\| ", 2);
        List<Action> actions = new ArrayList<>();
        for (String action : sides[1].trim().split(" ")) {
            actions.add(Action.parse(action));
        }
        return new Scenario(Setup.parse(sides[0]), actions);
    }

    Scenario withActions(List<Action> others) {
        return new Scenario(setup, others);
    }

    @Override
    public String toString() {
        return setup + SEPARATOR + actions.stream().map(Action::toString).collect(Collectors.joining(" "));
    }

    /** A scenario in the making. */
    public static final class Script {
        private final Setup setup;
        private final List<Action> actions = new ArrayList<>();
        private long atMillis;

        private Script(Setup setup) {
            this.setup = setup;
        }

        /** Moves on to a moment since the start. */
        public Script at(long millis) {
            atMillis = millis;
            return this;
        }

        /** Something happens now; see {@link Action.Kind} for the numbers. */
        public Script then(Kind kind, long number, long millis) {
            actions.add(new Action(atMillis, kind, number, millis));
            return this;
        }

        /** Something happens now that needs no number. */
        public Script then(Kind kind) {
            return then(kind, 0, 0);
        }

        /** The scenario. */
        public Scenario end() {
            return new Scenario(setup, actions);
        }
    }
}
