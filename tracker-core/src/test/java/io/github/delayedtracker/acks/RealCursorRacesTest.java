/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.acks.AckRestore.End;
import java.util.EnumMap;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The scenarios of the journal on the broker's own cursor. {@code -Djournal.real=N} runs another number, {@code
 * -Djournal.seed=N} begins with that seed.
 */
public class RealCursorRacesTest {

    private static final int RUNS = Integer.getInteger("journal.real", 12);
    private static final long FIRST_SEED = Long.getLong("journal.seed", 1);

    private static final String LOGGERS = "org.apache.bookkeeper.mledger";
    private static Level levelBefore;

    /** Cursors that were killed complain when their factory is shut down. */
    @BeforeAll
    static void silenceTheBroker() {
        levelBefore = LogManager.getLogger(LOGGERS).getLevel();
        Configurator.setLevel(LOGGERS, Level.OFF);
    }

    @AfterAll
    static void letTheBrokerSpeakAgain() {
        Configurator.setLevel(LOGGERS, levelBefore);
    }

    @Test
    void nothingIsAcknowledgedThatNobodyHasAcknowledgedAndNothingIsForgotten() throws Exception {
        Map<End, Integer> ends = new EnumMap<>(End.class);
        long restored = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            World world = new World(seed);
            int most = 4 + world.random.nextInt(6);
            try (RealCursors cursors = new RealCursors(most)) {
                JournalScenario scenario = new JournalScenario(world,
                        new RunLog("seed " + seed + ", " + most + " ranges", true), seed % 2 == 0, 0.02, cursors);
                scenario.run();
                scenario.restores.ends.forEach((end, count) -> ends.merge(end, count, Integer::sum));
                restored += scenario.restores.positions;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        System.out.printf("journal on the real cursor: %,d runs, restores %s, %,d positions%n", RUNS, ends, restored);
        assertTrue(ends.getOrDefault(End.APPLIED, 0) > 0, () -> "nothing was restored: " + ends);
    }
}
