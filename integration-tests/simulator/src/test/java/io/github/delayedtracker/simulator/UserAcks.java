/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.simulator.Setup.Parameter;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What users have acknowledged since the last seek that was answered, and which of that a journal is to keep.
 *
 * <p>An acknowledgement is kept once it is older than a look of the journal, a record and the steps of both, all of them
 * undisturbed: a consumer connected, the storage able, one tracker. From then on it stays until the cursor goes back or on, the
 * record holds nearly all again, or the journal cannot be applied in the time that consumers wait for it.
 */
final class UserAcks {

    /** Acknowledgements of messages sent before are noticed by the look between two sweeps; records and steps follow. */
    private static final long KEPT_MILLIS = 45_000;
    private static final int WORKER_TASKS = 8;
    private static final long BEGIN_MILLIS = 3_000;
    private static final long EACH_MILLIS = 500;
    /** The rest after steps that failed, and the call that failed last. */
    private static final long REST_MILLIS = 340_000;
    /** Restoring takes a few tasks of the worker, and consumers wait ten seconds. */
    private static final long SLOW_WORKER_MILLIS = 1_500;

    private final World world;
    private final BitSet acked = new BitSet();
    private final BitSet beforeSeek = new BitSet();
    /** By the journal. */
    private final BitSet kept = new BitSet();
    /** By the cursor's record, which has room for all while no journal is needed. */
    private final BitSet recorded = new BitSet();
    private final Cancels cancels;
    private final Moves moves;
    private final Map<Integer, Long> sinceMillis = new HashMap<>();
    private long calmSinceMillis;
    private long loadedMillis;
    private long neededSinceMillis;
    private long nextKeepMillis;
    private long faults;
    private TrackerProbe tracker;
    private boolean wasRestoring;
    private long restored;
    private long seeks;
    /** Where a seek goes that is not answered. */
    private OptionalInt seekUnderWay = OptionalInt.empty();

    UserAcks(World world) {
        this.world = world;
        this.cancels = new Cancels(world);
        this.moves = new Moves(world);
    }

    /** The commands to cancel. */
    Cancels cancels() {
        return cancels;
    }

    /** The commands to move. */
    Moves moves() {
        return moves;
    }

    /** What was promised does not hold any more. */
    private void forget() {
        kept.clear();
        recorded.clear();
        cancels.forget();
    }

    private long nowMillis() {
        return world.scheduler().nowMillis();
    }

    void acknowledged(int entry) {
        if (!acked.get(entry)) {
            sinceMillis.put(entry, nowMillis());
        }
        acked.set(entry);
        moves.acknowledged(entry);
        if (isRestoring()) {
            // The journal sees the cursor a moment after the load, and cannot tell these from what the record has.
            forget();
        }
    }

    private boolean isRestoring() {
        return tracker == null || tracker.isPaused();
    }

    /** The cursor passes everything below an entry, and keeps its numbers. */
    void passed(int below) {
        for (int entry = acked.nextClearBit(0); entry < below; entry = acked.nextClearBit(entry + 1)) {
            acknowledged(entry);
        }
    }

    /** The journal has to begin anew: a skip, a clear, a seek, another tracker of the same cursor. */
    void beginsAnew() {
        forget();
        calmSinceMillis = Math.max(calmSinceMillis, nowMillis());
    }

    /** A seek is begun. */
    void seeking(int below) {
        seekUnderWay = OptionalInt.of(below);
    }

    /** A seek is answered: everything from there on comes again. */
    void sought(int below) {
        seekUnderWay = OptionalInt.empty();
        seeks++;
        beforeSeek.clear();
        beforeSeek.or(acked);
        acked.clear();
        passed(below);
        beginsAnew();
    }

    /**
     * The topic is loaded. A seek whose record was durable when the broker died is done, though nobody was told. Where the broker
     * has lost a seek the acknowledgements of before it count again.
     */
    void loaded() {
        if (seekUnderWay.isPresent() && seekUnderWay.getAsInt() == world.cursor().nextUnacked()) {
            world.tell("a seek that was not answered is done: %d", seekUnderWay.getAsInt());
            sought(seekUnderWay.getAsInt());
        }
        seekUnderWay = OptionalInt.empty();
        BitSet recovered = new BitSet();
        for (int entry = 0; entry < world.topic().size(); entry++) {
            recovered.set(entry, world.cursor().isDeleted(entry));
        }
        recovered.andNot(acked);
        if (!recovered.isEmpty()) {
            world.tell("the broker has lost a seek: %s", recovered);
            recovered.or(beforeSeek);
            recovered.stream().forEach(entry -> sinceMillis.putIfAbsent(entry, nowMillis()));
            acked.or(recovered);
            recovered.stream().forEach(moves::acknowledged);
            beginsAnew();
        }
        if (world.cursor().hadOldNumbers()) {
            // The next tick would have named the newer journal again.
            beginsAnew();
        }
        tracker = null;
        cancels.loaded();
        moves.loaded();
        loadedMillis = nowMillis();
        calmSinceMillis = Math.max(calmSinceMillis, nowMillis());
    }

