/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.util.Optional;

/**
 * What a broker is doing when a fault strikes, as its metrics tell. A backend that never does it is struck when the wait is over.
 */
enum Moment {
    /** Whatever it does. */
    ANY(null, false),
    /** A tail has been sealed since the look before: its ledger is written, and its record or the next seal under way. */
    SEAL("pulsar_delayed_index_bucket_seals_total", true),
    /** Buckets are being merged. */
    MERGE("pulsar_delayed_index_broker_bucket_merges_under_way", false),
    /** Calls to BookKeeper or the metadata store are not answered yet: ledgers, records, deletes. */
    CALLS("pulsar_delayed_index_broker_bucket_calls_under_way", false),
    /** The journal of acknowledgements has grown since the look before. */
    JOURNAL("pulsar_delayed_index_ack_journal_bytes", true);

    /** How long a driver waits for a moment. */
    static final long MOST_WAIT_MILLIS = 5_000;

    private final String metric;
    private final boolean isGrowing;

    Moment(String metric, boolean isGrowing) {
        this.metric = metric;
        this.isGrowing = isGrowing;
    }

    /** The metric that tells, summed over subscriptions; none where any moment will do. */
    Optional<String> metric() {
        return Optional.ofNullable(metric);
    }

    /** Whether this is the moment, by the metric in the look before and now. */
    boolean isNow(double before, double now) {
        return isGrowing ? now > before : now > 0;
    }
}
