/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A broker that has lost the topic and goes on, and the one that has it: what the latter goes by, and since when the durable
 * record names which ledgers, whoever wrote it.
 */
final class TwoOwners {

    /** A former owner that has just read the record may delete so long after it. */
    private static final long DELETING_MILLIS = 2_000;

    private final World world;
    private final BrokerLife former;
    private final BrokerLife next;
    private final long loadedAtMillis;
    private final Set<Long> loaded;
    private final Map<Long, Long> liveSinceMillis = new HashMap<>();
    private String text;
    /** What the former one has written last. */
    private String formerText;
    /** Since when another one's record is the durable one. */
    private long overSinceMillis = Long.MAX_VALUE;

    TwoOwners(World world, BrokerLife former, BrokerLife next) {
        this.world = world;
        this.former = former;
        this.next = next;
        this.loadedAtMillis = world.scheduler().nowMillis();
        this.text = durable();
        this.formerText = text;
        this.loaded = Set.copyOf(liveBy(text));
        loaded.forEach(ledgerId -> liveSinceMillis.put(ledgerId, loadedAtMillis));
    }

    /** To be called after every event. */
    void look() {
        String now = durable();
        if (!Objects.equals(now, text)) {
            text = now;
            if (isFormersRecord()) {
                formerText = now;
                overSinceMillis = Long.MAX_VALUE;
            } else {
                overSinceMillis = Math.min(overSinceMillis, world.scheduler().nowMillis());
            }
            List<Long> live = liveBy(text);
            liveSinceMillis.keySet().retainAll(live);
            live.forEach(ledgerId -> liveSinceMillis.putIfAbsent(ledgerId, world.scheduler().nowMillis()));
        }
    }

    /** What is wrong about a ledger that a broker has deleted just now. */
    Optional<String> whatIsWrongAbout(BrokerLife by, long ledgerId) {
        long nowMillis = world.scheduler().nowMillis();
        if (by != former || world.life() != former && world.life() != next || world.storageFate.hasCleared()) {
            return Optional.empty();
        }
        if (loaded.contains(ledgerId) && nowMillis < loadedAtMillis + SimulatedBuckets.HOLD_MILLIS) {
            return Optional.of("the next owner has read " + (nowMillis - loadedAtMillis) + " ms ago that it is live");
        }
        // What nobody has recorded is its own.
        CatalogueRecord formers = recordBy(formerText);
        if (overSinceMillis < nowMillis - DELETING_MILLIS && isStorageQuick() && formers.doomed().contains(ledgerId)
                && !formers.namesAsMuchAs(recordBy(text))) {
            return Optional.of("the durable record has been another's for " + (nowMillis - overSinceMillis) + " ms");
        }
        Long since = liveSinceMillis.get(ledgerId);
        if (since != null && nowMillis > since + DELETING_MILLIS && isStorageQuick()) {
            return Optional.of("the record in the metadata store has named it live for " + (nowMillis - since) + " ms");
        }
        return Optional.empty();
    }

    private boolean isStorageQuick() {
        return !world.setup().is(Setup.Parameter.FAULTS) && world.storage().filter(storage -> !storage.wasAway()).isPresent();
    }

    private String durable() {
        return world.storage().map(storage -> storage.world().propertiesOf(SimulatedBuckets.TOPIC, SimulatedBuckets.CURSOR)
                .get(CatalogueKeeper.PROPERTY)).orElse(null);
    }

    private boolean isFormersRecord() {
        return world.storage().filter(storage -> former.buckets().filter(buckets -> storage.world().isWrittenBy(
                buckets.storage(), SimulatedBuckets.TOPIC, SimulatedBuckets.CURSOR)).isPresent()).isPresent();
    }

    private static List<Long> liveBy(String text) {
        return recordBy(text).live();
    }

    private static CatalogueRecord recordBy(String text) {
        try {
            return text == null ? CatalogueRecord.EMPTY : CatalogueRecord.decode(text);
        } catch (StorageException e) {
            // Nobody goes by it.
            return CatalogueRecord.EMPTY;
        }
    }
}
