/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** One JVM of the run: a broker line, a way to configure the plugin, and the classes that run one after the other. */
record Combination(Line line, Backend backend, List<Suite> suites) {

    /** A broker line, by the folder that has its class path. */
    enum Line {
        V4_0("4.0", "4.0.7"), V4_2("4.2", "4.2.4");

        final String folder;
        final String version;

        Line(String folder, String version) {
            this.folder = folder;
            this.version = version;
        }
    }

    /** What the broker has as its tracker. */
    enum Backend {
        HEAP("heap", "delayedDeliveryIndexBackend=heap"),
        TIMEBUCKET("timebucket", "delayedDeliveryIndexBackend=timebucket"),
        BUCKET("bucket", "delayedDeliveryIndexBackend=bucket"),
        PIP195("bucket, pip195", "delayedDeliveryIndexBackend=bucket,delayedDeliveryIndexSnapshotFormat=pip195"),
        /** The broker's own, to tell whose a failure is. */
        STOCK("stock", "");

        /** The columns of the page. */
        static final List<Backend> OURS = List.of(HEAP, TIMEBUCKET, BUCKET, PIP195);

        final String title;
        final String keys;

        Backend(String title, String keys) {
            this.title = title;
            this.keys = keys;
        }
    }

    /**
     * The longest first. BucketDelayedDeliveryTest inherits the tests of DelayedDeliveryTest: it runs whole with the form that it
     * is about, and without them where those run by themselves.
     */
    static List<Combination> usual() {
        List<Combination> all = new ArrayList<>();
        for (Line line : Line.values()) {
            all.add(new Combination(line, Backend.PIP195, List.of(Suite.BUCKET)));
        }
        for (Backend backend : List.of(Backend.HEAP, Backend.TIMEBUCKET, Backend.BUCKET)) {
            for (Line line : Line.values()) {
                all.add(new Combination(line, backend, List.of(Suite.DELAYED, Suite.BUCKET)));
            }
        }
        for (Backend backend : List.of(Backend.HEAP, Backend.TIMEBUCKET, Backend.BUCKET)) {
            for (Line line : Line.values()) {
                all.add(new Combination(line, backend, List.of(Suite.ADMIN)));
            }
        }
        return all;
    }

    /**
     * Each further class by itself, in the order in which lines and backends are of interest.
     *
     * @param pattern of those that are wanted, as {@code 4.0.7 bucket RetryTopicTest}
     */
    static List<Combination> further(Pattern pattern) {
        List<Combination> all = new ArrayList<>();
        for (Line line : Line.values()) {
            for (Backend backend : List.of(Backend.BUCKET, Backend.TIMEBUCKET, Backend.HEAP, Backend.STOCK)) {
                Suite.further().forEach(suite -> all.add(new Combination(line, backend, List.of(suite))));
            }
        }
        return all.stream().filter(each -> pattern.matcher(each.title()).matches()).toList();
    }

    /** The same with the broker's own tracker. */
    Combination withStock() {
        return new Combination(line, Backend.STOCK, suites);
    }

    boolean isFurther() {
        return suites.get(0).isFurther;
    }

    /** Line, backend and first class. */
    String title() {
        return line.version + " " + backend.title + " " + suites.get(0).simpleName();
    }

    /** Those of which inherited tests are left out. */
    List<Suite> ownOnly() {
        return backend == Backend.PIP195 ? List.of() : List.of(Suite.BUCKET);
    }

    /** For folders and messages. */
    String name() {
        return line.version + "-" + backend.name().toLowerCase(java.util.Locale.ROOT) + "-"
                + suites.get(0).name().toLowerCase(java.util.Locale.ROOT);
    }
}
