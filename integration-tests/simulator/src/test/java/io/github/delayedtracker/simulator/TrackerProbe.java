/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.simulator.Setup.Parameter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.Position;
import org.apache.pulsar.broker.delayed.bucket.BucketDelayedDeliveryTracker;

/**
 * The real tracker as the model dispatcher holds it, with books of what it must hold. Each call goes through the type the
 * broker uses; each answer is passed to the invariants and then entered in the books.
 *
 * <p>An entry is held for sure from the add until it is handed out, given up to a read, offered again when due, or passed by
 * mark-delete. An entry that was acknowledged while held may be dropped at any later hand-out, and may or may not be there
 * still once the cursor has moved back over it.
 */
final class TrackerProbe {

    /** What a tracker without positions may keep. */
    static final long EMPTY_BYTES = 4_096;

    /** Acknowledged entries leave the index within this, and within the time that a few tasks of the worker take. */
    private static final long PURGED_WITHIN_MILLIS = 60_000;
    private static final int WORKER_TASKS = 3;

    private final World world;
    private final ModelDispatcher dispatcher;
    final BrokerLife life;
    final BucketDelayedDeliveryTracker tracker;
    private final BitSet held = new BitSet();
    private final BitSet doubtful = new BitSet();
    private final BitSet deletedWhenAdded = new BitSet();
    private final BitSet opened = new BitSet();
    private final List<Long> addedAtMillis = new ArrayList<>();
    private final List<Long> addedAtWallMillis = new ArrayList<>();
    /** The longest tick since the entry was indexed under the time it has. */
    private final List<Long> tickSinceAddMillis = new ArrayList<>();
    /** The longest tick that the entry was ever rounded by. */
    private final List<Long> longestTickMillis = new ArrayList<>();
    private final WakeUpTimes wakeUps = new WakeUpTimes();
    private final GateBooks gate = new GateBooks();
    private final TrackerCalls calls;
    private final int number;
    private long tickMillis;
    private boolean closed;
    /** What was stored may be handed out before its time, to be read and offered again. */
    private boolean rereads;

    TrackerProbe(World world, ModelDispatcher dispatcher) {
        this.world = world;
        this.dispatcher = dispatcher;
        this.life = world.life();
        this.number = world.nextTrackerNumber();
        this.calls = new TrackerCalls(world, number);
        this.tickMillis = world.tickMillis();
        this.doubtful.or(world.mayBeStored());
        Setup setup = world.setup();
        DispatcherFace face = new DispatcherFace(world, dispatcher, this::onWoken);
        this.tracker = call("newTracker", () -> life.shopForANewTracker().newTracker(face, life.timer().bookedOn(this),
                world.provider(), life.buckets().map(SimulatedBuckets::open), setup.is(Parameter.STRICT), tickMillis,
                setup.get(Parameter.PRECISION), setup.get(Parameter.ADAPTIVE)));
    }

    private void onWoken() {
        if (!dispatcher.isClosed() || closed) {
            world.tell("tracker wakes the dispatcher");
            wakeUps.woken(world.scheduler().nowMillis());
            world.check(invariant -> invariant.woken(world, this));
            dispatcher.readMoreAsync();
        }
    }

