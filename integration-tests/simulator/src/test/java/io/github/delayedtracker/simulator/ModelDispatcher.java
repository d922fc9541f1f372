/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.github.delayedtracker.simulator.Setup.Parameter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * The dispatcher of a Shared or Key_Shared subscription, as far as a tracker can tell: which calls it makes, in which order,
 * between which events, on each broker line. What it does in one event it does under its monitor; {@link Scheduler#preempt}
 * marks where calls without the monitor get in.
 */
final class ModelDispatcher {

    private static final long RETRY_MILLIS = 100;
    private static final int LINE_5_0 = 2;

    private final World world;
    private final ModelCursor cursor;
    private final List<ModelConsumer> consumers = new ArrayList<>();
    private final TreeSet<Integer> redelivery = new TreeSet<>();
    /** Those that were read: their key is known. */
    private final BitSet keyKnown = new BitSet();
    private final boolean keyShared;
    private TrackerProbe tracker;
    private TrackerProbe closedTracker;
    private ModelRead pendingRead;
    private boolean pendingReplay;
    private boolean rewindFirst;
    private boolean readMoreScheduled;
    private boolean closed;
    private final WaitingForTracker waiting;
    private int round;
    private int connections;
    private int connects;

    ModelDispatcher(World world) {
        this.world = world;
        this.cursor = world.cursor();
        this.keyShared = world.setup().is(Parameter.KEY_SHARED);
        this.waiting = new WaitingForTracker(world, this);
    }

    // Consumers

    void connect() {
        if (closed) {
            return;
        }
        if (cursor.isResetting()) {
            world.scheduler().after(RETRY_MILLIS, this::connect);
            return;
        }
        connects++;
        if (consumers.isEmpty()) {
            connections++;
            rewindFirst = pendingRead != null;
            if (!rewindFirst) {
                cursor.rewind();
            }
            redelivery.clear();
        }
        consumers.add(new ModelConsumer(world, this));
        readMoreAsync();
    }

    void disconnect(int which) {
        if (consumers.isEmpty()) {
            return;
        }
        ModelConsumer consumer = consumers.remove(which % consumers.size());
        consumer.disconnect();
        connects++;
        if (consumers.isEmpty()) {
            if (pendingRead != null && pendingRead.isParked()) {
                cancelRead();
            }
            redelivery.clear();
            waiting.clear();
        } else {
            BitSet pending = consumer.pending();
            for (int entry = pending.nextSetBit(0); entry >= 0; entry = pending.nextSetBit(entry + 1)) {
                redeliver(entry);
            }
            readMoreAsync();
        }
    }

    int disconnectAll() {
        int there = consumers.size();
        while (!consumers.isEmpty()) {
            disconnect(0);
        }
        return there;
    }

    List<ModelConsumer> consumers() {
        return consumers;
    }

    /** How often consumers have come or gone. */
    int connects() {
        return connects;
    }

    void redeliver(int entry) {
        if (!cursor.isDeleted(entry)) {
            redelivery.add(entry);
            keyKnown.set(entry);
        }
    }

    // Reading

    /** The one call that a tracker makes. */
    void readMoreAsync() {
        if (!readMoreScheduled && !closed) {
            readMoreScheduled = true;
            world.scheduler().after(world.latency(), () -> {
                readMoreScheduled = false;
                readMore();
            });
        }
    }

    private void readMore() {
        int permits = consumers.stream().mapToInt(ModelConsumer::permits).sum();
        if (closed || permits <= 0 || waiting.isPending() || tracker != null && tracker.pauses()) {
            return;
        }
        int wanted = Math.min(permits, world.setup().number(Parameter.BATCH));
        List<Integer> replay = pendingReplay ? List.of() : replayNow(wanted);
        if (!replay.isEmpty()) {
            replay(replay);
        } else if (pendingRead == null && redelivery.size() < world.setup().get(Parameter.LOOK_AHEAD)) {
            TrackerProbe asked = world.setup().is(Parameter.SKIP) ? tracker : null;
            pendingRead = new ModelRead(world, this, wanted, asked == null ? entry -> false : asked::skips);
            pendingRead.start();
        }
    }

    private List<Integer> replayNow(int wanted) {
        if (tracker != null && tracker.hasMessageAvailable()) {
            tracker.resetTickTime(world.tickMillis());
            List<Integer> due = tracker.getScheduledMessages(wanted);
            redelivery.addAll(due);
            due.forEach(keyKnown::clear);
        }
        if (rewindFirst) {
            // What is handed out now the broker reads again after the rewind, whatever the tracker is.
            redelivery.forEach(world::willBeReadTwice);
        }
        return redelivery.stream().filter(entry -> !keyShared || !keyKnown.get(entry) || consumerOf(entry).permits() > 0)
                .limit(wanted).toList();
    }

    private void replay(List<Integer> candidates) {
        List<Integer> entries = new ArrayList<>();
        for (int entry : candidates) {
            if (cursor.isDeleted(entry)) {
                redelivery.remove(entry);
            } else {
                entries.add(entry);
            }
        }
        if (entries.isEmpty()) {
            readMoreAsync();
            return;
        }
        pendingReplay = true;
        int connection = connections;
        world.scheduler().after(world.readLatency(true), () -> replayDone(entries, connection));
    }

    private void replayDone(List<Integer> entries, int connection) {
        pendingReplay = false;
        if (world.reads().fails()) {
            world.scheduler().after(RETRY_MILLIS, this::readMoreAsync);
        } else if (connection == connections && !consumers.isEmpty()) {
            entries.forEach(redelivery::remove);
            send(entries);
        } else {
            readMoreAsync();
        }
    }

    void normalReadFailed() {
        pendingRead = null;
        if (rewindFirst) {
            rewindFirst = false;
            cursor.rewind();
        }
        world.scheduler().after(RETRY_MILLIS, this::readMoreAsync);
    }

    void normalReadDone(List<Integer> entries) {
        pendingRead = null;
        if (rewindFirst) {
            rewindFirst = false;
            cursor.rewind();
            readMoreAsync();
        } else {
            world.tell("read %s, now at %d", entries, cursor.readEntry());
            send(entries);
        }
    }

    /** Something was published. */
    void published() {
        if (pendingRead != null) {
            pendingRead.resume();
        }
    }

    // Sending

    private void send(List<Integer> entries) {
        for (int entry : entries) {
            world.scheduler().preempt();
            ModelConsumer consumer = keyShared && !consumers.isEmpty() ? consumerOf(entry) : anyWithPermits();
            if (consumer == null || consumer.permits() <= 0) {
                redeliver(entry);
            } else if (!trackDelayed(entry)) {
                world.sent(entry);
                consumer.receive(entry);
            }
        }
        readMoreAsync();
    }

    private ModelConsumer anyWithPermits() {
        for (int i = 0; i < consumers.size(); i++) {
            ModelConsumer consumer = consumers.get(round++ % consumers.size());
            if (consumer.permits() > 0) {
                return consumer;
            }
        }
        return null;
    }

    ModelConsumer consumerOf(int entry) {
        return consumers.get(entry % (2 * consumers.size()) / 2);
    }

    private boolean trackDelayed(int entry) {
        if (!world.delaysMessages() || tracker == null && world.topic().isPlain(entry)) {
            return false;
        }
        if (tracker == null) {
            if (world.setup().get(Parameter.LINE) == LINE_5_0) {
                waiting.add(entry);
                return true;
            }
            tracker = new TrackerProbe(world, this);
        }
        tracker.resetTickTime(world.tickMillis());
        return tracker.addMessage(entry);
    }

    void trackerIsMade() {
        if (!closed) {
            tracker = new TrackerProbe(world, this);
            waiting.feed(tracker);
            readMoreAsync();
        }
    }

    // Administration

    /** After the cursor was cleared. Line 4.0 calls it without the monitor. */
    @CanIgnoreReturnValue
    CompletableFuture<Void> clearDelayedMessages() {
        if (tracker != null && world.delaysMessages()) {
            return tracker.clear();
        } else if (tracker == null && world.delaysMessages()) {
            world.life().buckets().ifPresent(SimulatedBuckets::removeAll);
            world.life().removeJournals();
        }
        return CompletableFuture.completedFuture(null);
    }

    /** The subscription is moved to another place of the topic: reads under way are dropped. */
    void cursorMoved() {
        cancelRead();
        if (tracker != null) {
            tracker.cursorMovedBack();
        }
    }

    /** Lets go of the tracker. An unload waits for the answer, a switch of the type does not. */
    @CanIgnoreReturnValue
    CompletableFuture<Void> close() {
        closed = true;
        disconnectAll();
        cancelRead();
        TrackerProbe old = tracker;
        tracker = null;
        closedTracker = old;
        return old == null ? CompletableFuture.completedFuture(null) : old.close(world.setup().get(Parameter.LINE) > 0);
    }

    /** The topic belongs to another broker, of which this one has not heard: nobody is here any more but the tracker. */
    void isLeftAlone() {
        closed = true;
        consumers.forEach(ModelConsumer::disconnect);
        consumers.clear();
        cancelRead();
    }

    private void cancelRead() {
        if (pendingRead != null) {
            pendingRead.cancel();
            pendingRead = null;
        }
    }

    /** Until 5.0 a read that ends after the close may find the closed tracker, or make one that nobody will close. */
    void lateReadMakesATracker() {
        int entry = world.firstUndelivered();
        if (closed && entry >= 0 && !world.topic().isPlain(entry) && world.setup().get(Parameter.LINE) < LINE_5_0) {
            boolean finds = closedTracker != null && world.scheduler().draw(1) == 0;
            if (!finds) {
                world.life().trackerOfALateRead();
            }
            TrackerProbe late = finds ? closedTracker : new TrackerProbe(world, this);
            tracker = finds ? null : late;
            late.resetTickTime(world.tickMillis());
            late.addMessage(entry);
            late.mayRest();
        }
    }

    /** The topic could not be closed: its dispatcher is in use again, with the tracker of a late read. */
    void reset() {
        closed = false;
    }

    /** The process is gone. */
    void die() {
        isLeftAlone();
        if (tracker != null) {
            tracker.die();
        }
    }

    boolean isClosed() {
        return closed;
    }

    TrackerProbe tracker() {
        return tracker;
    }

    boolean isKeyShared() {
        return keyShared;
    }

    int messagesInReplay() {
        return redelivery.size();
    }

    /** Whether a message whose time has come may have to wait for somebody else than the tracker, whatever its key is. */
    boolean isBlocked() {
        if (closed || waiting.isPending() || consumers.isEmpty() || tracker != null && tracker.isPaused()) {
            return true;
        }
        long blocked = consumers.stream().filter(consumer -> consumer.permits() <= 0).count();
        return keyShared ? blocked == consumers.size()
                : blocked > 0 || redelivery.size() >= world.setup().get(Parameter.LOOK_AHEAD);
    }

    boolean hasReadUnderWay() {
        return readMoreScheduled || pendingReplay || pendingRead != null && !pendingRead.isParked();
    }

    /** Which steps it is in the middle of, for the report. */
    void addStepsTo(Set<Step> steps) {
        if (waiting.isPending()) {
            steps.add(Step.TRACKER_BEING_MADE);
        }
        if (pendingReplay) {
            steps.add(Step.REPLAY_UNDER_WAY);
        }
        if (pendingRead != null) {
            steps.add(pendingRead.isParked() ? Step.READ_PARKED : Step.READ_UNDER_WAY);
        }
    }
}
