/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.metrics.Series;
import io.github.delayedtracker.subscription.TimeRules;

/**
 * The series of {@link TrackerMetrics#INFO} of the subscriptions that share a setup. Their rules are the same but for the tick of
 * the topic, and change rarely: the series made last serve as long as the rules asked for are those they were made of. Thread
 * safe.
 */
final class InfoSeries {

    private final String backend;
    private volatile Made last;

    InfoSeries(String backend) {
        this.backend = backend;
    }

    /** The series of some rules, of trackers in use and of closed ones. */
    private record Made(TimeRules rules, Series active, Series closed) {
    }

    /** The series of a tracker with these rules. */
    Series of(TimeRules rules, boolean closed) {
        Made made = last;
        if (made == null || !made.rules.equals(rules)) {
            made = new Made(rules, series(rules, "active"), series(rules, "closed"));
            last = made;
        }
        return closed ? made.closed : made.active;
    }

    private Series series(TimeRules rules, String state) {
        return TrackerMetrics.INFO.series(backend, state, Long.toString(rules.precisionMillis()),
                Long.toString(rules.adaptive().ratio()), Long.toString(rules.adaptive().maxMillis()),
                Long.toString(rules.tickMillis()), Boolean.toString(rules.strict()));
    }
}
