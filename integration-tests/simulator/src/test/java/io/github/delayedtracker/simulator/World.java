/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import com.google.errorprone.annotations.FormatMethod;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.DelayIndexProvider;
import io.github.delayedtracker.simulator.Setup.Parameter;
import io.github.delayedtracker.timebucket.SmallTimeBuckets;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * One scenario's topic, subscription, brokers and clocks, and the invariants that watch them. The actions on it are in
 * {@link Stage}.
 */
final class World {

    private static final DelayIndexProvider[] BACKENDS = {
        new HeapIndexProvider(), new TimeBucketIndexProvider(), new SmallTimeBuckets(), new SmallTimeBuckets()};
    /** A clock that was set is noticed by the sweep. */
    private static final long CLOCK_CHECK_MILLIS = 61_000;
    private static final long LATE_CALL_MILLIS = 2_000;
    private static final int METRICS_PERCENT = 12;
    private static final int VALIDATE_PERCENT = 3;

    private final Setup setup;
    private final Scheduler scheduler;
    private final ModelTopic topic;
    private final ModelCursor cursor;
    private final List<Invariant> invariants;
    private final List<Invariant> watchers;
    private final Consumer<String> trace;
    private final Brokers brokers = new Brokers(this);
    private final BitSet done = new BitSet();
    private final BitSet readTwice = new BitSet();
    private final BitSet stored = new BitSet();
    private final Map<Integer, Long> storedSinceWallMillis = new HashMap<>();
    private final Optional<FaultyStorage> storage;
    private final Optional<FaultyStorage> journalStorage;
    private final UserAcks userAcks = new UserAcks(this);
    final StorageFate storageFate;
    private final int latencyMillis;
    private ModelDispatcher dispatcher;
    private long tickMillis;
    private long longestTickMillis;
    private boolean delaysMessages = true;
    private boolean settling;
    private boolean readingMetrics;
    private boolean validating;
    private final ReadFaults reads;
    private long workerMillis;
    private final AbleTimes ableTimes = new AbleTimes();
    private long slowestWorkerMillis;
    private int trackers;

    World(Setup setup, List<Invariant> invariants, Consumer<String> trace) {
        this.setup = setup;
        this.trace = trace;
        this.invariants = invariants;
        this.watchers = invariants.stream().filter(Invariant::watchesEvents).toList();
        this.scheduler = new Scheduler(new SplittableRandom(~setup.get(Parameter.SEED)));
        this.topic = new ModelTopic(setup.number(Parameter.LEDGER));
        this.reads = new ReadFaults(scheduler);
        this.cursor = new ModelCursor(topic, setup, scheduler, this::acknowledgedByTracker,
                call -> brokers.shortages().calls(call));
        this.latencyMillis = setup.number(Parameter.LATENCY);
        this.tickMillis = setup.get(Parameter.TICK);
        slowWorker(setup.get(Parameter.WORKER));
        this.longestTickMillis = tickMillis;
        boolean stores = setup.number(Parameter.BACKEND) == Setup.BUCKET;
        this.storage = stores ? Optional.of(newStorage(setup.number(Parameter.FAULTS))) : Optional.empty();
        this.journalStorage = !setup.is(Parameter.JOURNAL) ? Optional.empty()
                : storage.or(() -> Optional.of(newStorage(setup.number(Parameter.JOURNAL_FAULTS))));
        this.storageFate = new StorageFate(storage);
        brokers.start();
        this.dispatcher = new ModelDispatcher(this);
    }

    private FaultyStorage newStorage(int perMille) {
        return new FaultyStorage(setup.get(Parameter.SEED), FaultRates.passing(perMille, latencyMillis, LATE_CALL_MILLIS),
                scheduler.later());
    }

