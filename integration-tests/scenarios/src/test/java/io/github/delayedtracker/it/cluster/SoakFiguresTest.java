/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.it.cluster.SoakFigures.Figure;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;

/** A soak tells a figure that goes up and down with the load from one that grows. */
class SoakFiguresTest {

    private static final long CYCLE_MILLIS = 1_000;
    private static final long LOOK_MILLIS = 100;

    private final SoakFigures figures = new SoakFigures(CYCLE_MILLIS);

    /** Threads as they are told, and all else level; up and down by 50 in each cycle. */
    private void cycles(int cycles, LongToDoubleFunction threads) {
        for (long millis = LOOK_MILLIS; millis <= cycles * CYCLE_MILLIS; millis += LOOK_MILLIS) {
            double wave = 50.0 * (millis % CYCLE_MILLIS) / CYCLE_MILLIS;
            Map<Figure, Double> seen = new EnumMap<>(Figure.class);
            for (Figure figure : Figure.values()) {
                seen.put(figure, 100 + wave);
            }
            seen.put(Figure.THREADS, threads.applyAsDouble(millis) + wave);
            figures.see(millis, 7, 8, seen);
        }
    }

    @Test
    void whatGoesUpAndDownHasNotGrown() {
        cycles(10, millis -> 100);
        assertEquals(List.of(), figures.grown());
        assertTrue(figures.text().endsWith("nothing has grown\n"), figures.text());
    }

    @Test
    void whatGrowsFromCycleToCycleIsNamed() {
        cycles(10, millis -> 100 + 50.0 * millis / (10 * CYCLE_MILLIS));
        assertEquals(1, figures.grown().size(), figures.grown()::toString);
        assertTrue(figures.grown().get(0).startsWith("THREADS has grown: "), figures.grown()::toString);
    }

    @Test
    void theFirstCycleDoesNotCount() {
        cycles(10, millis -> millis <= CYCLE_MILLIS ? 10 : 100);
        assertEquals(List.of(), figures.grown());
    }

    @Test
    void fewCyclesTellNothing() {
        cycles(SoakFigures.LEAST_CYCLES - 1, millis -> 100.0 * millis);
        assertEquals(List.of(), figures.grown());
        assertTrue(figures.text().contains("too few to tell"), figures.text());
    }

    @Test
    void eachLookIsALine() {
        figures.see(10_000, 7, 8, Map.of(Figure.THREADS, 9.0));
        assertEquals("seconds,rate,delayed,live_mib,resident_mib,threads,file_handles,ledgers\n10,7,8,,,9.0,,\n", figures.csv());
    }
}
