/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.testng.IRetryAnalyzer;
import org.testng.ITestResult;
import org.testng.TestNG;
import org.testng.xml.XmlClass;
import org.testng.xml.XmlSuite;
import org.testng.xml.XmlTest;

/** Runs published test classes of the broker with the plugin's factory, or the stock one, in a JVM of its own. */
public final class UpstreamRun {

    /** Tests left out, as {@code Class#method}, with commas between them. */
    public static final String LEFT_OUT = "upstream.leftOut";
    /** Classes of which inherited tests are left out, with commas between them. */
    public static final String OWN_ONLY = "upstream.ownOnly";
    /** Methods that alone are run, with commas between them; all where there are none. */
    public static final String ONLY = "upstream.only";
    /** Whether {@link EveryMessage} holds. */
    public static final String EVERY_MESSAGE = "upstream.everyMessage";
    /** The plugin's own keys, as {@code key=value}, with commas between them; without any the stock factory stays. */
    public static final String KEYS = "upstream.keys";

    private UpstreamRun() {
    }

    /** @param args where the outcomes go, then the classes */
    public static void main(String[] args) throws IOException {
        Map<String, String> keys = list(KEYS).stream().map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        if (Boolean.getBoolean(EVERY_MESSAGE)) {
            EveryMessage.offerToTrackers();
        }
        try (PrintStream lines = new PrintStream(Files.newOutputStream(Path.of(args[0])), true, StandardCharsets.UTF_8);
                FactorySwap swap = keys.isEmpty() ? null : new FactorySwap(keys)) {
            Choice choice = new Choice(list(LEFT_OUT), list(OWN_ONLY), list(ONLY));
            run(new Outcomes(lines, choice, swap != null, new MockedBroker(keys)), List.of(args).subList(1, args.length));
            lines.println("ended " + EveryMessage.offered() + " " + EveryMessage.trackers());
        }
        // The published tests leave threads behind.
        System.exit(0);
    }

    private static void run(Outcomes outcomes, List<String> classes) {
        XmlSuite suite = new XmlSuite();
        suite.setName("upstream");
        XmlTest test = new XmlTest(suite);
        test.setName("upstream");
        test.setGroupByInstances(true);
        test.setXmlClasses(classes.stream().map(XmlClass::new).toList());
        TestNG tests = new TestNG(false);
        tests.setVerbose(0);
        // What fails to be set up fails alone.
        tests.setConfigFailurePolicy(XmlSuite.FailurePolicy.CONTINUE);
        tests.setXmlSuites(List.of(suite));
        tests.addListener(outcomes);
        tests.run();
    }

    private static Set<String> list(String property) {
        return Stream.of(System.getProperty(property, "").split(",")).filter(each -> !each.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** A test that fails is tried twice more; upstream's own build tries again too: several tests allow a message 100 ms. */
    public static final class Retry implements IRetryAnalyzer {
        private int tries;

        @Override
        public boolean retry(ITestResult result) {
            tries++;
            return tries <= 2;
        }
    }
}