    /** How many seeks were answered: what was acknowledged before one may be in the schedule again. */
    long seeks() {
        return seeks;
    }

    boolean isAcknowledged(int entry) {
        return acked.get(entry);
    }

    /** Whether the entry is not to be delivered again, whatever happens to brokers. */
    boolean isKept(int entry) {
        return kept.get(entry) || recorded.get(entry);
    }

    /** The tracker acknowledges an entry. */
    void restored(int entry) {
        if (cancels.isUnderWay(entry)) {
            acknowledged(entry);
        } else {
            restored++;
        }
    }

    long restoredPositions() {
        return restored;
    }

    /** After each event. */
    void look(FaultyStorage storage) {
        lookAtStorage(storage);
        lookAtShortages();
        if (isRestoring() && world.slowestWorkerMillis() > SLOW_WORKER_MILLIS) {
            forget();
            moves.mayNotBeKnown();
        }
        TrackerProbe now = world.dispatcher().tracker();
        if (now != null && now != tracker) {
            if (tracker != null) {
                beginsAnew();
            }
            tracker = now;
        }
        forgetIfLetGo();
        CursorRecords records = world.cursor().records().orElseThrow();
        boolean calm = now != null && !now.isPaused() && !world.dispatcher().isClosed()
                && !world.dispatcher().consumers().isEmpty() && records.isOpen() && !world.cursor().isResetting();
        if (!calm) {
            calmSinceMillis = Math.max(calmSinceMillis, nowMillis());
        }
        boolean isNeeded = world.cursor().holes() >= Math.max(1, world.setup().get(Parameter.JOURNAL) / 2);
        if (isNeeded) {
            recorded.clear();
        } else {
            neededSinceMillis = nowMillis();
            kept.clear();
        }
        if (nowMillis() < loadedMillis + BEGIN_MILLIS && world.cursor().holes() > world.setup().get(Parameter.JOURNAL)) {
            // A journal takes a look to begin, in which new acknowledgements take the room of old ones.
            kept.clear();
        }
        long keptMillis = KEPT_MILLIS + WORKER_TASKS * world.slowestWorkerMillis();
        long untilMillis = nowMillis() - keptMillis;
        if (calmSinceMillis <= untilMillis && (!isNeeded || neededSinceMillis <= untilMillis) && nowMillis() >= nextKeepMillis) {
            nextKeepMillis = nowMillis() + EACH_MILLIS;
            BitSet these = isNeeded ? kept : recorded;
            for (int entry = acked.nextSetBit(world.cursor().nextUnacked()); entry >= 0; entry = acked.nextSetBit(entry + 1)) {
                if (sinceMillis.get(entry) <= untilMillis && world.cursor().isDeleted(entry)) {
                    these.set(entry);
                }
            }
        }
    }

    /** A tracker that was made while its topic could not be closed lets go of a journal that it has not restored. */
    private void forgetIfLetGo() {
        if (wasRestoring && !isRestoring() && !tracker.isClosed() && world.dispatcher().isClosed()) {
            forget();
            moves.mayNotBeKnown();
        }
        wasRestoring = isRestoring();
    }

    private void lookAtShortages() {
        long takenUpMillis = world.brokers().shortages().takenUpMillis();
        if (takenUpMillis > nowMillis()) {
            calmSinceMillis = Math.max(calmSinceMillis, takenUpMillis);
            if (isRestoring()) {
                forget();
                moves.mayNotBeKnown();
            }
        }
    }

    private void lookAtStorage(FaultyStorage storage) {
        if (storage.counts().withoutCrashes() != faults || storage.isAway()) {
            faults = storage.counts().withoutCrashes();
            calmSinceMillis = nowMillis() + REST_MILLIS;
            if (isRestoring()) {
                forget();
                moves.mayNotBeKnown();
            }
        }
    }
}