    // The broker's calls
    boolean addMessage(int entry) {
        Position position = world.topic().position(entry);
        long deliverAtMillis = world.topic().deliverAtMillis(entry);
        long moves = life.shop().gate(tracker).moves();
        boolean answer = call("addMessage",
                () -> tracker.addMessage(position.getLedgerId(), position.getEntryId(), deliverAtMillis));
        boolean isHeld = answer && life.shop().gate(tracker).moves() != moves && !life.shop().schedules(tracker, position);
        gate.offered(entry, isHeld, world.scheduler().nowMillis());
        boolean kept = answer && !isHeld;
        world.tell("  entry %d, due in %d ms", entry, deliverAtMillis - world.scheduler().wallMillis());
        world.check(invariant -> invariant.offered(world, this, entry, answer));
        boolean known = mayHold(entry);
        doubtful.clear(entry);
        held.set(entry, kept && !closed);
        if (kept) {
            // An earlier tracker may have stored it by the tick of then.
            long beforeMillis = world.mayBeStored().get(entry) ? world.longestTickMillis() : 0;
            world.mayBeStored(entry);
            deletedWhenAdded.set(entry, world.cursor().isDeleted(entry));
            makeRoom(entry);
            long sinceMillis = known ? Math.max(tickSinceAddMillis.get(entry), tickMillis) : tickMillis;
            tickSinceAddMillis.set(entry, Math.max(beforeMillis, sinceMillis));
            longestTickMillis.set(entry, Math.max(longestTickMillis.get(entry), tickMillis));
            addedAtMillis.set(entry, world.scheduler().nowMillis());
            // A position added twice keeps the time it was first indexed under.
            addedAtWallMillis.set(entry, Math.min(addedAtWallMillis.get(entry), world.scheduler().wallMillis()));
        }
        return answer;
    }

    private void makeRoom(int entry) {
        while (addedAtMillis.size() <= entry) {
            addedAtMillis.add(0L);
            addedAtWallMillis.add(Long.MAX_VALUE);
            tickSinceAddMillis.add(0L);
            longestTickMillis.add(world.storage().isPresent() ? world.longestTickMillis() : 0);
        }
    }

    /** The question that the broker asks first: a pause stops plain and nacked messages as well. */
    boolean pauses() {
        boolean pauses = call("shouldPauseAllDeliveries", tracker::shouldPauseAllDeliveries);
        if (pauses && !world.setup().is(Parameter.JOURNAL)) {
            throw calls.broken("the tracker wants all deliveries to pause");
        }
        return pauses;
    }

    boolean isPaused() {
        return life.shop().pauses(tracker);
    }

    GateBooks gate() {
        return gate;
    }

    boolean hasMessageAvailable() {
        return call("hasMessageAvailable", tracker::hasMessageAvailable);
    }

    List<Integer> getScheduledMessages(int limit) {
        List<Integer> entries = new ArrayList<>();
        for (Position position : call("getScheduledMessages", () -> tracker.getScheduledMessages(limit))) {
            int entry = world.topic().entryAt(position.getLedgerId(), position.getEntryId());
            world.check(invariant -> invariant.handedOut(world, this, entry));
            if (gate.isHeld(entry)) {
                gate.letsGo(entry);
            } else {
                held.clear(entry);
                doubtful.clear(entry);
            }
            entries.add(entry);
        }
        if (entries.size() > limit) {
            throw calls.broken(entries.size() + " positions handed out, asked for " + limit);
        }
        if (entries.isEmpty()) {
            wakeUps.unanswered(world.scheduler().nowMillis());
        } else {
            wakeUps.answered();
        }
        if (entries.size() == limit) {
            world.ableTimes().answeredInFull(world.scheduler().nowMillis());
        }
        moveDeletedToDoubtful();
        world.check(invariant -> invariant.asked(world, this));
        return entries;
    }

    /** The skip predicate of a read; called without any lock. */
    boolean skips(int entry) {
        Position position = world.topic().position(entry);
        boolean skipped = call("containsMessage", () -> tracker.containsMessage(position.getLedgerId(), position.getEntryId()));
        world.tell("  entry %d", entry);
        world.check(invariant -> invariant.askedToSkip(world, this, entry, skipped));
        makeRoom(entry);
        if (!held.get(entry)) {
            // An earlier tracker has stored it, or the cursor moved back over it.
            tickSinceAddMillis.set(entry, world.longestTickMillis());
        }
        doubtful.clear(entry);
        held.set(entry, skipped);
        if (!skipped) {
            gate.isRead(entry);
        }
        return skipped;
    }

