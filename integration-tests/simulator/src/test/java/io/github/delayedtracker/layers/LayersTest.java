/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.layers;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The layers of the design, and which way their arrows point. A class that breaks a rule fails the build. */
class LayersTest {

    private static final String ROOT = "io.github.delayedtracker";
    private static final String BYTES = ROOT + ".bytes";
    private static final String STORAGE = ROOT + ".bucket.storage..";
    private static final String SNAPSHOT = ROOT + ".bucket.snapshot..";
    private static final String RECORD = ROOT + ".bucket.record..";
    private static final String INDEX = ROOT + ".bucket.index..";
    private static final String HTTP = ROOT + ".http..";
    private static final String ADMIN = ROOT + ".admin..";
    private static final String COMMAND = ROOT + ".command";
    private static final String[] BROKER = {"org.apache.pulsar..", "org.apache.bookkeeper..", "io.netty.."};
    private static final String[] INDEX_LAYER = {ROOT + ".index..", ROOT + ".heap..", ROOT + ".timebucket.."};

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages(ROOT);

    @Test
    void indexAlgorithmsKnowOnlyJavaAndTheirCollections() {
        classes().that().resideInAnyPackage(INDEX_LAYER)
                .should().onlyDependOnClassesThat().resideInAnyPackage(ROOT + ".index..", ROOT + ".heap..",
                        ROOT + ".timebucket..", "java.lang..", "java.util", "java.util.function..",
                        "java.util.zip..", "java.util.concurrent.atomic..", "java.nio",
                        "com.google.errorprone.annotations..")
                .because("no broker, storage, logger, clock or thread below the subscription state")
                .check(CLASSES);
    }

    @Test
    void backendsDoNotKnowEachOther() {
        noClasses().that().resideInAPackage(ROOT + ".timebucket..")
                .should().dependOnClassesThat().resideInAPackage(ROOT + ".heap..").check(CLASSES);
        noClasses().that().resideInAPackage(ROOT + ".index..")
                .should().dependOnClassesThat().resideInAnyPackage(ROOT + ".heap..", ROOT + ".timebucket..").check(CLASSES);
    }

    @Test
    void subscriptionStateKnowsNoBroker() {
        noClasses().that().resideInAPackage(ROOT + ".subscription..")
                .should().dependOnClassesThat().resideInAnyPackage(BROKER).check(CLASSES);
        noClasses().that().resideInAPackage(ROOT + ".subscription..")
                .should().dependOnClassesThat().resideInAnyPackage(ROOT, ROOT + ".config..", ROOT + ".wakeup..",
                        ROOT + ".heap..", ROOT + ".timebucket..", "org.slf4j..")
                .check(CLASSES);
    }

    @Test
    void wakeUpsAndConfigurationKnowNoBroker() {
        noClasses().that().resideInAnyPackage(ROOT + ".wakeup..", ROOT + ".config..")
                .should().dependOnClassesThat().resideInAnyPackage(BROKER).check(CLASSES);
        noClasses().that().resideInAPackage(ROOT + ".config..")
                .should().dependOnClassesThat().resideInAnyPackage("org.slf4j..", ROOT, ROOT + ".wakeup..").check(CLASSES);
    }

    @Test
    void theExecutorIsPureJava() {
        classes().that().resideInAPackage(ROOT + ".executor..")
                .should().onlyDependOnClassesThat().resideInAnyPackage(ROOT + ".executor..", "java..",
                        "com.google.errorprone.annotations..")
                .check(CLASSES);
    }

    @Test
    void metricsAreDeclarationsAndValuesOnly() {
        classes().that().resideInAPackage(ROOT + ".metrics..")
                .should().onlyDependOnClassesThat().resideInAnyPackage(ROOT + ".metrics..", "java.lang..", "java.util",
                        "java.util.function", "java.util.stream", "com.google.errorprone.annotations..")
                .check(CLASSES);
    }

    @Test
    void theCodingOfNumbersKnowsOnlyBuffers() {
        classes().that().resideInAPackage(BYTES)
                .should().onlyDependOnClassesThat().resideInAnyPackage(BYTES, "java.lang..", "java.nio").check(CLASSES);
    }

