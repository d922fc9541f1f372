/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.github.delayedtracker.backend.SubscriptionStore;
import io.github.delayedtracker.command.DelayedCommands.Schedule;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.subscription.SubscriptionState;
import io.github.delayedtracker.subscription.TimeRules;
import io.github.delayedtracker.wakeup.WakeUpPlan;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.Position;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;
import org.apache.pulsar.common.policies.data.stats.TopicMetricBean;

/**
 * One subscription's tracker behind both adapters: joins the state, the cursor, the wake-up plan and the dispatcher.
 *
 * <p>Every method answers the broker at once and with a neutral value if something fails inside, with an Error like with an
 * exception: thrown at a dispatcher it would leave that one waiting for itself, and a JVM that is to end on an Error ends by
 * its own options. None throws, blocks or does I/O. The state's lock is released before the cursor, the timer or the
 * dispatcher is called.
 */
final class SubscriptionTracker {

    private static final int CUT_SHORT_GAP_MILLIS = 1;

    private final AbstractPersistentDispatcherMultipleConsumers dispatcher;
    private final CursorView cursor;
    private final SubscriptionState state;
    private final Optional<SubscriptionStore> stored;
    private final SubscriptionSetup setup;
    private final WakeUpPlan wakeUps;
    final FailureLog failures;
    final Acknowledgements acks;
    final SubscriptionCommands commands;
    /** What was reported last, while it may still hold; set by {@link ReportedCount} alone, else null. */
    volatile ReportedCount reported;
    /** Set under the tracker's monitor. */
    private volatile TrackerLife life = TrackerLife.IN_USE;

    /** Empty, with a stored index instead of one in memory where the backend stores. */
    SubscriptionTracker(AbstractPersistentDispatcherMultipleConsumers dispatcher, SubscriptionSetup setup,
            Optional<SubscriptionStore> stored, TrackerServices services) {
        this.dispatcher = dispatcher;
        this.cursor = new CursorView(dispatcher.getCursor(), services);
        this.setup = setup;
        this.stored = stored;
        this.state = new SubscriptionState(stored.map(SubscriptionStore::index).orElseGet(setup.newIndex()), setup.newIndex(),
                setup.rules(), services.worker());
        this.wakeUps = new WakeUpPlan(services.timer(), this::onWakeUp);
        this.failures = new FailureLog(dispatcher.getName());
        this.commands = new SubscriptionCommands(this);
        this.acks = new Acknowledgements(this, cursor, state, new TrackerCounters(), failures);
    }

    /** Begins, unless a read that ended late has made it for a closed dispatcher. To be called once, complete. */
    void start() {
        rest();
        guarded("start", life.isAtRest() ? acks::hold : this::begin);
    }

    private void begin() {
        guarded("start", acks::start);
        storedInUse().ifPresent(index -> index.start(new TrackerHost(this, dispatcher, cursor.services().delays())));
    }

    String name() {
        return dispatcher.getName();
    }

    /** By name, so that the order of a sweep does not depend on addresses; no two trackers are equal. */
    @Override
    public int hashCode() {
        return dispatcher.getName().hashCode();
    }

    AbstractPersistentDispatcherMultipleConsumers dispatcher() {
        return dispatcher;
    }

    SubscriptionSetup setup() {
        return setup;
    }

    CursorView cursor() {
        return cursor;
    }

    SubscriptionState state() {
        return state;
    }

    /** Changes the index from outside a broker's call, and arms the wake-up for the next due time. */
    <T> T change(Function<PositionSink, T> change) {
        T answer = state.change(change);
        acks.counters.changed();
        rearm();
        return answer;
    }

    /** Arms the wake-up for the next due time, unless closed or at rest. */
    void rearm() {
        rearm(cursor.services().nowMillis());
    }

    /** Has the dispatcher ask at once if something is due; unless closed or at rest. */
    void wake() {
        if (life.isInUse() && wakeUpMillis() <= cursor.services().nowMillis()) {
            acks.counters.wokenUp();
            dispatcher.readMoreEntriesAsync();
        }
    }

    /** Offers an entry the dispatcher has read; true if it is tracked now and must not be sent. */
    boolean addMessage(long ledgerId, long entryId, long deliverAtMillis) {
        boolean tracked = false;
        try {
            acks.counters.offered();
            acks.isOffered();
            goOn();
            if (deliverAtMillis <= 0) {
                return acks.keeps(state.offer(ledgerId, entryId, deliverAtMillis, 0), ledgerId, entryId);
            }
            long nowMillis = cursor.services().nowMillis();
            prune();
            tracked = commands.offer(ledgerId, entryId, deliverAtMillis, nowMillis);
            if (tracked) {
                rearm(nowMillis);
            }
            return acks.keeps(tracked, ledgerId, entryId);
        } catch (RuntimeException | Error e) {
            return failures.report("addMessage", e, tracked);
        }
    }

