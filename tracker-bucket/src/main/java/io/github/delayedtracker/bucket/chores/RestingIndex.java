/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.index.PositionWalk;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The index of one subscription in one of two forms. At rest it is a plain part of few positions, as tails are. Awake it is an
 * index of buckets. It wakes with the add that makes it worth a ledger, and passes on then that chores are wanted. It rests again
 * when asked to, with at most half that number of positions and nothing else in it. Positions keep their deliverAt.
 *
 * <p>Guarded by the subscription's lock, except that anybody may ask for the form.
 */
final class RestingIndex implements DelayIndex {

    private static final int OBJECT_BYTES = Footprint.object(4 * Footprint.REFERENCE + 2);

    private final Supplier<DelayIndex> newPart;
    private final BucketSettings settings;
    private final Runnable wake;
    private volatile DelayIndex form;
    /** Whether an add woke it. */
    private volatile boolean woken;
    private boolean passedOn;

    /**
     * An index at rest and empty.
     *
     * @param wake makes chores, called outside the lock; may be dropped
     */
    RestingIndex(Supplier<DelayIndex> newPart, BucketSettings settings, Runnable wake) {
        this.newPart = newPart;
        this.settings = settings;
        this.wake = wake;
        this.form = newPart.get();
    }

    /** The index of buckets; empty at rest. Without the lock it is the present one or the one just before. */
    Optional<BucketIndex> awake() {
        return form instanceof BucketIndex buckets ? Optional.of(buckets) : Optional.empty();
    }

    /** Whether an add woke it: then there are to be chores. Without the lock. */
    boolean wantsChores() {
        return woken;
    }

    /** Changes the form to an index of buckets, of which the caller knows. Only at rest. */
    void wakeUp() {
        BucketIndex buckets = Chores.newIndex(newPart, settings);
        move(form, buckets);
        form = buckets;
    }

    /** Changes the form to rest, unless there are too many positions, or buckets, or something is on the way to a bucket. */
    boolean rest() {
        if (!(form instanceof BucketIndex buckets) || !isSpare(buckets)) {
            return false;
        }
        DelayIndex part = newPart.get();
        move(buckets, part);
        form = part;
        woken = false;
        passedOn = false;
        return true;
    }

    private boolean isSpare(BucketIndex buckets) {
        return 2 * buckets.size() <= wakePositions() && buckets.seals().frozenTails() == 0 && buckets.liveBuckets() == 0
                && buckets.doomed().isEmpty() && buckets.losses().positions() == 0 && buckets.given().isEmpty();
    }

    private int wakePositions() {
        return SealChore.worthALedger(settings.ageSealPositions());
    }

    /** Moves positions one by one, since the taker of a position is not told when it was due. */
    private static void move(DelayIndex from, DelayIndex to) {
        while (from.size() > 0) {
            long dueMillis = from.nextDueMillis();
            from.takeDue(dueMillis, 1, (ledgerId, entryId) -> to.add(dueMillis, ledgerId, entryId));
        }
    }

    @Override
    public boolean add(long dueMillis, long ledgerId, long entryId) {
        boolean added = form.add(dueMillis, ledgerId, entryId);
        if (added && !(form instanceof BucketIndex) && form.size() >= wakePositions()) {
            wakeUp();
            woken = true;
        }
        return added;
    }

    @Override
    public Optional<Runnable> takeWork() {
        if (woken && !passedOn) {
            passedOn = true;
            return Optional.of(wake);
        }
        return form.takeWork();
    }

    @Override
    public int takeDue(long untilMillis, int limit, PositionSink sink) {
        return form.takeDue(untilMillis, limit, sink);
    }

    @Override
    public boolean contains(long ledgerId, long entryId) {
        return form.contains(ledgerId, entryId);
    }

    @Override
    public boolean holds(long ledgerId, long entryId) {
        return form.holds(ledgerId, entryId);
    }

    @Override
    public long nextDueMillis() {
        return form.nextDueMillis();
    }

    @Override
    public long lastDueMillis() {
        return form.lastDueMillis();
    }

    @Override
    public long size() {
        return form.size();
    }

    @Override
    public long retainedBytes() {
        return OBJECT_BYTES + form.retainedBytes();
    }

    @Override
    public long positionSetBytes() {
        return form.positionSetBytes();
    }

    @Override
    public boolean forget(long ledgerId, long entryId) {
        return form.forget(ledgerId, entryId);
    }

    @Override
    public long forgetUpTo(long ledgerId, long entryId) {
        return form.forgetUpTo(ledgerId, entryId);
    }

    @Override
    public PositionWalk walk() {
        return form.walk();
    }

    @Override
    public void clear() {
        form.clear();
    }

    @Override
    public boolean tidy(int budget) {
        return form.tidy(budget);
    }

    @Override
    public void countDueBy(long[] untilMillis, long[] counts) {
        form.countDueBy(untilMillis, counts);
    }

    @Override
    public List<DueRun> runs(long fromMillis, long untilMillis) {
        return form.runs(fromMillis, untilMillis);
    }

    @Override
    public void validate() {
        form.validate();
        if (awake().isEmpty() && form.size() >= wakePositions()) {
            throw new IllegalStateException("an index of " + wakePositions() + " positions is awake, but one of " + form.size()
                    + " is at rest");
        }
    }
}
