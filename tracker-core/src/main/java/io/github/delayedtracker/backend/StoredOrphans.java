/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.backend;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A page of ledgers of the cluster, judged as a sweep judges them. Counts are of this page.
 *
 * @param lookedAt ledgers of any owner
 * @param own ledgers of this plugin in this cluster
 * @param young of these, written too lately to be an orphan
 * @param withoutId ledgers that bear the name of this cluster and no id of it; never an orphan
 * @param ofAnotherId the same with the id of another cluster
 * @param unknown ledgers about which something could not be known; never an orphan
 * @param firstUnknown why, for the first of these; empty if there is none
 * @param minAgeMillis the age below which a ledger is young
 * @param orphans old, and named by no cursor
 * @param nextAfter where to go on: behind this ledger; empty after the last one
 */
public record StoredOrphans(long lookedAt, long own, long young, long withoutId, long ofAnotherId, long unknown,
        Optional<String> firstUnknown, long minAgeMillis, List<Orphan> orphans, OptionalLong nextAfter) {

    /**
     * A ledger that no cursor names.
     *
     * @param topic the name of its owner's managed ledger
     * @param cursor the name of its owner's cursor
     * @param createdAtMillis broker wall time of its creation, epoch milliseconds
     */
    public record Orphan(long ledgerId, String topic, String cursor, long createdAtMillis) {
    }
}