    /** Whether a hand-out now might yield something. */
    boolean hasMessageAvailable() {
        try {
            long nowMillis = cursor.services().nowMillis();
            goOn();
            prune();
            boolean due = state.hasDue(nowMillis);
            if (!due) {
                rearm(nowMillis);
            }
            return acks.gate().hasToHandOut() || due && !acks.gate().isShut();
        } catch (RuntimeException | Error e) {
            return failures.report("hasMessageAvailable", e, false);
        }
    }

    /** Hands out up to the given number of due positions that can be read now. */
    NavigableSet<Position> getScheduledMessages(int maxMessages) {
        NavigableSet<Position> positions = new TreeSet<>();
        try {
            long nowMillis = cursor.services().nowMillis();
            prune();
            boolean cutShort = life != TrackerLife.CLOSED && new CheckedHandOut(state, cursor, acks.counters, acks.gate(),
                    stored.isPresent()).into(positions, maxMessages, nowMillis);
            boolean unanswered = positions.isEmpty() && maxMessages > 0 && state.hasDue(nowMillis);
            long tickMillis = state.rules().tickMillis();
            wakeUps.asked(unanswered && !cutShort, nowMillis, tickMillis);
            if (unanswered && cutShort && life.isInUse()) {
                wakeUps.want(nowMillis + CUT_SHORT_GAP_MILLIS, nowMillis, tickMillis);
            }
            rearm(nowMillis);
        } catch (RuntimeException | Error e) {
            failures.report("getScheduledMessages", e, false);
        }
        acks.counters.handedOut(positions.size());
        return positions;
    }

    /** Whether a read may skip the position because it will be handed out. Called without any broker lock. */
    boolean containsMessage(long ledgerId, long entryId) {
        try {
            boolean contained = state.contains(ledgerId, entryId, cursor.services().nowMillis())
                    || commands.isWithdrawn(ledgerId, entryId);
            acks.isAskedFor(ledgerId, entryId, contained);
            if (wakeUps.readGoesOn()) {
                rearm();
            }
            return contained;
        } catch (RuntimeException | Error e) {
            return failures.report("containsMessage", e, false);
        }
    }

    /** Takes over the tick in force for the topic. */
    void resetTickTime(long tickMillis) {
        long safeTickMillis = Math.max(1, tickMillis);
        guarded("resetTickTime", () -> {
            TimeRules current = state.rules();
            if (current.tickMillis() != safeTickMillis) {
                state.setRules(current.withTick(safeTickMillis, setup.precisionOfTick().applyAsLong(safeTickMillis)));
                wakeUps.tickChanged(this::wakeUpMillis, cursor.services().nowMillis(), safeTickMillis);
            }
        });
    }

    /**
     * Forgets positions that the cursor has moved past. The broker clears the cursor before it calls this, and may have read and
     * offered newer messages in between: those stay, because nobody would read them again. Whatever is stored is deleted: the
     * broker calls this too before it deletes the subscription.
     */
    CompletableFuture<Void> clear() {
        guarded("clear", () -> pruneUpTo(cursor.markDelete()));
        guarded("clear", acks::inSlices);
        CompletableFuture<Void> nothing = CompletableFuture.completedFuture(null);
        // Each by itself: what one of them fails at leaves nothing of the others behind.
        return CompletableFuture.allOf(answered("clear", acks::clear, nothing), answered("clear", commands::clear, nothing),
                answered("clear", () -> stored.map(SubscriptionStore::clear).orElse(nothing), nothing));
    }

    /**
     * Lets go of everything and cancels the wake-up. Idempotent, from any thread.
     *
     * @return when nobody writes the cursor's properties any more, in bounded time; never fails
     */
    @CanIgnoreReturnValue
    CompletableFuture<Void> close() {
        synchronized (this) {
            life = TrackerLife.CLOSED;
        }
        guarded("close", cursor::limitRecord);
        guarded("close", wakeUps::close);
        guarded("close", state::close);
        CompletableFuture<Void> nothing = CompletableFuture.completedFuture(null);
        CompletableFuture<Void> written = CompletableFuture.allOf(answered("close", acks::close, nothing),
                answered("close", () -> stored.map(SubscriptionStore::close).orElse(nothing), nothing));
        cursor.services().registry().remove(this);
        return written;
    }

    void guarded(String call, Runnable part) {
        answered(call, () -> {
            part.run();
            return true;
        }, false);
    }

