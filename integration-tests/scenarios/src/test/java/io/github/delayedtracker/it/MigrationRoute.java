/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The trackers that have a subscription one after the other.
 *
 * <p>Written as steps with {@code >} between, or {@code !} where the broker is killed and not stopped. A step is a tracker and a
 * line, {@code bucket@4.2}, for a broker that is started anew; without a line it is 4.0. {@code sub:heap} gives the subscription
 * a backend of its own and unloads the topic, {@code sub:} takes it away again. {@code bucket-pip195} is {@code bucket} with
 * snapshots in the stock form.
 *
 * @param text as it is written
 * @param first the tracker that the messages are sent to
 */
record MigrationRoute(String text, Step first, List<Step> steps) {

    private static final Pattern STEP = Pattern.compile("([>!]) *(sub:)?([a-z0-9-]*)(?:@([0-9.]+))?");
    private static final String LOWEST_LINE = "4.0";
    private static final String STOCK_FORM = "-pip195";

    /**
     * One of them.
     *
     * @param kill whether the broker before it is killed
     * @param override whether only the subscription gets the tracker, or none of its own where the name is empty
     */
    record Step(boolean kill, boolean override, String tracker, String line) {

        boolean stock() {
            return tracker.startsWith("stock-");
        }

        /** The name of the backend alone. */
        String backend() {
            return tracker.replace(STOCK_FORM, "");
        }

        /** The settings of the broker. */
        BrokerSettings settings() {
            BrokerSettings settings = BrokerSettings.of(backend(), false, MigrationRun.TICK_MILLIS);
            return tracker.endsWith(STOCK_FORM) ? settings.with("delayedDeliveryIndexSnapshotFormat", "pip195") : settings;
        }

        /** A JDK that the line runs on; empty if this machine has none. */
        Optional<Path> javaHome() {
            return line.startsWith("5.") ? Harness.javaHome(21) : Optional.of(Harness.ownJavaHome());
        }

        @Override
        public String toString() {
            return override ? tracker.isEmpty() ? "no backend of its own" : "own backend " + tracker : tracker + " on " + line;
        }
    }

    /** The route that is written so. */
    static MigrationRoute of(String text) {
        List<Step> all = new ArrayList<>();
        Matcher matcher = STEP.matcher(("> " + text).replace(" ", ""));
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            end = matcher.end();
            all.add(new Step(matcher.group(1).equals("!"), matcher.group(2) != null, matcher.group(3),
                    matcher.group(4) == null ? LOWEST_LINE : matcher.group(4)));
        }
        if (end != ("> " + text).replace(" ", "").length() || all.get(0).override()) {
            throw new IllegalArgumentException("a route is trackers with > or ! between and begins with a broker, got " + text);
        }
        return new MigrationRoute(text, all.get(0), List.copyOf(all.subList(1, all.size())));
    }

    /** The tracker that has the subscription in the end. */
    String last() {
        String ofTheBroker = first.backend();
        String own = "";
        for (Step step : steps) {
            if (step.override()) {
                own = step.tracker();
            } else {
                ofTheBroker = step.backend();
            }
        }
        return own.isEmpty() || ofTheBroker.startsWith("stock-") ? ofTheBroker : own;
    }
}
