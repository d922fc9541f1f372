/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The plot of a soak has a line for each figure, level where the figure is as in the second cycle. */
class SoakPlotTest {

    @Test
    void aFigureIsDrawnAsAShareOfItsMostInTheSecondCycle() {
        String svg = SoakPlot.draw(List.of("seconds,rate,delayed,threads,ledgers", "600,1,1,100,", "900,1,1,80,4",
                "1200,1,1,40,2", "1800,1,1,80,"));
        List<String> lines = Pattern.compile("points=\"([^\"]*)\"").matcher(svg).results().map(line -> line.group(1)).toList();
        assertEquals(2, lines.size(), svg);
        assertEquals(4, lines.get(0).split(" ").length, "a point for each look");
        assertEquals(2, lines.get(1).split(" ").length, "none where it was not seen");
        String[] threads = lines.get(0).split(" ");
        assertEquals(threads[1].split(",")[1], threads[3].split(",")[1], "as much as its most in the second cycle");
        assertTrue(svg.contains(">threads</text>") && svg.contains(">ledgers</text>"), svg);
    }
}