    @Test
    void theJournalOfAcknowledgementsIsPureJava() {
        classes().that().resideInAPackage(ROOT + ".acks..")
                .should().onlyDependOnClassesThat().resideInAnyPackage(ROOT + ".acks..", BYTES, ROOT + ".index",
                        "java.lang..", "java.util..", "java.nio", "java.nio.charset", "com.google.errorprone.annotations..")
                .because("what acknowledges on a user's behalf is tried in a simulator, with threads and clocks passed in")
                .check(CLASSES);
    }

    @Test
    void theDueTimesOfCommandsArePureJavaAboveTheirLedgers() {
        classes().that().resideInAPackage(ROOT + ".moves..")
                .should().onlyDependOnClassesThat().resideInAnyPackage(ROOT + ".moves..", ROOT + ".acks", BYTES, ROOT + ".index",
                        "java.lang..", "java.util..", "java.nio")
                .check(CLASSES);
    }

    @Test
    void onlyTheStorageAndTheShellNameBookKeeper() {
        noClasses().that().resideOutsideOfPackages(ROOT, STORAGE, ROOT + ".backend", ROOT + ".bucket")
                .should().dependOnClassesThat().resideInAPackage("org.apache.bookkeeper..")
                .because("one edge translates foreign types and failures")
                .check(CLASSES);
        noClasses().that().resideInAPackage(STORAGE)
                .should().dependOnClassesThat().resideInAnyPackage("org.apache.pulsar..", ROOT, ROOT + ".subscription..",
                        ROOT + ".index..", ROOT + ".heap..", ROOT + ".timebucket..", ROOT + ".config..")
                .because("the storage stands at the bottom and knows no broker")
                .check(CLASSES);
    }

    @Test
    void snapshotsAreBytesAndKnowNoStorageAndNoStockClass() {
        classes().that().resideInAPackage(SNAPSHOT)
                .should().onlyDependOnClassesThat().resideInAnyPackage(SNAPSHOT, BYTES, ROOT + ".index..",
                        ROOT + ".timebucket..", "java.lang..", "java.util", "java.util.regex", "java.util.stream",
                        "java.util.function", "java.util.zip..", "java.nio", "java.nio.charset", "it.unimi.dsi.fastutil..",
                        "org.roaringbitmap..")
                .because("the stock classes differ from one broker line to the next")
                .check(CLASSES);
    }

    @Test
    void theIndexOfTheBucketsDoesNoIo() {
        classes().that().resideInAPackage(INDEX)
                .should().onlyDependOnClassesThat().resideInAnyPackage(INDEX, SNAPSHOT, ROOT + ".index..", ROOT + ".timebucket..",
                        "java.lang..", "java.util", "java.util.function..", "java.util.stream", "it.unimi.dsi.fastutil..",
                        "com.google.errorprone.annotations..")
                .check(CLASSES);
    }

    @Test
    void theRecordKnowsItsStorageAndNothingElseOfABucket() {
        classes().that().resideInAPackage(RECORD)
                .should().onlyDependOnClassesThat().resideInAnyPackage(RECORD, SNAPSHOT, STORAGE, BYTES, ROOT + ".wakeup..",
                        "java..", "com.google.errorprone.annotations..")
                .check(CLASSES);
    }

    @Test
    void theStepsKnowNoBrokerAndNoIndexOfASubscription() {
        classes().that().resideInAPackage(ROOT + ".bucket.steps..")
                .should().onlyDependOnClassesThat().resideInAnyPackage(ROOT + ".bucket.steps..", SNAPSHOT, RECORD, STORAGE,
                        ROOT + ".index..", ROOT + ".timebucket..", "java..", "io.netty.buffer..", "io.netty.util",
                        "com.google.errorprone.annotations..")
                .check(CLASSES);
    }

    @Test
    void theSweeperKnowsNoBrokerAndNoIndex() {
        classes().that().resideInAPackage(ROOT + ".bucket.orphans..")
                .should().onlyDependOnClassesThat().resideInAnyPackage(ROOT + ".bucket.orphans..", RECORD, STORAGE,
                        ROOT + ".backend", ROOT + ".metrics..", ROOT + ".wakeup..", "java..", "org.slf4j..",
                        "com.google.errorprone.annotations..")
                .check(CLASSES);
    }

