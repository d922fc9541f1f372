/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.MetricTables;
import io.github.delayedtracker.metrics.Samples;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TrackerMetricsTest {

    private static final List<Metric> METRICS = MetricTables.declaredIn(TrackerMetrics.class);

    private static List<Metric> of(String family) {
        return METRICS.stream().filter(metric -> metric.family().equals(family)).toList();
    }

    @Test
    void theTablesInDocsAreMadeFromTheDeclarations() throws Exception {
        MetricTables.check("tracker", of(Metric.SUBSCRIPTION));
        MetricTables.check("broker", of(Metric.BROKER));
    }

    @Test
    void countersAreNamedAsSuch() {
        MetricTables.checkNames(METRICS);
    }

    @Test
    void aTrackerExportsTheMetricsThatAreDeclared() {
        FakeBroker broker = new FakeBroker();
        broker.policies.getMessageTTLInSeconds().updateBrokerValue(60);
        Set<String> exported = broker.tracker(true).samples().all().stream().map(sample -> sample.metric().exportedName())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> declared = new TreeSet<>(of(Metric.SUBSCRIPTION).stream().map(Metric::exportedName).toList());
        // Before the first pass, and the first command.
        declared.removeIf(name -> name.matches(".*_(ack_holes|ack_journal_|acks_lost|held|moved|cancelled|commands).*"));
        assertEquals(declared, exported);
    }

    @Test
    void theFactoryExportsTheMetricsThatAreDeclared() {
        Set<String> exported = new FactoryMetrics(new FakeBroker().services, Samples::new, "c")
                .render().lines().filter(line -> !line.startsWith("#")).map(line -> line.substring(0, line.indexOf('{')))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(of(Metric.BROKER).stream().map(Metric::exportedName).toList()), exported);
    }
}
