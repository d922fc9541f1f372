/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.simulator.Action.Kind;
import io.github.delayedtracker.simulator.Setup.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What the scenarios with a journal of acknowledgements have beyond the others: more holes behind mark-delete than a record
 * holds, and what makes brokers, consumers and users come back to them. From numbers of their own.
 */
final class JournalFate {

    private static final int SEEDS_A_JOURNAL = 3;
    private static final int FORMER_OWNERS = 8;
    private static final long OF_ITS_OWN = 0x5851f42d4c957f2dL;
    private static final long[] LIMITS = {2, 3, 4, 5, 6, 8, 15};
    private static final long[] FAULTS = {0, 0, 0, 5, 40};
    private static final long SOON_MILLIS = 2_500;
    private static final int SOON_AFTER_MILLIS = 120;
    private static final int MOST_TO_SEEK = 40;
    private static final int MOST_NEAR = 12;

    private JournalFate() {
    }

    private static SplittableRandom random(long seed) {
        return new SplittableRandom(seed ^ OF_ITS_OWN);
    }

    /** Gives every third seed a journal, unless it has a former owner, whose cursor would be another one. */
    static void draw(long seed, Setup setup) {
        boolean hasFormerOwner = seed < 0 && Math.floorMod(seed, FORMER_OWNERS) == FORMER_OWNERS - 1;
        if (Math.floorMod(seed, SEEDS_A_JOURNAL) == 1 && !hasFormerOwner) {
            SplittableRandom random = random(seed);
            setup.with(Parameter.JOURNAL, pick(random, LIMITS)).with(Parameter.EVERY_RECORD, random.nextInt(4) == 0 ? 1 : 0)
                    .with(Parameter.JOURNAL_FAULTS, seed < 0 ? 0 : pick(random, FAULTS)).with(Parameter.ACKS_AT_ONCE, 1);
        }
    }

    /** Some rounds: messages that leave holes, a while, and what disturbs them. */
    static List<Action> actions(long seed, Setup setup, long spanMillis) {
        SplittableRandom random = random(~seed);
        List<Action> actions = new ArrayList<>();
        int most = setup.number(Parameter.JOURNAL);
        long atMillis = random.nextLong(Math.min(spanMillis, 20_000));
        // It holds mark-delete back.
        actions.add(new Action(atMillis, Kind.PUBLISH, 1, pick(random, 600_000, 2_000_000)));
        for (int round = 1 + random.nextInt(2); round > 0; round--) {
            actions.add(new Action(atMillis, Kind.CONNECT, 0, 0));
            atMillis = addHoles(random, atMillis, 1 + random.nextInt(2 * most), actions);
            atMillis += pick(random, 2_000, 7_000, 20_000, 70_000, 70_000, 130_000);
            int disturbances = 1 + random.nextInt(4);
            for (int i = 0; i < disturbances; i++) {
                actions.add(disturbance(random, atMillis));
                atMillis += random.nextLong(SOON_MILLIS);
                if (random.nextBoolean()) {
                    actions.add(new Action(atMillis, Kind.CONNECT, 0, 0));
                }
            }
        }
        addCancels(new SplittableRandom(seed * OF_ITS_OWN), actions);
        addMoves(new SplittableRandom(~seed * OF_ITS_OWN), actions);
        addTimes(new SplittableRandom(seed + OF_ITS_OWN), actions);
        return actions;
    }

    /** In every second scenario, soon before or after what else happens. */
    private static void addCancels(SplittableRandom random, List<Action> actions) {
        List<Action> others = List.copyOf(actions);
        for (int i = random.nextBoolean() ? 3 + random.nextInt(6) : 0; i > 0; i--) {
            Action near = others.get(others.size() - 1 - random.nextInt(Math.min(others.size(), MOST_NEAR)));
            long atMillis = Math.max(0, near.atMillis() + random.nextLong(2 * SOON_MILLIS) - SOON_MILLIS);
            actions.add(new Action(atMillis, Kind.CANCEL, random.nextInt(40), random.nextInt(12)));
        }
    }

