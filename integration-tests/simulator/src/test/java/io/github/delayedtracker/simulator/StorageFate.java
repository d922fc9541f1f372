/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.record.RecordTexts;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.faults.DurableWorld;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.simulator.Action.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;

/** What somebody else does to what is stored of the subscription: other versions of the plugin, and chance. */
final class StorageFate {

    private static final int NEWER = 0;
    private static final int BACK = 1;
    private static final int DAMAGED = 2;
    private static final int SEEDS_A_RECORD = 4;
    private static final int SEEDS_A_LEDGER = 8;
    private static final long DAY_MILLIS = 86_400_000;
    private static final long ALL_SEALED_MILLIS = 20_000;
    private static final int SEALS = 14;
    private static final long A_SEAL_MILLIS = 1_000;
    private static final long MANY_MERGES_MILLIS = 100_000;
    private static final long OF_ITS_OWN = 0x9e3779b97f4a7c15L;

    /** The attempts and pauses that a storage with faults may need to give a segment. */
    private static final long STORAGE_MILLIS = 45_000;
    /** The time after which what cannot be read is given up, and that of a few buckets to be read again one after the other. */
    private static final long OUTAGE_MILLIS = SimulatedBuckets.UNREADABLE_MILLIS + 30_000;
    /** The time of more buckets, a burst of each, whose messages wait for a consumer of their keys and so do not come back. */
    private static final long STUCK_KEYS_MILLIS = 120_000;

    private final Optional<FaultyStorage> storage;
    private boolean rewritten;
    private boolean cleared;
    private boolean takenAway;
    private boolean overtaken;
    /** Empty unless a newer version has written the record and nobody has cleared it since. */
    private Optional<String> newer = Optional.empty();
    private String before;
    private List<Long> named = List.of();

    StorageFate(Optional<FaultyStorage> storage) {
        this.storage = storage;
    }

    /** Draws from numbers of its own, so that all others of a seed are what they are without. */
    static List<Action> drawn(long seed, long spanMillis) {
        SplittableRandom random = new SplittableRandom(seed ^ OF_ITS_OWN);
        List<Action> actions = new ArrayList<>();
        if (random.nextInt(SEEDS_A_RECORD) == 0) {
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                actions.add(new Action(random.nextLong(2 * spanMillis), Kind.RECORD, random.nextInt(DAMAGED + 1), 0));
            }
        }
        if (random.nextInt(SEEDS_A_LEDGER) == 0) {
            long atMillis = random.nextLong(spanMillis);
            actions.add(new Action(atMillis, Kind.PUBLISH, 8 + random.nextInt(40), DAY_MILLIS));
            actions.add(new Action(atMillis + ALL_SEALED_MILLIS, Kind.LEDGER_AWAY, random.nextInt(2), 0));
            actions.add(new Action(atMillis + ALL_SEALED_MILLIS, Kind.CONNECT, 0, 0));
            for (int i = 1; i <= SEALS; i++) {
                actions.add(new Action(atMillis + ALL_SEALED_MILLIS + i * A_SEAL_MILLIS, Kind.PUBLISH_SPREAD, 8, DAY_MILLIS));
            }
            actions.add(new Action(atMillis + ALL_SEALED_MILLIS + SEALS * A_SEAL_MILLIS + MANY_MERGES_MILLIS, Kind.FLUSH, 0, 0));
        }
        return actions;
    }

    /** How much later an entry that is stored may be handed out than one in memory. */
    static long latenessMillis(World world) {
        boolean wasAway = world.storage().filter(FaultyStorage::wasAway).isPresent();
        boolean wasUnreadable = wasAway || world.storageFate.hasTakenAway();
        return (world.setup().is(Setup.Parameter.FAULTS) || world.brokers().twoOwners().isPresent() ? STORAGE_MILLIS : 0)
                + (wasAway ? OUTAGE_MILLIS : 0)
                + (world.storageFate.hasTakenAway() ? OUTAGE_MILLIS : 0)
                + (wasUnreadable && world.setup().is(Setup.Parameter.KEY_SHARED) ? STUCK_KEYS_MILLIS : 0);
    }

    /** The cursor is closed while an update of its record is under way: who has it next may go by the record before. */
    void overtake() {
        overtaken = true;
    }

    boolean hasOvertaken() {
        return overtaken;
    }

    /** The record is written while the topic is loaded nowhere. */
    void rewrite(int how) {
        String text = text();
        switch (how) {
            case NEWER -> {
                if (newer.isEmpty()) {
                    upgrade(text == null ? CatalogueRecord.EMPTY.encode() : text);
                }
            }
            case BACK -> {
                newer.ifPresent(found -> write(before));
                newer = Optional.empty();
            }
            case DAMAGED -> {
                write("!" + text);
                newer = Optional.empty();
            }
            default -> throw new IllegalArgumentException("a record that is neither newer, as before, nor damaged: " + how);
        }
    }

    private void upgrade(String text) {
        try {
            List<Long> live = CatalogueRecord.decode(text).live();
            // A clear deletes ledgers first, and may still be about to.
            named = cleared ? List.of() : live.stream().filter(world()::exists).toList();
        } catch (StorageException e) {
            // A newer version cannot read a damaged one either.
            return;
        }
        before = text;
        newer = Optional.of(RecordTexts.nextVersionOf(text));
        write(newer.get());
    }

    /** Whether a bucket ever could not be asked for. */
    boolean hasTakenAway() {
        return takenAway;
    }

    /** The oldest bucket cannot be asked for, until the storage heals. */
    void takeAway(int how) {
        takenAway = true;
        String text = text();
        try {
            List<Long> live = text == null ? List.of() : CatalogueRecord.decode(text).live();
            live.stream().limit(1).forEach(ledgerId -> storage.orElseThrow().onLedger(ledgerId,
                    how == 0 ? Fault.failBefore(StorageException.Kind.UNAVAILABLE) : Fault.hangBefore()));
        } catch (StorageException e) {
            // Nobody asks for anything then.
            return;
        }
    }

    private void write(String text) {
        rewritten = true;
        world().setProperties(SimulatedBuckets.TOPIC, SimulatedBuckets.CURSOR, Map.of(CatalogueKeeper.PROPERTY, text));
    }

    private String text() {
        return world().propertiesOf(SimulatedBuckets.TOPIC, SimulatedBuckets.CURSOR).get(CatalogueKeeper.PROPERTY);
    }

    private DurableWorld world() {
        return storage.orElseThrow().world();
    }

    /** Everything stored may go, of whatever version. */
    void clear() {
        newer = Optional.empty();
        cleared = true;
    }

    /** Whether everything stored was ever to go. */
    boolean hasCleared() {
        return cleared;
    }

    /** Whether the record was ever written from outside. */
    boolean hasRewritten() {
        return rewritten;
    }

    /** What is not as a newer version has left it. */
    Optional<String> whatIsMissing() {
        if (newer.isEmpty()) {
            return Optional.empty();
        }
        String text = text();
        if (!Objects.equals(text, newer.get())) {
            return Optional.of("the record of a newer version, " + newer.get() + ", is " + text);
        }
        return named.stream().filter(ledgerId -> !world().exists(ledgerId)).findFirst()
                .map(ledgerId -> "ledger " + ledgerId + ", which the record of a newer version names, is gone");
    }
}
