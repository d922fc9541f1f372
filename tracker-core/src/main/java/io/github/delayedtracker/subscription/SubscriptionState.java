/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The delayed positions of one subscription, and the rules that every backend shares: which are due, which are
 * contained, which may be handed out, which are forgotten.
 *
 * <p>A position is in exactly one of two places: the index, ordered by time, or the set of <em>overdue</em> positions,
 * ordered by position. A due position at or above the cursor's read position is not handed out, because the normal read
 * is about to reach it: it moves to the overdue set, where {@link #contains} gives it up to that read. Should the read
 * pass it all the same, it stands below the read position and is handed out from the overdue set.
 *
 * <p>Thread safe. Every critical section is bounded by the batch the caller asked for plus a constant; the lock is a
 * leaf: no callback, no I/O and no other lock is taken while it is held. The figures for statistics are read without
 * the lock. Time is passed in, epoch milliseconds.
 */
public final class SubscriptionState extends PublishedState {

    /** Due positions moved to the overdue set in one call at most, beyond those handed out. */
    private static final int MOVES_PER_CALL = 256;
    /** Map entries or positions visited by the tidying that rides on an ordinary call. */
    private static final int TIDY_PER_CALL = 64;
    /** The bytes retained are published at each add to a small index, else now and then: an add changes them little. */
    private static final int BYTES_AT_EACH_ADD_BELOW = 1_024;
    private static final int ADDS_BETWEEN_BYTES = 64;
    // In half the time of a reentrant one; nothing takes it twice.
    private final Lock lock = new StampedLock().asWriteLock();
    private final Supplier<DelayIndex> newIndex;
    private final Executor background;
    private final PositionBounds bounds = new PositionBounds();
    @GuardedBy("lock")
    private DelayIndex index;
    /** Null while nothing is overdue. */
    @GuardedBy("lock")
    private PositionSet overdue;
    /** Positions that readers were told to skip while a purge is under way. Touched under the lock only. */
    private final Promises promises = new Promises();
    @GuardedBy("lock")
    private boolean closed;
    /** As published last. */
    @GuardedBy("lock")
    private long indexSize;
    private volatile TimeRules rules;
    private volatile boolean askAlways;

    /** Starts with an index. The supplier makes one for when all is let go of; the executor may drop what it is given. */
    public SubscriptionState(DelayIndex first, Supplier<DelayIndex> newIndex, TimeRules rules, Executor background) {
        this.background = background;
        this.newIndex = newIndex;
        this.index = first;
        this.rules = rules;
        locked(known -> true);
    }

    /** The rules in force. */
    public TimeRules rules() {
        return rules;
    }

    /** Puts other rules in force. Positions indexed before keep their rounding: {@link TimeRules} on those of a longer tick. */
    public void setRules(TimeRules newRules) {
        change(sink -> rules = newRules);
    }

    /**
     * Decides what happens to a message the dispatcher has just read. One that could be sent at once though its time is to come,
     * and is read for the first time, is indexed where what is due next has the same time: it would overtake that.
     *
     * @param deliverAtMillis its delivery time; 0 or less for a message without one
     * @return true if the position is indexed now and will be handed out when due, false if the message is to be
     *     delivered at once; then the position is no longer known here
     */
    public boolean offer(long ledgerId, long entryId, long deliverAtMillis, long nowMillis) {
        TimeRules current = rules;
        if (deliverAtMillis <= 0 || current.deliversAtOnce(deliverAtMillis, nowMillis)
                && !queuesBehindEqual(ledgerId, entryId, current, deliverAtMillis, nowMillis)) {
            if (askAlways || bounds.mayContain(ledgerId, entryId)) {
                forget(ledgerId, entryId);
            }
            return false;
        }
        // Where it is closed it is read again from the cursor by whoever opens it next; sending now would be early.
        addIf(() -> true, ledgerId, entryId, current.round(deliverAtMillis, nowMillis));
        return true;
    }

    /** Indexes a position under a time if something is so, which is asked under the lock. */
    void addIf(BooleanSupplier isWanted, long ledgerId, long entryId, long dueMillis) {
        Optional<Runnable> work;
        lock.lock();
        try {
            if (closed || !isWanted.getAsBoolean()) {
                return;
            }
            boolean wasOverdue = removeOverdue(ledgerId, entryId);
            boolean isNew = index.add(dueMillis, ledgerId, entryId);
            bounds.include(ledgerId, entryId);
            promises.note(ledgerId, entryId);
            if (isNew && !wasOverdue) {
                publishAdd(dueMillis);
            } else {
                publish();
            }
            work = index.takeWork();
        } finally {
            lock.unlock();
        }
        PassedOnWork.pass(work, background);
    }

    /**
     * Whether a read may skip the position because it will be handed out later. A position that is due already, and
     * known to be so, is given up to the read: the answer is false and the position is forgotten in the same step.
     */
    public boolean contains(long ledgerId, long entryId, long nowMillis) {
        if (!askAlways && !bounds.mayContain(ledgerId, entryId)) {
            return false;
        }
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            moveDueToOverdue(nowMillis, MOVES_PER_CALL);
            boolean contained = !removeOverdue(ledgerId, entryId) && index.contains(ledgerId, entryId);
            promises.note(ledgerId, entryId);
            publish();
            return contained;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Changes the index from outside a broker's call, in a short time, under the lock. The sink is to be told the first and the
     * last of the positions that may be in the index from now on though they were not offered here.
     */
    public <T> T change(Function<PositionSink, T> change) {
        lock.lock();
        try {
            T answer = change.apply(bounds::include);
            publish();
            return answer;
        } finally {
            lock.unlock();
        }
    }

    /** Looks at the index from outside a broker's call, in a short time, under the lock: nothing is published. */
    public <T> T read(Supplier<T> look) {
        lock.lock();
        try {
            return look.get();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the index is asked about positions outside the known range as well. */
    public void askAlways(boolean always) {
        askAlways = always;
    }

    /**
     * Hands out due positions below the read position: overdue positions first, in position order, then in (time, ledger,
     * entry) order. A position that is handed out is no longer known here.
     *
     * @param limit how many at most
     * @return how many were passed to the sink; fewer than the limit does not mean that nothing is left
     */
    public int takeDue(long nowMillis, int limit, long readLedgerId, long readEntryId, PositionSink sink) {
        // Passes work on that is left: a hand-out that ended with an error of the threads would be lost.
        boolean unused = lockedWithOverdue((known, due) -> true);
        lock.lock();
        try {
            if (closed || limit <= 0) {
                return 0;
            }
            long untilMillis = rules.openUntilMillis(nowMillis);
            int taken = overdue == null ? 0 : overdue.takeBelow(readLedgerId, readEntryId, limit, sink);
            ReadPositionSplit handOut = new ReadPositionSplit(overdue, readLedgerId, readEntryId, sink);
            try {
                while (taken + handOut.taken() < limit && handOut.moved() < MOVES_PER_CALL) {
                    if (index.takeDue(untilMillis, Math.min(limit - taken - handOut.taken(), MOVES_PER_CALL), handOut) == 0) {
                        break;
                    }
                }
            } finally {
                noteOverdue(handOut, nowMillis);
            }
            index.tidy(TIDY_PER_CALL);
            publish();
            return taken + handOut.taken();
        } finally {
            lock.unlock();
        }
    }

    // Read for the first time, or what was handed out would come back here for as long as its equals are in the index.
    private boolean queuesBehindEqual(long ledgerId, long entryId, TimeRules current, long deliverAtMillis, long nowMillis) {
        return deliverAtMillis > nowMillis && nextDueMillis() == current.round(deliverAtMillis, nowMillis)
                && !askAlways && bounds.isBeyond(ledgerId, entryId);
    }

    /** Forgets one position; false if it was not known. */
    public boolean forget(long ledgerId, long entryId) {
        return lockedWithOverdue((known, due) -> {
            boolean was = due.remove(ledgerId, entryId) || known.forget(ledgerId, entryId);
            publishForgotten(was ? 1 : 0);
            return was;
        });
    }

    /** Forgets every position up to and including the given one; returns how many there were. */
    public long forgetUpTo(long ledgerId, long entryId) {
        if (!bounds.mayReachUpTo(ledgerId, entryId)) {
            return 0;
        }
        lock.lock();
        try {
            long known = (overdue == null ? 0 : overdue.removeUpTo(ledgerId, entryId)) + index.forgetUpTo(ledgerId, entryId);
            if (index.size() == 0 && (overdue == null || overdue.isEmpty())) {
                index.clear();
                bounds.clear();
            } else {
                bounds.raiseFirstAbove(ledgerId, entryId);
            }
            publishForgotten(known);
            publish();
            return known;
        } finally {
            lock.unlock();
        }
    }

    /** Does a bounded piece of deferred work; true if there is more. */
    public boolean tidy(int budget) {
        return locked(known -> known.tidy(budget));
    }

    /** Whether every position known is below the given one. Lock-free; while positions are added as before or as after. */
    public boolean allBelow(long ledgerId, long entryId) {
        return bounds.isBeyond(ledgerId, entryId);
    }

    /** Begins a purge: a pass over all positions that forgets those that are gone; one at a time. */
    public Purge purge() {
        return new Purge(this, promises);
    }

    /** Lets go of everything. Every later call is answered as if nothing were known; nothing is ever handed out again. */
    public void close() {
        letGo(true);
    }

    /** Lets go of everything, and unless it is for good starts anew with an empty index in memory. */
    public void letGo(boolean forGood) {
        lock.lock();
        try {
            closed |= forGood;
            askAlways = false;
            overdue = null;
            index = newIndex.get();
            bounds.clear();
            publish();
        } finally {
            lock.unlock();
        }
    }

    /** The latest indexed time, or {@link DelayIndex#NO_TIME}; see {@link DelayIndex#lastDueMillis}. */
    public long lastDueMillis() {
        long[] last = {DelayIndex.NO_TIME};
        boolean unused = locked(known -> (last[0] = known.lastDueMillis()) > DelayIndex.NO_TIME);
        return last[0];
    }

    /** Counts positions due by each of the given ascending times; see {@link DelayIndex#countDueBy}. */
    public void countDueBy(long[] untilMillis, long[] counts) {
        locked(known -> {
            known.countDueBy(untilMillis, counts);
            Arrays.setAll(counts, i -> counts[i] + overdueCount());
            return true;
        });
    }

    /** Checks every invariant, for tests. */
    public void validate() {
        lock.lock();
        try {
            index.validate();
            Optional.ofNullable(overdue).ifPresent(PositionSet::validate);
            requireCount(index.size() + (overdue == null ? 0 : overdue.size()));
        } finally {
            lock.unlock();
        }
    }

    /** Does something to the index, under the lock; false once closed. */
    boolean locked(Predicate<DelayIndex> work) {
        return lockedWithOverdue((known, due) -> work.test(known));
    }

    /** The same with what is overdue, which may be added to. */
    boolean lockedWithOverdue(BiPredicate<DelayIndex, PositionSet> work) {
        Optional<Runnable> passedOn;
        boolean answer;
        lock.lock();
        try {
            overdue = overdue == null ? new PositionSet() : overdue;
            try {
                answer = !closed && work.test(index, overdue);
            } finally {
                publish();
            }
            passedOn = index.takeWork();
        } finally {
            lock.unlock();
        }
        PassedOnWork.pass(passedOn, background);
        return answer;
    }

    @GuardedBy("lock")
    private void moveDueToOverdue(long nowMillis, int limit) {
        long untilMillis = rules.openUntilMillis(nowMillis);
        if (index.nextDueMillis() <= untilMillis) {
            ReadPositionSplit due = ReadPositionSplit.nothingBelow(overdue);
            index.takeDue(untilMillis, limit, due);
            noteOverdue(due, nowMillis);
        }
    }

    // The time published is that of before; 0 stands for an index that gives up what is lost, whenever that is due.
    @GuardedBy("lock")
    private void noteOverdue(ReadPositionSplit split, long nowMillis) {
        if (split.moved() > 0) {
            publishOverdueSince(overdue == null, nextDueMillis() > 0 ? nextDueMillis() : nowMillis);
        }
        overdue = split.overdue();
    }

    @GuardedBy("lock")
    private boolean removeOverdue(long ledgerId, long entryId) {
        return overdue != null && overdue.remove(ledgerId, entryId);
    }

    @GuardedBy("lock")
    private void publish() {
        overdue = overdue != null && overdue.isEmpty() ? null : overdue;
        indexSize = index.size();
        long due = overdue == null ? 0 : overdue.size();
        publishCount(indexSize + due);
        publishOverdue(due);
        publishBytes(bytes());
        publishNextDue(index.nextDueMillis());
    }

    @GuardedBy("lock")
    private void publishAdd(long dueMillis) {
        indexSize++;
        publishCount(indexSize + overdueCount());
        if (indexSize < BYTES_AT_EACH_ADD_BELOW || indexSize % ADDS_BETWEEN_BYTES == 0) {
            publishBytes(bytes());
        }
        if (dueMillis < nextDueMillis()) {
            publishNextDue(dueMillis);
        }
    }

    @GuardedBy("lock")
    private long bytes() {
        return closed ? 0 : index.retainedBytes() + (overdue == null ? 0 : overdue.retainedBytes());
    }

    @GuardedBy("lock")
    private void publishNextDue(long next) {
        publishTimes(next, next == DelayIndex.NEVER ? next : rules.openFromMillis(next));
    }
}
