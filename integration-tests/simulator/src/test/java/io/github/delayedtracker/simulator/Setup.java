/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.StringJoiner;

/**
 * Everything about a scenario that is fixed while it runs, as named numbers: drawn from a seed or set by hand, printed in one
 * line and read back from it.
 */
public final class Setup {

    /** What each number means, in the order in which they are drawn. */
    public enum Parameter {
        /** Seed of every draw made while the scenario runs. */
        SEED(1),
        /** 0 heap, 1 timebucket, 2 timebucket whose parts are full after a few positions, 3 bucket, the same. */
        BACKEND(0),
        /** Broker line: 0 is 4.0, 1 is 4.2, 2 is 5.0. */
        LINE(0),
        /** 1: never early. */
        STRICT(0),
        /** Tick in force when the scenario starts, in milliseconds. */
        TICK(1_000),
        /** Width of a time bucket, in milliseconds; 0: follows the tick. */
        PRECISION(0),
        /** Ratio of the adaptive precision; 0: off. */
        ADAPTIVE(0),
        /** 1: Key_Shared with two keys for each consumer. */
        KEY_SHARED(0),
        /** 1: of consumers of Key_Shared the second acknowledges nothing of the few messages that it takes. */
        STUCK(0),
        /** Messages in replay beyond which Key_Shared reads nothing new. */
        LOOK_AHEAD(2_000),
        /** Entries of a full ledger. */
        LEDGER(20),
        /** Entries the dispatcher reads at a time at most. */
        BATCH(10),
        /** Permits of each consumer. */
        QUEUE(1_000),
        /** Longest time each step of a read, an acknowledgement's way or a hand-over to another thread takes, milliseconds. */
        LATENCY(0),
        /** Longest time a consumer works on a message, milliseconds. */
        WORK(0),
        /** Percentage of messages a consumer does not acknowledge but wants again. */
        NACK(0),
        /** Percentage of messages a consumer puts off: it publishes them again with a delay and acknowledges them. */
        PUT_OFF(0),
        /** Percentage of messages a consumer keeps until it disconnects. */
        HOLD(0),
        /** 1: mark-delete is told as the start of the next ledger where it ends one. */
        LEDGER_START(0),
        /** 0: reads take what the tracker holds as well, as where the stock tracker type cannot be extended. */
        SKIP(1),
        /** Longest time until the background worker has done something, milliseconds. */
        WORKER(0),
        /** Percentage of looks at the statistics after an event. */
        STATS(5),
        /** For each kind of fault that passes: how many of a thousand calls of the storage it strikes. */
        FAULTS(0),
        /** 0: the cursor is asked about each position, as where the broker keeps acknowledgements as ranges. */
        ACKS_AT_ONCE(1),
        /** Bytes that tails and loaded segments may take; 0: no limit. */
        MEMORY(0),
        /** Calls of the storage that all subscriptions have under way at a time; 0: as many as in a broker. */
        CALLS(0),
        /** The limit of the cursor's record where acknowledgements have a journal; 0: there is none. */
        JOURNAL(0),
        /** 1: each acknowledgement writes a record, and what is left at a close goes to the cursor's ledger. */
        EVERY_RECORD(0),
        /** As FAULTS, of a storage that has journals only. */
        JOURNAL_FAULTS(0),
        /** 1: the subscription is deleted while messages wait. */
        ENDS_EARLY(0);

        private final long usual;

        Parameter(long usual) {
            this.usual = usual;
        }
    }

    /** The backend that stores. */
    static final int BUCKET = 3;
    private static final int[] FAULTS = {0, 5, 40};
    private static final int SEEDS_A_STUCK_CONSUMER = 4;
    private static final int FEW_AHEAD = 8;
    private static final int SEEDS_A_LIMIT = 3;
    private static final int SEEDS_WITHOUT_BITMAPS = 4;
    /** Those whose rest is 4, which have a journal. */
    private static final int SEEDS_AN_EARLY_END = 24;
    private static final long SMALL_MEMORY = 2_000;
    /** By the rest of the seed. */
    private static final long[] CALLS_AT_A_TIME = {1, 3, 0, 0, 0};

    private final EnumMap<Parameter, Long> values = new EnumMap<>(Parameter.class);

