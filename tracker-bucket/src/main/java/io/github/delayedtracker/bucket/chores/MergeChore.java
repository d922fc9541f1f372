/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.chores.DeleteChore.HoldLimit;
import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.index.MergePlan;
import io.github.delayedtracker.bucket.index.SegmentLoading.SegmentRef;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.record.DurableRecord;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.steps.SegmentSource;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.steps.SnapshotSteps;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.StorageException.Consequence;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The chore that merges buckets of a size class, one merge at a time. It writes the positions that still sleep in them as one
 * bucket, in an order of tasks of its own, so that seals do not wait. Then it records the merge in the subscription's order, and
 * lets the sources go. A merge that fails leaves the sources as they were. {@link #run} is called in the subscription's order.
 */
final class MergeChore implements Chore, MergeGate.Guest {

    /** The number of doomed ledgers at which a record is long enough, some 5 kB: merging waits until they are deleted. */
    static final int MOST_DOOMED = 1_000;

    /** The consequences with which a bucket is no more. */
    private static final Set<Consequence> UNREADABLE = EnumSet.of(Consequence.LOST, Consequence.FOREIGN, Consequence.NEWER);

    /** The storage steps of a merge. */
    record Steps(Read read, Merge merge) {
    }

    /** The segments of a snapshot whose table is known. */
    @FunctionalInterface
    interface Read {
        SegmentSource source(long ledgerId, List<SegmentEntry> table);
    }

    /** Merges snapshots into a new one; empty, and no ledger made, if nothing is kept. */
    @FunctionalInterface
    interface Merge {
        CompletableFuture<Optional<WrittenSnapshot>> merge(List<SegmentSource> sources, SnapshotSteps.Keep keep,
                SnapshotSteps.Pause pause);
    }

    private final GuardedIndex index;
    private final ChoreTasks tasks;
    private final DurableRecord record;
    private final Steps steps;
    private final MergeRule rule;
    private final MergeGate gate;
    private final HoldLimit holds;
    private final Leftovers leftovers;
    private final DeleteChore deletes;
    private final ChoreClock clock;
    private final ChoreReport report;
    private final Runnable whenOver;
    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
    private volatile long begunMillis;
    private volatile long restsUntilMillis;
    private volatile boolean waitsForRoom;

    private enum State {
        IDLE,
        /** Waits at the gate. */
        WAITING,
        UNDER_WAY
    }

    MergeChore(GuardedIndex index, ChoreTasks tasks, DurableRecord record, Steps steps, MergeRule rule, MergeGate gate,
            HoldLimit holds, Leftovers leftovers, DeleteChore deletes, ChoreClock clock, ChoreReport report, Runnable whenOver) {
        this.index = index;
        this.tasks = tasks;
        this.record = record;
        this.steps = steps;
        this.rule = rule;
        this.gate = gate;
        this.holds = holds;
        this.leftovers = leftovers;
        this.deletes = deletes;
        this.clock = clock;
        this.report = report;
        this.whenOver = whenOver;
    }

    @Override
    public long nextMillis() {
        long nowMillis = clock.nowMillis();
        return waitsForRoom ? nowMillis + clock.pauseMillis() / 10
                : nowMillis < restsUntilMillis ? restsUntilMillis : Long.MAX_VALUE;
    }

    @Override
    public boolean isIdle() {
        return state.get() == State.IDLE;
    }

    /** Asks for a turn at the gate if there is something to merge and no merge under way; waits for neither. */
    @Override
    public CompletableFuture<Void> run() {
        if (isIdle() && clock.nowMillis() >= restsUntilMillis && index.read(known -> known.merges().isWanted(rule.tiers()))) {
            waitsForRoom = holdsTooMany();
            if (!waitsForRoom && rule.allows(live()) && state.compareAndSet(State.IDLE, State.WAITING)) {
                gate.ask(this);
            }
        } else {
            waitsForRoom = false;
        }
        return Futures.DONE;
    }

    @Override
    public void refused() {
        state.set(State.IDLE);
    }

    /** Begins the merge that is wanted by now. */
    @Override
    public void entered(MergeGate.Place place) {
        Optional<MergePlan> plan = Optional.empty();
        try {
            if (!tasks.isClosed()) {
                plan = index.changeAndGet(known -> known.merges().begin(rule.tiers()));
            }
        } catch (Throwable e) {
            report.warn("A merge was not begun", e);
            restsUntilMillis = clock.restUntilMillis();
        }
        if (plan.isPresent()) {
            state.set(State.UNDER_WAY);
            begunMillis = clock.nowMillis();
            merge(plan.get(), place);
        } else {
            state.set(State.IDLE);
            place.leave();
        }
    }

    private boolean holdsTooMany() {
        return holds.isReached() || record.keeper().doomed().size() >= MOST_DOOMED;
    }

    private List<Long> live() {
        return record.keeper().wish().orElse(CatalogueRecord.EMPTY).live();
    }

    private void merge(MergePlan plan, MergeGate.Place place) {
        List<SegmentSource> sources = new ArrayList<>();
        Futures.whenDone(tasks.ofMerges(() -> write(plan, sources)), (written, failure) -> {
            place.leave();
            if (failure != null) {
                giveUp(plan, sources, failure);
            } else if (written.isEmpty()) {
                end(plan, known -> known.merges().giveUp(plan, "nothing sleeps in the sources any more"));
            } else {
                record(plan, written.get());
            }
        });
    }

    private CompletableFuture<Optional<WrittenSnapshot>> write(MergePlan plan, List<SegmentSource> sources) {
        for (long ledgerId : plan.sources()) {
            sources.add(steps.read().source(ledgerId, table(ledgerId)));
        }
        return steps.merge().merge(sources, (source, columns) -> {
            long ledgerId = sources.get(source).ledgerId();
            return CompletableFuture.completedFuture(index.chosen(columns,
                    (known, from, to, into) -> known.merges().live(plan, ledgerId, columns, from, to, into)));
        }, bytes -> tasks.onThreads(gate.pause(bytes))).thenApply(written -> {
                    written.ifPresent(merged -> drain(plan, merged));
                    return written;
                });
    }

    private void drain(MergePlan plan, WrittenSnapshot written) {
        index.changeWhileMore((known, positions) -> known.merges().drain(plan, written.positions(), positions) > positions);
    }

    private void record(MergePlan plan, WrittenSnapshot written) {
        Futures.whenDone(tasks.inOrder(() -> recordNow(plan, written)), (done, failure) -> {
            if (failure != null) {
                leftovers.unwanted(written.ledgerId());
                giveUp(plan, List.of(), failure);
            }
        });
    }

    private CompletableFuture<Boolean> recordNow(MergePlan plan, WrittenSnapshot written) {
        if (!live().containsAll(plan.sources()) || !index.changeAndGet(known -> plan.beginRecording())) {
            // Everything was deleted meanwhile, or a source given up.
            leftovers.unwanted(written.ledgerId());
            end(plan, known -> known.merges().giveUp(plan, "its sources are not live any more"));
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Void> following = record.update(before -> before.merged(plan.sources(), written.ledgerId()))
                .thenAccept(durable -> {
                    if (durable) {
                        commit(plan, written);
                    } else {
                        end(plan, known -> known.merges().giveUp(plan, "its ledger is removed with all others"));
                    }
                });
        return record.settled(following);
    }

    private void commit(MergePlan plan, WrittenSnapshot written) {
        end(plan, known -> known.merges().commit(plan, written.ledgerId(), written.segments(), written.positions()));
        report.count(Figure.MERGES_TOTAL);
        report.took(Operation.MERGE, begunMillis, written.bytes());
        report.debug("Merged ledgers {} into {}: {} positions in {} segments, {} bytes, {} ms", plan.sources(),
                written.ledgerId(), written.positions().size(), written.segments().size(), written.bytes(),
                clock.nowMillis() - begunMillis);
    }

    private void end(MergePlan plan, Consumer<BucketIndex> how) {
        try {
            index.change(known -> {
                // Or it has ended with a source that was given up.
                if (plan.isOpen()) {
                    how.accept(known);
                }
            });
        } finally {
            state.set(State.IDLE);
            whenOver.run();
        }
    }

    private List<SegmentEntry> table(long ledgerId) {
        int count = index.read(known -> known.loads().segmentCount(ledgerId));
        List<SegmentEntry> table = new ArrayList<>(count);
        index.readInSlices(count, (known, from, to) -> {
            for (int number = from; number < to; number++) {
                table.add(known.loads().segment(new SegmentRef(ledgerId, number)).orElseThrow());
            }
        });
        return table;
    }

    private void giveUp(MergePlan plan, List<SegmentSource> sources, Throwable failure) {
        report.count(Figure.MERGE_FAILURES_TOTAL);
        report.warn("Merging ledgers " + plan.sources() + " failed; they stay as they are", failure);
        restsUntilMillis = clock.restUntilMillis();
        if (Futures.cause(failure) instanceof StorageException known) {
            rule.failed(known);
        }
        end(plan, known -> known.merges().giveUp(plan, Futures.cause(failure).toString()));
        for (SegmentSource source : sources) {
            source.failure().filter(known -> UNREADABLE.contains(known.consequence()))
                    .ifPresent(known -> {
                        if (known.consequence() == Consequence.NEWER) {
                            deletes.keep(source.ledgerId());
                        }
                        report.count(Figure.LOST_BUCKETS_TOTAL);
                        index.change(buckets -> buckets.lose(source.ledgerId(), known.toString()));
                    });
        }
    }
}
