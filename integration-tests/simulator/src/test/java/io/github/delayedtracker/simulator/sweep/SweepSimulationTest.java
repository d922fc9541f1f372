/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Clusters that share bookies and a name, over many seeds. */
class SweepSimulationTest {

    private static final int SEEDS = 60;
    private static final String LOGGERS = "io.github.delayedtracker";

    private Level levelBefore;

    @BeforeEach
    void silenceTheLogOfSoManyBrokers() {
        levelBefore = LogManager.getLogger(LOGGERS).getLevel();
        Configurator.setLevel(LOGGERS, Level.OFF);
    }

    @AfterEach
    void letTheLogSpeakAgain() {
        Configurator.setLevel(LOGGERS, levelBefore);
    }

    @Test
    @DisplayName("S11: sweeps go on where they stopped, and delete nothing of a cluster of equal name")
    void allOrphansGoAndNothingElseDoes() {
        assertEquals(Optional.empty(), SweepSimulation.run(1, SEEDS));
    }
}
