/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator.sweep;

import io.github.delayedtracker.bucket.storage.LedgerLabel;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Bookies that several clusters share, whose names are equal; and what is known here of each ledger that no label tells. */
final class SharedLedgers {

    private static final long FIRST_ID = 1_000;

    private final TreeMap<Long, Ledger> ledgers = new TreeMap<>();
    private long nextId = FIRST_ID;
    private String broken;

    /**
     * A ledger.
     *
     * @param writer the cluster that wrote it
     * @param isOrphan whether nothing names it
     */
    record Ledger(LedgerLabel label, SweepCluster writer, boolean isOrphan) {
    }

    long add(Ledger ledger) {
        long id = nextId++;
        ledgers.put(id, ledger);
        return id;
    }

    Optional<Ledger> find(long ledgerId) {
        return Optional.ofNullable(ledgers.get(ledgerId));
    }

    List<Long> page(long afterLedgerId, int limit) {
        return ledgers.tailMap(afterLedgerId, false).keySet().stream().limit(limit).toList();
    }

    void delete(long ledgerId, SweepCluster by) {
        Ledger ledger = ledgers.remove(ledgerId);
        if (ledger != null && !(ledger.writer() == by && ledger.isOrphan())) {
            broken = "cluster " + by + " has deleted ledger " + ledgerId + " of cluster " + ledger.writer()
                    + (ledger.isOrphan() ? ", an orphan there" : ", in use");
        }
    }

    /** What was deleted and should not have been. */
    Optional<String> broken() {
        return Optional.ofNullable(broken);
    }

    /** Orphans that their cluster can tell for its own. */
    List<Long> provable() {
        return ledgers.keySet().stream().filter(id -> {
            Ledger ledger = ledgers.get(id);
            return ledger.isOrphan() && ledger.label().clusterId().isPresent()
                    && ledger.label().clusterId().equals(ledger.writer().id());
        }).toList();
    }
}
