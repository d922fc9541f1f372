/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.metrics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.delayedtracker.metrics.Metric.Kind;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class SamplesTest {

    private static final Metric PLAIN = Metric.counter(Metric.SUBSCRIPTION, "eggs_total", "eggs", "laid");
    private static final Metric LABELLED = Metric.gauge(Metric.SUBSCRIPTION, "hens", "", "by coop and colour", "coop", "colour");
    private static final Metric STATE = new Metric(Metric.SUBSCRIPTION, "weather", Kind.STATE, "", "1", List.of("sky"));

    @Test
    void eachCombinationOfLabelValuesIsASeries() {
        Samples samples = new Samples().put(PLAIN, 3).put(LABELLED, 1, "a", "red").put(LABELLED, 2, "b|c", "x=y");
        assertEquals(List.of("pulsar_delayed_index_eggs_total", "pulsar_delayed_index_hens_a_red",
                "pulsar_delayed_index_hens_b|c_x=y"), samples.all().stream().map(sample -> sample.series().name()).toList());
        assertEquals(List.of("b|c", "x=y"), samples.all().get(2).labelValues());
        assertEquals(2, samples.get("hens_b|c_x=y"));
    }

    @Test
    void thereMayBeMoreValuesThanUsual() {
        Samples samples = new Samples();
        for (int i = 0; i < 100; i++) {
            samples.put(LABELLED, i, "a", Integer.toString(i));
        }
        assertEquals(100, samples.all().size());
        for (int i = 0; i < 100; i++) {
            assertEquals(i, samples.get("hens_a_" + i));
        }
    }

    @Test
    void theOnlySeriesOfAMetricIsMadeOnce() {
        assertSame(PLAIN.series(), PLAIN.series());
        assertEquals(0, PLAIN.series().labelsAndValues().length);
        assertSame(PLAIN.series(), new Samples().put(PLAIN, 1).all().get(0).series());
    }

    @Test
    void eachLabelStandsBeforeItsValue() {
        assertArrayEquals(new String[] {"coop", "a", "colour", "red"}, LABELLED.series("a", "red").labelsAndValues());
    }

    @Test
    void aStateIsOneSeriesWhateverItsLabelsSay() {
        assertEquals("pulsar_delayed_index_weather", new Samples().put(STATE, 1, "blue").all().get(0).series().name());
    }

    @Test
    void othersFollowInTheirOrder() {
        assertEquals("weather=1 eggs_total=3",
                new Samples().put(STATE, 1, "blue").putAll(new Samples().put(PLAIN, 3)).toString());
    }

    @Test
    void aValueForEachLabelIsAskedFor() {
        assertThrows(IllegalArgumentException.class, () -> new Samples().put(LABELLED, 1, "a"));
        assertThrows(IllegalArgumentException.class, () -> new Samples().put(PLAIN, 1, "a"));
    }

    @Test
    void aSeriesThatIsNotThereIsNamed() {
        assertEquals("no hens in eggs_total=3",
                assertThrows(NoSuchElementException.class, () -> new Samples().put(PLAIN, 3).get("hens")).getMessage());
    }
}