    /** The same. */
    private static void addMoves(SplittableRandom random, List<Action> actions) {
        List<Action> others = List.copyOf(actions);
        for (int i = random.nextBoolean() ? 2 + random.nextInt(6) : 0; i > 0; i--) {
            Action near = others.get(others.size() - 1 - random.nextInt(Math.min(others.size(), MOST_NEAR)));
            long atMillis = Math.max(0, near.atMillis() + random.nextLong(2 * SOON_MILLIS) - SOON_MILLIS);
            actions.add(new Action(atMillis, Kind.MOVE, random.nextInt(160),
                    pick(random, 0, 0, 1, 700, 3_000, 20_000, 60_000, 300_000)));
        }
    }

    /** Commands by due time, in every second scenario: near what else happens, after a load, or after a cancel that fails. */
    private static void addTimes(SplittableRandom random, List<Action> actions) {
        List<Action> others = List.copyOf(actions);
        List<Action> loads = others.stream().filter(each -> each.kind() == Kind.KILL || each.kind() == Kind.UNLOAD).toList();
        List<Action> failing = others.stream().filter(each -> each.kind() == Kind.CANCEL && each.number() % 2 != 0).toList();
        for (int i = random.nextBoolean() ? 1 + random.nextInt(5) : 0; i > 0; i--) {
            int how = random.nextInt(4);
            if (how % 3 == 0 && !loads.isEmpty()) {
                long loadMillis = loads.get(random.nextInt(loads.size())).atMillis();
                actions.add(new Action(Math.max(0, loadMillis - 1 - random.nextLong(SOON_MILLIS)), Kind.MOVE, random.nextInt(80),
                        pick(random, 20_000, 60_000, 300_000)));
                actions.add(new Action(loadMillis + random.nextInt(SOON_AFTER_MILLIS), Kind.MOVE_DUE, 2_000_000, 20_000));
            } else if (how == 1 && !failing.isEmpty()) {
                actions.add(new Action(failing.get(random.nextInt(failing.size())).atMillis() + random.nextInt(SOON_AFTER_MILLIS),
                        Kind.MOVE_DUE, 5_000, pick(random, 0, 700, 20_000)));
            } else {
                Action near = others.get(others.size() - 1 - random.nextInt(Math.min(others.size(), MOST_NEAR)));
                long atMillis = Math.max(0, near.atMillis() + random.nextLong(2 * SOON_MILLIS) - SOON_MILLIS);
                long ahead = pick(random, 0, 1_000, 60_000, 600_000, 2_000_000);
                actions.add(random.nextBoolean() ? new Action(atMillis, Kind.CANCEL_DUE, random.nextLong(1 + ahead / 2), ahead)
                        : new Action(atMillis, Kind.MOVE_DUE, ahead, pick(random, 0, 700, 20_000, 300_000)));
            }
        }
    }

    /** Each message that is sent stands between two that wait. */
    private static long addHoles(SplittableRandom random, long fromMillis, int holes, List<Action> actions) {
        long atMillis = fromMillis;
        for (int i = 0; i < holes; i++) {
            actions.add(new Action(atMillis, Kind.PUBLISH, 1 + random.nextInt(2), random.nextInt(3) == 0 ? 1_500 : 0));
            actions.add(new Action(atMillis, Kind.PUBLISH, 1, pick(random, 60_000, 400_000, 900_000)));
            atMillis += random.nextInt(5) == 0 ? random.nextLong(SOON_MILLIS) : random.nextInt(20);
        }
        return atMillis;
    }

    private static Action disturbance(SplittableRandom random, long atMillis) {
        return switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> new Action(atMillis, Kind.KILL, 0, 0);
            case 4, 5, 6 -> new Action(atMillis, Kind.UNLOAD, random.nextInt(2), 0);
            case 7, 8 -> new Action(atMillis, Kind.SEEK_BACK, random.nextInt(MOST_TO_SEEK), 0);
            case 9 -> new Action(atMillis, Kind.SEEK_FORWARD, random.nextInt(3), 0);
            case 10, 11 -> new Action(atMillis, Kind.DISCONNECT_ALL, 0, 0);
            case 12 -> new Action(atMillis, Kind.SWITCH_TYPE, 0, 0);
            case 13 -> new Action(atMillis, Kind.SKIP, random.nextInt(3), 0);
            case 14 -> new Action(atMillis, Kind.STORAGE_AWAY, random.nextInt(8), pick(random, 1_000, 6_000, 30_000));
            default -> new Action(atMillis, Kind.HANG_READ, random.nextInt(2), pick(random, 100, 2_000, 9_000));
        };
    }

    private static long pick(SplittableRandom random, long... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