    void resetTickTime(long newTickMillis) {
        if (newTickMillis != tickMillis) {
            rulesChange();
        }
        tickMillis = newTickMillis;
        call("resetTickTime", () -> {
            tracker.resetTickTime(newTickMillis);
            return true;
        });
    }

    CompletableFuture<Void> clear() {
        rereads = world.storage().isPresent();
        return call("clear", tracker::clear);
    }

    long count() {
        long count = call("getNumberOfDelayedMessages", tracker::getNumberOfDelayedMessages);
        world.check(invariant -> invariant.counted(world, this, count));
        return count;
    }

    long bytes() {
        return call("getBufferMemoryUsage", tracker::getBufferMemoryUsage);
    }

    void readStatistics() {
        count();
        bytes();
        if (world.isTimeForMetrics()) {
            call("genTopicMetricMap", tracker::genTopicMetricMap);
        }
    }

    /** Now, as 4.0 does, or in a while, as later lines do; answers with the tracker then. */
    CompletableFuture<Void> close(boolean inAWhile) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        if (inAWhile) {
            world.scheduler().unlockedAfter(world.latency(),
                    () -> closed(call("closeAsync", () -> life.shop().closeAsync(tracker)), over));
        } else {
            call("close", () -> {
                tracker.close();
                return true;
            });
            closed(CompletableFuture.completedFuture(null), over);
        }
        return over;
    }

    private void closed(CompletableFuture<Void> ends, CompletableFuture<Void> over) {
        closed = true;
        held.clear();
        doubtful.clear();
        gate.clear();
        TrackerCalls.pass(ends, over);
    }

    private <T> T call(String name, Supplier<T> call) {
        return calls.call(name, call);
    }

    // Books

    /** The process is gone, and the tracker with it. */
    void die() {
        closed = true;
    }

    /** Its dispatcher is closed: what is stored, or was to be, may be let go of. */
    void mayRest() {
        if (world.storage().isPresent()) {
            doubtful.or(held);
            held.clear();
        }
    }

    /** The cursor is about to move back over what was acknowledged. */
    void cursorMovedBack() {
        moveDeletedToDoubtful();
    }

    /** The tick or the clock is about to be set: what was open stays allowed. */
    void rulesChange() {
        for (int entry = held.nextSetBit(0); entry >= 0; entry = held.nextSetBit(entry + 1)) {
            opened.set(entry, wasOpen(entry));
        }
    }

    /** Whether the entry may be handed out by the tick that the tracker was told, or could have been by an earlier one. */
    boolean wasOpen(int entry) {
        makeRoom(entry);
        long nowMillis = Math.max(tickMillis, world.tickMillis());
        long thenMillis = longestTickMillis.get(entry);
        // What was rounded down by a longer tick is handed out too soon, to be offered again.
        long nonStrictMillis = nowMillis + (thenMillis > nowMillis ? thenMillis : 0);
        long windowMillis = world.setup().is(Parameter.STRICT) ? 0 : nonStrictMillis;
        long earliestMillis = world.userAcks().moves().earliestMillis(entry);
        return opened.get(entry) || earliestMillis <= world.scheduler().wallMillis() + windowMillis;
    }

    boolean mayReread() {
        return rereads || life.buckets().map(buckets -> buckets.figure("bucket_lost_buckets_total") > 0).orElse(false)
                || world.brokers().living().stream()
                .anyMatch(life -> life.buckets().map(SimulatedBuckets::hadTwoWriters).orElse(false));
    }

    private void moveDeletedToDoubtful() {
        for (int entry = held.nextSetBit(0); entry >= 0; entry = held.nextSetBit(entry + 1)) {
            if (world.cursor().isDeleted(entry)) {
                held.clear(entry);
                doubtful.set(entry);
            }
        }
    }

    boolean isClosed() {
        return closed;
    }

    boolean holds(int entry) {
        return held.get(entry) && !world.cursor().isDeleted(entry);
    }

    boolean mayHold(int entry) {
        return held.get(entry) || doubtful.get(entry);
    }

    int nextHeld(int from) {
        return held.nextSetBit(from);
    }

    long heldForSure() {
        return held.stream().filter(entry -> holds(entry) && !world.userAcks().cancels().isUnderWay(entry)).count();
    }

    /**
     * All that is held or may be, above mark-delete: what that has passed must have left the count. What was added too late
     * for that leaves it within a minute, and so does what was acknowledged by itself.
     */
    long heldAtMost() {
        int from = world.cursor().nextUnacked();
        long late = deletedWhenAdded.stream().filter(entry -> entry < from && mayHold(entry)).count();
        long heldAbove = held.stream().filter(entry -> entry >= from && !isLongGone(entry)).count();
        return late + heldAbove + doubtful.stream().filter(entry -> entry >= from && !isLongGone(entry)).count();
    }

    /** Whether the entry was acknowledged, and added before, so long ago that it must have left the index. */
    private boolean isLongGone(int entry) {
        long beforeMillis = world.scheduler().nowMillis() - PURGED_WITHIN_MILLIS - WORKER_TASKS * world.slowestWorkerMillis();
        // What is stored may come into the index at any time.
        boolean known = world.storage().isEmpty() && entry < addedAtMillis.size() && world.brokers().hadAll(beforeMillis);
        return known && addedAtMillis.get(entry) < beforeMillis && world.cursor().ackedAtMillis(entry) < beforeMillis;
    }

    /** Entries of the backlog that the normal read has passed, or all of them where it may not have passed all that is held. */
    long backlogBelowRead() {
        ModelCursor cursor = world.cursor();
        int last = Math.max(addedAtMillis.size(), world.mayBeStored().length());
        return (long) cursor.unackedFrom(0) - (cursor.readEntry() >= last ? cursor.unackedFrom(cursor.readEntry()) : 0);
    }

    boolean isDue(int entry) {
        return world.userAcks().moves().latestMillis(entry) <= world.scheduler().wallMillis();
    }

    /** Since when the tracker could have handed the entry out. */
    long dueSinceMillis(int entry) {
        long dueMillis = world.userAcks().moves().dueSinceMillis(entry);
        return Math.max(Math.max(dueMillis, addedAtMillis.get(entry)),
                world.ableTimes().sinceMillis(world, entry));
    }

    /** How much later the entry may be handed out by the rules of rounding and ticks. */
    long latenessMillis(int entry) {
        // What an earlier tracker has stored keeps the time it was rounded to then.
        long addedMillis = Math.min(addedAtWallMillis.get(entry), world.storedSinceWallMillis(entry));
        long remainingMillis = world.userAcks().moves().remainingMillis(entry, addedMillis);
        Setup setup = world.setup();
        long adaptive = setup.is(Parameter.ADAPTIVE) ? Math.min(remainingMillis / setup.get(Parameter.ADAPTIVE), 1 << 16) : 0;
        long sinceMillis = Math.max(tickSinceAddMillis.get(entry), world.userAcks().moves().tickMillis(entry));
        long longestMillis = Math.max(sinceMillis, Math.max(tickMillis, world.tickMillis()));
        return 2 * longestMillis + Math.max(Math.max(setup.get(Parameter.PRECISION), longestMillis), adaptive)
                + StorageFate.latenessMillis(world);
    }

    long nextWakeUpMillis() {
        return life.timer().nextOf(this);
    }

    WakeUpTimes wakeUps() {
        return wakeUps;
    }

    boolean holdsAnythingDue() {
        return held.stream().anyMatch(entry -> world.isOpen(entry) && !world.userAcks().cancels().isUnderWay(entry));
    }

    boolean holdsAnything() {
        return !held.isEmpty();
    }

    long failures() {
        return life.shop().failures(tracker);
    }

    void validate() {
        life.shop().validate(tracker);
    }
}