    Setup setup() {
        return setup;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    ModelTopic topic() {
        return topic;
    }

    ModelCursor cursor() {
        return cursor;
    }

    ModelDispatcher dispatcher() {
        return dispatcher;
    }

    BrokerLife life() {
        return brokers.life();
    }

    /** Where the backend stores; empty for those that do not. */
    Optional<FaultyStorage> storage() {
        return storage;
    }

    /** Where journals of acknowledgements are stored; empty without them. */
    Optional<FaultyStorage> journalStorage() {
        return journalStorage;
    }

    /** What is stored of any kind; empty for nothing. */
    Optional<FaultyStorage> anyStorage() {
        return storage.or(() -> journalStorage);
    }

    UserAcks userAcks() {
        return userAcks;
    }

    private void acknowledgedByTracker(int entry) {
        tell("entry %d is acknowledged by the tracker", entry);
        userAcks.restored(entry);
        check(invariant -> invariant.acknowledgedByTracker(this, entry));
    }

    /** The entry may be stored from now on, and come back in a later tracker with the time it was rounded to now. */
    void mayBeStored(int entry) {
        if (storage.isPresent()) {
            stored.set(entry);
            // By a clock that was set back it may be rounded anew.
            storedSinceWallMillis.merge(entry, scheduler.wallMillis(), Math::min);
        }
    }

    /** By the wall clock; Long.MAX_VALUE if it cannot be stored. */
    long storedSinceWallMillis(int entry) {
        return storedSinceWallMillis.getOrDefault(entry, Long.MAX_VALUE);
    }

    BitSet mayBeStored() {
        return stored;
    }

    DelayIndexProvider provider() {
        return BACKENDS[setup.number(Parameter.BACKEND)];
    }

    Brokers brokers() {
        return brokers;
    }

    void newDispatcher() {
        dispatcher = new ModelDispatcher(this);
    }

    int nextTrackerNumber() {
        return ++trackers;
    }

    // Rules in force

    long tickMillis() {
        return tickMillis;
    }

    long longestTickMillis() {
        return longestTickMillis;
    }

    void setTick(long newTickMillis) {
        tickMillis = newTickMillis;
        longestTickMillis = Math.max(longestTickMillis, newTickMillis);
    }

    boolean delaysMessages() {
        return delaysMessages;
    }

    void setDelaysMessages(boolean delays) {
        delaysMessages = delays;
    }

    /** Whether the entry may be delivered now. */
    boolean isOpen(int entry) {
        long windowMillis = setup.is(Parameter.STRICT) ? 0 : tickMillis;
        return userAcks.moves().earliestMillis(entry) <= scheduler.wallMillis() + windowMillis;
    }

    // Faults and delays
    long latency() {
        return scheduler.draw(latencyMillis);
    }

    /** How long a read takes. */
    long readLatency(boolean replay) {
        return reads.latency(latency(), replay);
    }

    /** The faults of reads to come. */
    ReadFaults reads() {
        return reads;
    }

    long workerMillis() {
        return workerMillis + latency();
    }

    /** The longest a task of the worker may have waited. */
    long slowestWorkerMillis() {
        return slowestWorkerMillis + latencyMillis;
    }

    void slowWorker(long millis) {
        workerMillis = millis;
        slowestWorkerMillis = Math.max(slowestWorkerMillis, millis);
    }

    void setClock(long byMillis) {
        if (dispatcher.tracker() != null) {
            dispatcher.tracker().rulesChange();
        }
        scheduler.stepWallClock(byMillis);
        ableTimes.notBefore(scheduler.nowMillis() + CLOCK_CHECK_MILLIS);
    }

    void settle() {
        settling = true;
        reads.end();
        brokers.shortages().end();
        workerMillis = 0;
        delaysMessages = true;
        anyStorage().ifPresent(faulty -> {
            faulty.setRates(new FaultRates(latencyMillis, 0));
            faulty.heal();
        });
    }

    boolean isSettling() {
        return settling;
    }

    boolean isBlocked() {
        return reads.areDue() || dispatcher.isBlocked();
    }

    /** Since when the dispatcher has been able to take messages without a break. */
    AbleTimes ableTimes() {
        return ableTimes;
    }

    /** Whether a trace is wanted: each call, message and disturbance with its moment. */
    boolean isTraced() {
        return trace != null;
    }

    @FormatMethod
    void tell(String format, Object... details) {
        if (trace != null) {
            trace.accept(String.format("%8d ms  ", scheduler.nowMillis()) + String.format(format, details));
        }
    }

    // What happens to messages

    /** Appends an entry to be delivered so much later; 0 means at once. */
    void publish(long delayMillis) {
        publishAt(delayMillis == 0 ? -1 : scheduler.wallMillis() + delayMillis);
    }

    void publishAt(long deliverAtMillis) {
        topic.publish(deliverAtMillis, scheduler.nowMillis());
        dispatcher.published();
    }

    /** A consumer has received an entry and is done with it. */
    void acknowledgedByConsumer(int entry) {
        done.set(entry, !readTwice.get(entry));
        acknowledge(entry);
    }

    /** The cursor has gone back: what it no longer knows as acknowledged is delivered again. */
    void cursorWentBack() {
        done.stream().filter(entry -> !cursor.isDeleted(entry)).forEach(done::clear);
    }

    /** The topic was loaded: of what consumers have acknowledged some may be forgotten. */
    void cursorIsLoaded() {
        if (journalStorage.isPresent()) {
            userAcks.loaded();
        }
        cursorWentBack();
    }

    /** Whether a consumer is done with the entry, and the cursor has not gone back over it since. */
    boolean isDone(int entry) {
        return done.get(entry);
    }

    void acknowledge(int entry) {
        if (cursor.isResetting()) {
            return;
        }
        tell("entry %d is acknowledged", entry);
        userAcks.acknowledged(entry);
        readTwice.clear(entry);
        cursor.acknowledge(entry);
        scheduler.after(latency(), () -> topic.trimBelow(cursor.passedForGood()));
    }

    /** A consumer gets an entry. */
    void sent(int entry) {
        tell("entry %d is sent", entry);
        check(invariant -> invariant.sent(this, entry));
        Optional.ofNullable(dispatcher.tracker()).ifPresent(tracker -> tracker.gate().isRead(entry));
    }

    /** The rewind for the first consumer waits for an older read to end, and the entry is handed out before it. */
    void willBeReadTwice(int entry) {
        readTwice.set(entry);
    }

    /** Whether the broker itself is bound to send the entry twice. */
    boolean isReadTwice(int entry) {
        return readTwice.get(entry);
    }

    /** The first entry that is neither acknowledged nor delayed for ever, or -1. */
    int firstUndelivered() {
        for (int entry = cursor.nextUnacked(); entry < topic.size(); entry++) {
            if (!cursor.isDeleted(entry) && userAcks.moves().latestMillis(entry) != Long.MAX_VALUE) {
                return entry;
            }
        }
        return -1;
    }

    // Watching

    void check(Consumer<Invariant> hook) {
        for (Invariant invariant : invariants) {
            hook.accept(invariant);
        }
    }

    void afterEvent() {
        ableTimes.look(this);
        TrackerProbe tracker = dispatcher.tracker();
        if (journalStorage.isPresent()) {
            userAcks.look(journalStorage.get());
            if (tracker != null) {
                tracker.gate().look(this, tracker);
            }
        }
        if (tracker != null && scheduler.chance(setup.number(Parameter.STATS))) {
            scheduler.unlockedAfter(0, () -> {
                if (!tracker.isClosed()) {
                    tracker.readStatistics();
                }
            });
        }
        readingMetrics = scheduler.chance(METRICS_PERCENT);
        validating = scheduler.chance(VALIDATE_PERCENT);
        for (Invariant watcher : watchers) {
            watcher.afterEvent(this);
        }
    }

    boolean isTimeForMetrics() {
        return readingMetrics;
    }

    boolean isTimeToValidate() {
        return validating;
    }

    /** What a broken promise says, with the moment. */
    String describe(String what) {
        return what + " (at " + scheduler.nowMillis() + " ms, backend " + provider().backendName() + ")";
    }
}
