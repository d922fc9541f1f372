/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator.sweep;

import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.LedgerLabel;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.faults.ModelValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** One cluster: its metadata store, what its cursors name, and its brokers. Topics and cursors are called the same in all. */
final class SweepCluster {

    static final String TOPIC = "topic";
    static final String ID = "cluster-id";
    static final String PLACE = "sweep-place";
    private static final int CURSORS = 5;

    final ModelValues values;
    final SharedLedgers ledgers;
    final List<SweepBroker> brokers = new ArrayList<>();
    private final String name;
    private final JobTime time;
    private final SplittableRandom random;
    private final Map<String, List<Long>> named = new TreeMap<>();
    private String firstId;
    private boolean lostItsId;
    private String broken;

    SweepCluster(String name, JobTime time, SplittableRandom random, SharedLedgers ledgers) {
        this.name = name;
        this.time = time;
        this.random = random;
        this.ledgers = ledgers;
        this.values = new ModelValues(time, random);
    }

    SweepBroker start(boolean leads) {
        SweepBroker broker = new SweepBroker(this, time, random, leads);
        brokers.add(broker);
        return broker;
    }

    void killAll() {
        brokers.forEach(SweepBroker::kill);
        brokers.clear();
    }

    /** A ledger is written with a label, and named by its cursor or not. */
    void write(Optional<String> id, boolean isOrphan) {
        String cursor = "c" + random.nextInt(CURSORS);
        long ledgerId = ledgers.add(new SharedLedgers.Ledger(new LedgerLabel(
                new SnapshotOwner(TOPIC, cursor, time.nowMillis()), id), this, isOrphan));
        if (!isOrphan) {
            named.computeIfAbsent(cursor, none -> new ArrayList<>()).add(ledgerId);
        }
        id.ifPresent(this::labelled);
    }

    private void labelled(String id) {
        firstId = firstId == null ? id : firstId;
        if (!lostItsId && !firstId.equals(id)) {
            broken = "cluster " + name + " has labelled ledgers with two ids, " + firstId + " and " + id;
        }
    }

    Map<String, String> propertiesOf(String cursor) {
        return named.containsKey(cursor) ? Map.of(CatalogueStore.PROPERTY_PREFIX + CatalogueKeeper.PROPERTY,
                new CatalogueRecord(1, named.get(cursor), List.of()).encode()) : Map.of();
    }

    /** The metadata store is restored from a copy that has nothing of this project in it. */
    void loseValues() {
        lostItsId = true;
        values.delete(ID);
        values.delete(PLACE);
    }

    /** The id that stands in the store. */
    Optional<String> id() {
        return values.text(ID).map(text -> text.split(" ")[1]);
    }

    Optional<String> broken() {
        return Optional.ofNullable(broken);
    }

    @Override
    public String toString() {
        return name;
    }
}
