/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.delayedtracker.subscription.AdaptivePrecision;
import io.github.delayedtracker.subscription.TimeRules;
import java.util.List;
import org.junit.jupiter.api.Test;

class InfoSeriesTest {

    private final InfoSeries info = new InfoSeries("heap");

    @Test
    void theLabelsTellTheRulesAndTheState() {
        TimeRules rules = new TimeRules(false, 1_000, 512, new AdaptivePrecision(64, 4_096));
        assertEquals(List.of("heap", "active", "512", "64", "4096", "1000", "false"), info.of(rules, false).labelValues());
        assertEquals(List.of("heap", "closed", "512", "64", "4096", "1000", "false"), info.of(rules, true).labelValues());
    }

    @Test
    void equalRulesHaveTheSeriesThatWasMade() {
        assertSame(info.of(new TimeRules(true, 1_000, 1), false), info.of(new TimeRules(true, 1_000, 1), false));
    }

    @Test
    void otherRulesHaveAnother() {
        TimeRules rules = new TimeRules(true, 1_000, 1);
        assertNotSame(info.of(rules, false), info.of(rules.withTick(500, 1), false));
        assertEquals(List.of("heap", "active", "1", "0", "0", "1000", "true"), info.of(rules, false).labelValues());
    }
}
