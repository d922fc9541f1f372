/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class HistogramTest {

    private static final Metric BUCKETS = Metric.histogram(Metric.BROKER, "x_ms_bucket", "", "", "type", Histogram.BOUND);
    private static final Metric SUM = Metric.histogram(Metric.BROKER, "x_ms_sum", "", "", "type");
    private static final Metric COUNT = Metric.histogram(Metric.BROKER, "x_ms_count", "", "", "type");

    @Test
    void aValueCountsInAllBucketsFromItsOwnOn() {
        Histogram histogram = new Histogram(10, 20);
        histogram.count(0);
        histogram.count(10);
        histogram.count(11);
        histogram.count(21);
        assertEquals("x_ms_bucket_a_10=2 x_ms_bucket_a_20=3 x_ms_bucket_a_+Inf=4 x_ms_sum_a=42 x_ms_count_a=4",
                histogram.samples(BUCKETS, SUM, COUNT, "a").toString());
    }

    @Test
    void anEmptyOneHasAllItsParts() {
        assertEquals("x_ms_bucket_a_5=0 x_ms_bucket_a_+Inf=0 x_ms_sum_a=0 x_ms_count_a=0",
                new Histogram(5).samples(BUCKETS, SUM, COUNT, "a").toString());
    }

    @Test
    void boundsAscend() {
        assertEquals("the bounds of a histogram ascend, but these do not: [1, 3, 3]",
                assertThrows(IllegalArgumentException.class, () -> new Histogram(1, 3, 3)).getMessage());
    }
}