    @CanIgnoreReturnValue
    private <T> T answered(String call, Supplier<T> part, T neutral) {
        try {
            return part.get();
        } catch (RuntimeException | Error e) {
            return failures.report(call, e, neutral);
        }
    }

    /**
     * Where the dispatcher is closed: cancels what is armed and lets go of the storage, which may have another owner. What is in
     * memory stays, for a dispatcher that is in use again, perhaps without a rewind; what is stored comes with the next load.
     */
    private void rest() {
        boolean letsGo;
        Supplier<CompletableFuture<Void>> ending;
        synchronized (this) {
            if (!dispatcher.isClosed() || life == TrackerLife.CLOSED) {
                return;
            }
            letsGo = life == TrackerLife.IN_USE;
            ending = letsGo && acks.isBegun() ? acks.ending() : () -> null;
            wakeUps.rest();
            if (letsGo && stored.isPresent()) {
                state.letGo(false);
            }
            life = life.foundUnused();
            if (life == TrackerLife.LEFT) {
                cursor.services().registry().remove(this);
            }
        }
        if (letsGo) {
            answered("close", ending, null);
            stored.ifPresent(store -> guarded("close", store::close));
        }
    }

    /** Ends a rest: works in memory until the topic is loaded again. */
    void goOn() {
        if (life.isAtRest() && !dispatcher.isClosed()) {
            synchronized (this) {
                if (!life.isAtRest()) {
                    return;
                }
                life = life.usedAgain();
            }
            guarded("start", acks.isBegun() ? acks::goOn : this::begin);
            cursor.services().registry().add(this);
            rearm();
        }
    }

    /** The store of the subscription, as long as this tracker is its owner. */
    Optional<SubscriptionStore> storedInUse() {
        return life == TrackerLife.IN_USE ? stored : Optional.empty();
    }

    /** Called by the factory's sweep: prunes, tidies, arms wake-ups that have come near, notices a changed clock. */
    void sweep() {
        if (answered("sweep", this::sweepUnlessClosed, true)) {
            look();
        }
    }

    private boolean sweepUnlessClosed() {
        if (dispatcher.isClosed()) {
            // A read that was under way made this tracker, and perhaps nobody will close the dispatcher again.
            rest();
            return false;
        }
        goOn();
        cursor.limitRecord();
        pruneUpTo(cursor.markDelete());
        acks.sweep();
        commands.sweep();
        storedInUse().ifPresent(SubscriptionStore::sweep);
        wakeUps.renew(this::wakeUpMillis, cursor.services().nowMillis(), state.rules().tickMillis());
        return true;
    }

    /** The look-around between two sweeps: whether anything was acknowledged. */
    void look() {
        if (life != TrackerLife.CLOSED) {
            guarded("look", acks::look);
        }
    }

    /** How many messages wait, as far as the broker's own counters allow. Looks around only where that may change the number. */
    long numberOfDelayedMessages() {
        return ReportedCount.of(this);
    }

    /** The statistics the broker prints for this subscription: none where it prints none for single subscriptions. */
    Map<String, TopicMetricBean> metrics() {
        return answered("genTopicMetricMap", () -> TrackerStats.printed(this::samples, cursor.services()), Map.of());
    }

    /** All figures of this subscription. */
    Samples samples() {
        pruneForStats();
        return stats().samples(cursor.services().nowMillis(), life == TrackerLife.CLOSED);
    }

    /** What is scheduled. */
    Schedule schedule(long[] untilMillis) {
        pruneForStats();
        guarded("tidy", acks::inSlices);
        return stats().schedule(dispatcher.getSubscription().getName(), untilMillis, cursor.services().nowMillis());
    }

    private TrackerStats stats() {
        return new TrackerStats(setup, storedInUse(), state, acks.counters, failures, acks, commands.timeToLiveSeconds(),
                new LookAhead(dispatcher, cursor.services().configuration()).stopsReading(), wakeUps.wasAsked());
    }

    private void pruneForStats() {
        guarded("prune", this::prune);
        look();
    }

    void prune() {
        cursor.services().registry().goesOn();
        pruneUpTo(cursor.newMarkDelete());
    }

    private void pruneUpTo(Position markDelete) {
        if (markDelete != null) {
            state.forgetUpTo(markDelete.getLedgerId(), markDelete.getEntryId());
        }
    }

    private void rearm(long nowMillis) {
        if (life.isInUse() && wakeUps.isMovedBy(wakeUpMillis(), nowMillis)) {
            wakeUps.want(this::wakeUpMillis, nowMillis, state.rules().tickMillis());
        }
    }

    private long wakeUpMillis() {
        return state.wakeUpMillis(wakeUps.readLookMillis());
    }

    private void onWakeUp() {
        guarded("readMoreEntriesAsync", this::wake);
        rearm();
    }
}
