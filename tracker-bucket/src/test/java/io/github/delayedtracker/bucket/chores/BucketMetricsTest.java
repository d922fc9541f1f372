/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.chores.BucketFigures.StockFigures;
import io.github.delayedtracker.bucket.chores.DeleteChore.HoldLimit;
import io.github.delayedtracker.bucket.orphans.SweepSchedule;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.MetricTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BucketMetricsTest {

    /** In the order of the table. */
    private static final List<Class<?>> OF_THE_BROKER =
            List.of(MemoryBudget.class, AgeSeals.class, MergeGate.class, HoldLimit.class, Retries.class, BucketServices.class,
                    RereadLimit.class, StorageWork.class, SweepSchedule.class);

    private static List<Metric> ofTheBroker() {
        return OF_THE_BROKER.stream().flatMap(owner -> MetricTables.declaredIn(owner).stream()).toList();
    }

    private static List<Metric> ofASubscription() {
        return Stream.of(Figure.values()).map(figure -> figure.metric).toList();
    }

    @Test
    void theTablesInDocsAreMadeFromTheDeclarations() throws Exception {
        MetricTables.check("bucket", ofASubscription());
        MetricTables.check("stock", MetricTables.declaredIn(StockFigures.class));
        MetricTables.check("bucket of the broker", ofTheBroker());
    }

    @Test
    void countersAreNamedAsSuch() {
        List<Metric> own = new ArrayList<>(ofASubscription());
        own.addAll(ofTheBroker());
        MetricTables.checkNames(own);
    }

    @Test
    void everyClassThatDeclaresMetricsIsInATable() {
        Set<String> known = Stream.concat(OF_THE_BROKER.stream(), Stream.of(Figure.class, StockFigures.class))
                .map(Class::getName).collect(Collectors.toSet());
        Set<String> found = new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.github.delayedtracker.bucket").stream()
                .filter(BucketMetricsTest::declaresMetrics).map(JavaClass::getName).collect(Collectors.toSet());
        assertEquals(known, found);
    }

    private static boolean declaresMetrics(JavaClass owner) {
        return owner.getFields().stream().anyMatch(field -> field.getRawType().isEquivalentTo(Metric.class));
    }
}
