/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import io.github.delayedtracker.acks.ModelCursor.Form;
import java.util.List;

/** Scenarios of the journal: with and without races, failures of the storage, and changes of the record's limit in turn. */
public final class JournalSimulation {

    private JournalSimulation() {
    }

    /**
     * Runs scenarios until one breaks a promise.
     *
     * @return which promise, how, and the seed; nothing if none does
     */
    public static List<String> run(long firstSeed, int count) {
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            try {
                scenario(seed, false).run();
            } catch (AssertionError | RuntimeException e) {
                String message = String.valueOf(e.getMessage());
                return List.of(message.startsWith("acknowledged, and") ? "AcknowledgedStays" : "NothingElseIsAcknowledged",
                        message.lines().findFirst().orElse(""), Long.toString(seed));
            }
        }
        return List.of();
    }

    /** Brokers with other settings than those before. One in two has a limit at which the record looks cut off. */
    private static Form next(World world, ModelCursor.Durable last, Form first) {
        Form form = last.lastForm(first);
        int ranges = last.ranges();
        int most = ranges > 0 && world.chance(0.5) ? ranges : 4 + world.random.nextInt(6);
        return world.isCalm || world.chance(0.8) ? form : new Form(most, form.asBitmaps(), form.keepsFirstLedger());
    }

    static JournalScenario scenario(long seed, boolean isLogged) {
        World world = new World(seed);
        boolean asBitmaps = world.chance(0.4);
        Form form = new Form(4 + world.random.nextInt(6), asBitmaps, asBitmaps || world.chance(0.5));
        ModelCursor.Durable record = new ModelCursor.Durable();
        RunLog log = new RunLog("seed " + seed + " " + form, isLogged);
        boolean limitsChange = seed % 3 == 2;
        boolean races = seed % 2 == 0;
        double recordsWritten = races || world.chance(0.5) ? 0.3 : 0.03;
        return new JournalScenario(world, log, races, seed % 4 < 2 ? 0 : 0.05, life ->
                new ModelCursor(world, life, record, limitsChange ? next(world, record, form) : form, recordsWritten));
    }
}