    private Setup() {
        for (Parameter parameter : Parameter.values()) {
            values.put(parameter, parameter.usual);
        }
    }

    /** A calm one: heap, a tick of a second, no latency, consumers that acknowledge at once. */
    public static Setup calm() {
        return new Setup();
    }

    /** Draws one; a negative seed is one of the backend that stores. */
    static Setup drawn(long seed, SplittableRandom random) {
        Setup setup = new Setup().with(Parameter.SEED, seed);
        int inMemory = random.nextInt(3);
        setup.with(Parameter.BACKEND, seed < 0 ? BUCKET : inMemory).with(Parameter.FAULTS, seed < 0 ? FAULTS[inMemory] : 0);
        setup.with(Parameter.LINE, random.nextInt(3));
        setup.with(Parameter.STRICT, random.nextInt(2));
        setup.with(Parameter.TICK, pick(random, 1, 10, 100, 1_000, 1_000, 3_000));
        setup.with(Parameter.PRECISION, pick(random, 0, 0, 0, 1, 64, 1_024, 8_192));
        setup.with(Parameter.ADAPTIVE, pick(random, 0, 0, 12, 100));
        setup.with(Parameter.KEY_SHARED, pick(random, 0, 0, 1)).with(Parameter.LOOK_AHEAD, pick(random, 2_000, 40));
        setup.with(Parameter.LEDGER, pick(random, 1, 3, 10, 20, 1_000)).with(Parameter.BATCH, pick(random, 1, 4, 10, 100));
        setup.with(Parameter.QUEUE, pick(random, 1, 3, 1_000)).with(Parameter.LATENCY, pick(random, 0, 1, 5));
        setup.with(Parameter.WORK, pick(random, 0, 5, 500, 20_000)).with(Parameter.NACK, pick(random, 0, 0, 20));
        setup.with(Parameter.HOLD, pick(random, 0, 0, 10)).with(Parameter.LEDGER_START, random.nextInt(2));
        setup.with(Parameter.SKIP, pick(random, 1, 1, 0)).with(Parameter.WORKER, pick(random, 0, 20_000));
        setup.with(Parameter.PUT_OFF, pick(random, 0, 0, 15));
        // Not drawn, so that every other number of a seed is what it is without.
        if (setup.is(Parameter.KEY_SHARED) && Math.floorMod(seed, SEEDS_A_STUCK_CONSUMER) == 0) {
            setup.with(Parameter.STUCK, 1).with(Parameter.LOOK_AHEAD, FEW_AHEAD);
        }
        setup.with(Parameter.ACKS_AT_ONCE, Math.floorMod(seed, SEEDS_WITHOUT_BITMAPS) == 0 ? 0 : 1);
        setup.with(Parameter.MEMORY, seed < 0 && Math.floorMod(seed, SEEDS_A_LIMIT) == 0 ? SMALL_MEMORY : 0);
        setup.with(Parameter.CALLS, seed < 0 ? CALLS_AT_A_TIME[Math.floorMod(seed, CALLS_AT_A_TIME.length)] : 0);
        JournalFate.draw(seed, setup);
        setup.with(Parameter.ENDS_EARLY, Math.floorMod(seed, SEEDS_AN_EARLY_END) == 4 ? 1 : 0);
        return setup.with(Parameter.STATS, pick(random, 0, 2, 10));
    }

    private static long pick(SplittableRandom random, long... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** Sets a number. */
    public Setup with(Parameter parameter, long value) {
        values.put(parameter, value);
        return this;
    }

    long get(Parameter parameter) {
        return values.get(parameter);
    }

    int number(Parameter parameter) {
        return Math.toIntExact(get(parameter));
    }

    boolean is(Parameter parameter) {
        return get(parameter) != 0;
    }

    /** Reads what {@link #toString} printed. */
    static Setup parse(String text) {
        Map<String, Long> read = new LinkedHashMap<>();
        for (String pair : text.trim().split(" ")) {
            String[] sides = pair.split("=");
            read.put(sides[0], Long.valueOf(sides[1]));
        }
        Setup setup = new Setup();
        read.forEach((name, value) -> setup.with(Parameter.valueOf(name), value));
        return setup;
    }

    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(" ");
        for (Parameter parameter : Parameter.values()) {
            text.add(parameter + "=" + get(parameter));
        }
        return text.toString();
    }
}