    @Test
    void theLedgersOfJournalsKnowTheirStorageAndTheJournalOnly() {
        classes().that().resideInAPackage(ROOT + ".bucket.journal..")
                .should().onlyDependOnClassesThat().resideInAnyPackage(ROOT + ".bucket.journal..", RECORD, STORAGE,
                        ROOT + ".acks", "java..", "io.netty.buffer..")
                .check(CLASSES);
    }

    @Test
    void theChoresKnowNoBroker() {
        noClasses().that().resideInAPackage(ROOT + ".bucket.chores..")
                .should().dependOnClassesThat().resideInAnyPackage("org.apache.pulsar..", "org.apache.bookkeeper..", ROOT,
                        ROOT + ".bucket", ROOT + ".bucket.orphans..", ROOT + ".subscription..", ROOT + ".config..")
                .check(CLASSES);
    }

    @Test
    void noPackageNeedsOneThatNeedsIt() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void theStorageInterfacesKnowNoBookKeeper() {
        classes().that().resideInAPackage(STORAGE).and().areInterfaces().and().arePublic()
                .or().haveSimpleName("SnapshotOwner").or().haveSimpleName("StorageException")
                .should().onlyDependOnClassesThat().resideInAnyPackage(STORAGE, "java..", "io.netty.buffer..")
                .check(CLASSES);
    }

    @Test
    void nothingBelowTheShellUsesTheShell() {
        noClasses().that().resideOutsideOfPackages(ROOT, HTTP)
                .should().dependOnClassesThat().resideInAPackage(ROOT)
                .because("the factory and the adapters stand on top")
                .check(CLASSES);
    }

    @Test
    void theCommandsAsTheWaysInSeeThemAreJavaOnly() {
        classes().that().resideInAPackage(COMMAND)
                .should().onlyDependOnClassesThat().resideInAnyPackage(COMMAND, "java.lang..", "java.util",
                        "java.util.concurrent")
                .check(CLASSES);
    }

    @Test
    void theCommandsOverHttpKnowTheFactoryAndTheCommandsOnly() {
        classes().that().resideInAPackage(HTTP)
                .should().onlyDependOnClassesThat().resideInAnyPackage(HTTP, COMMAND, ROOT, "java..", "javax.servlet..",
                        "org.eclipse.jetty.servlet", "org.apache.pulsar..", "com.fasterxml.jackson..", "org.slf4j..")
                .because("the servlet is a NAR of its own, beside whichever drop-in jar the broker has")
                .check(CLASSES);
        noClasses().that().resideInAPackage(HTTP)
                .should().dependOnClassesThat(resideInAPackage(ROOT).and(
                        not(name(ROOT + ".PluggableDelayedDeliveryTrackerFactory"))))
                .check(CLASSES);
        noClasses().that().resideOutsideOfPackage(HTTP)
                .should().dependOnClassesThat().resideInAPackage(HTTP)
                .check(CLASSES);
    }

    @Test
    void theCommandsOfTheToolKnowNothingOfThePlugin() {
        classes().that().resideInAPackage(ADMIN)
                .should().onlyDependOnClassesThat().resideInAnyPackage(ADMIN, "java..", "javax.net.ssl",
                        "org.apache.pulsar.admin.cli.extensions", "org.apache.pulsar.client..", "org.apache.pulsar.common..",
                        "com.fasterxml.jackson..")
                .because("the tool may run where there is no broker and no drop-in jar")
                .check(CLASSES);
        noClasses().that().resideOutsideOfPackage(ADMIN)
                .should().dependOnClassesThat().resideInAPackage(ADMIN)
                .check(CLASSES);
    }

    @Test
    void onlyTheShellAsksTheClock() {
        noClasses().that().doNotHaveFullyQualifiedName(ROOT + ".SystemClock")
                .should().callMethod(System.class, "currentTimeMillis")
                .orShould().callMethod(System.class, "nanoTime")
                .check(CLASSES);
    }
}
