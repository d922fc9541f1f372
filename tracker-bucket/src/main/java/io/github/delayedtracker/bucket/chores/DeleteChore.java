/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.record.DurableRecord;
import io.github.delayedtracker.bucket.storage.DeleteLedgers.Deletions;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.Samples;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The chore that deletes the ledgers of buckets that cannot be read or in which nothing sleeps any more. First the record dooms
 * them. They are deleted after the time that {@link HeldLedgers} gives them. Ledgers found doomed in the record as it was read
 * are deleted at once: a broker that loads the topic later reads that too. Ledgers of somebody else leave the record and are not
 * touched. After a pass that leaves ledgers there is a rest, which doubles while nothing can be deleted. One call at a time.
 */
final class DeleteChore implements Chore {

    /** The most doublings of the rest, which is then a quarter of an hour by default. */
    private static final int MOST_DOUBLINGS = 4;

    private final GuardedIndex index;
    private final DurableRecord record;
    private final Leftovers leftovers;
    private final Supplier<Set<Long>> held;
    private final HoldLimit holds;
    private final ChoreClock clock;
    private final ChoreReport report;
    private final BucketSettings settings;
    /** The ledgers that are live by the record and not in the index. */
    private final Set<Long> unreadable = ConcurrentHashMap.newKeySet();
    /** The ledgers of a newer version: neither doomed nor deleted, though nothing of them is in the index. */
    private final Set<Long> kept = ConcurrentHashMap.newKeySet();
    /** The ledgers doomed by somebody before. */
    private volatile Set<Long> found = Set.of();
    /** The ledgers held back; null while there are none. */
    private HeldLedgers hold;
    private volatile boolean left;
    private int passesInVain;
    /**
     * The time before which left ledgers are not tried again, by the clock of the limit, which nobody sets. The next field too.
     */
    private volatile long restsUntilMillis;
    private volatile long heldUntilMillis = Long.MAX_VALUE;

    /**
     * A chore with nothing to delete yet.
     *
     * @param held doomed ledgers that are to stay for now
     */
    DeleteChore(GuardedIndex index, DurableRecord record, Leftovers leftovers, Supplier<Set<Long>> held, HoldLimit holds,
            ChoreClock clock, ChoreReport report, BucketSettings settings) {
        this.index = index;
        this.record = record;
        this.leftovers = leftovers;
        this.held = held;
        this.holds = holds;
        this.clock = clock;
        this.report = report;
        this.settings = settings;
    }

    /** Notes the ledgers doomed in the record as it was read: the owner before did not get to deleting them. From any thread. */
    void found(List<Long> doomed) {
        found = Set.copyOf(doomed);
    }

    /** Notes a recorded ledger that has no bucket and will not get one. From any thread. */
    void drop(long ledgerId) {
        unreadable.add(ledgerId);
    }

    /** Keeps a ledger of a newer version live in the record, whatever becomes of its bucket. From any thread. */
    void keep(long ledgerId) {
        if (kept.add(ledgerId)) {
            report.set(Figure.NEWER_BUCKETS, kept.size());
        }
    }

    @Override
    public long nextMillis() {
        long untilMillis = left ? restsUntilMillis : heldUntilMillis;
        return untilMillis == Long.MAX_VALUE ? untilMillis
                : clock.nowMillis() + Math.max(0, untilMillis - holds.nowMillis());
    }

    @Override
    public boolean isIdle() {
        return !left && unreadable.isEmpty();
    }

    @Override
    public CompletableFuture<Void> run() {
        Set<Long> doomed = new HashSet<>(unreadable);
        doomed.addAll(index.changeAndGet(known -> {
            known.exhausted();
            return known.doomed();
        }));
        List<Long> drop = new ArrayList<>(record.keeper().wish().orElse(CatalogueRecord.EMPTY).live());
        unreadable.retainAll(drop);
        drop.retainAll(doomed);
        drop.removeAll(kept);
        if (drop.isEmpty()) {
            return delete();
        }
        CompletableFuture<Void> following = record.update(before -> before.dropped(drop)).thenAccept(durable -> {
            if (durable) {
                unreadable.removeAll(drop);
            }
        });
        return record.settled(following).thenCompose(recorded -> recorded ? delete() : Futures.DONE);
    }

    private CompletableFuture<Void> delete() {
        Set<Long> doomed = record.keeper().doomed();
        // The record names them, the index need not.
        forget(doomed);
        Set<Long> stay = heldBack(doomed);
        stay.addAll(held.get());
        boolean isAny = !doomed.isEmpty() || !leftovers.unwanted().isEmpty();
        if (isAny && left && holds.nowMillis() < restsUntilMillis) {
            return Futures.DONE;
        }
        return record.keeper().deleteDoomed(stay).thenCompose(deletions -> {
            done(deletions);
            boolean isVain = !deletions.left().isEmpty() && deletions.isInVain();
            return (isVain ? CompletableFuture.completedFuture(Deletions.NONE) : record.keeper().deleteLeftovers())
                    .thenAccept(others -> passed(deletions, others))
                    .thenCompose(done -> deletions.gone().isEmpty() ? Futures.DONE : rewrite());
        });
    }

    private void passed(Deletions deletions, Deletions others) {
        boolean isLeft = !deletions.left().isEmpty() || !others.left().isEmpty();
        boolean inVain = isLeft && deletions.isInVain() && others.isInVain();
        restsUntilMillis = holds.nowMillis() + clock.restMillis(inVain ? Math.min(passesInVain, MOST_DOUBLINGS) : 0);
        passesInVain = inVain ? passesInVain + 1 : 0;
        left = isLeft;
    }

    private Set<Long> heldBack(Set<Long> doomed) {
        Set<Long> later = new HashSet<>(doomed);
        later.removeAll(found);
        if (later.size() == doomed.size()) {
            found = Set.of();
        }
        if (later.isEmpty()) {
            end();
            return later;
        }
        if (hold == null) {
            hold = new HeldLedgers(holds, settings.holdMillis());
        }
        Set<Long> stay = hold.of(later);
        heldUntilMillis = hold.nextMillis();
        return stay;
    }

    /** Holds nothing back any more; in the subscription's order. */
    void end() {
        heldUntilMillis = Long.MAX_VALUE;
        if (hold != null) {
            hold.end();
            hold = null;
        }
    }

    /** Takes deleted ledgers out of the record at once where the form wants it; otherwise the next update does. */
    private CompletableFuture<Void> rewrite() {
        return report.form().rewritesAfterDeleting()
                ? record.settled(record.update(UnaryOperator.identity())).thenAccept(recorded -> { }) : Futures.DONE;
    }

    private void done(Deletions deletions) {
        deletions.left().forEach((ledgerId, why) ->
                report.debug("Doomed ledger {} stays for now: {}", ledgerId, why.getMessage()));
        report.count(Figure.DELETED_LEDGERS_TOTAL, deletions.gone().size());
        forget(deletions);
        // Deleted ledgers are held back no longer: others may merge.
        heldBack(record.keeper().doomed());
    }

    /** Takes the buckets of deleted ledgers out of the index. */
    void forget(Deletions deletions) {
        Set<Long> over = new HashSet<>(deletions.gone());
        over.addAll(deletions.foreign());
        kept.removeAll(over);
        report.set(Figure.NEWER_BUCKETS, kept.size());
        forget(over);
    }

    private void forget(Collection<Long> over) {
        if (!over.isEmpty()) {
            index.change(known -> {
                Set<Long> doomed = new HashSet<>(known.doomed());
                doomed.retainAll(over);
                doomed.forEach(known::deleted);
            });
        }
    }

    /**
     * The doomed ledgers of one subscription that are held back from deletion for a time after the record has doomed them.
     * Another broker may have loaded the topic just before and go by the record of then. This broker, whose last update came in
     * between, has not heard of it yet. One call at a time.
     */
    static final class HeldLedgers {

        private final HoldLimit limit;
        private final long holdMillis;
        private final Map<Long, Long> doomedAtMillis = new HashMap<>();

        HeldLedgers(HoldLimit limit, long holdMillis) {
            this.limit = limit;
            this.holdMillis = holdMillis;
        }

        /** The doomed ledgers that are not to be deleted yet. The time of a ledger begins when it is first among the doomed. */
        Set<Long> of(Set<Long> doomed) {
            int before = doomedAtMillis.size();
            long nowMillis = limit.nowMillis();
            Set<Long> held = new HashSet<>();
            doomedAtMillis.keySet().retainAll(doomed);
            for (long ledgerId : doomed) {
                doomedAtMillis.putIfAbsent(ledgerId, nowMillis);
                if (nowMillis - doomedAtMillis.get(ledgerId) < holdMillis) {
                    held.add(ledgerId);
                }
            }
            limit.changedBy(doomedAtMillis.size() - before);
            return held;
        }

        /** The time at which the first held ledger may be deleted, by the clock of the limit; Long.MAX_VALUE for never. */
        long nextMillis() {
            long nowMillis = limit.nowMillis();
            return doomedAtMillis.values().stream().mapToLong(since -> since + holdMillis)
                    .filter(millis -> millis > nowMillis).min()
                    .orElse(Long.MAX_VALUE);
        }

        /** Holds no ledger any more, whatever becomes of it. */
        void end() {
            limit.changedBy(-doomedAtMillis.size());
            doomedAtMillis.clear();
        }
    }

    /**
     * The limit on doomed ledgers that all subscriptions of a broker may hold back, and the clock by which they do. At the limit
     * nothing is deleted sooner: merging waits, which dooms most of them. Used-up buckets are doomed all the same; a held ledger
     * takes less than its bucket did. Thread safe.
     */
    static final class HoldLimit {

        /** The most ledgers held back, some 100 bytes each. The metadata store has that many ledgers more. */
        static final int MOST_LEDGERS = 20_000;

        private static final Metric HELD = Metric.gauge(Metric.BROKER, "bucket_held_ledgers", "ledgers",
                "doomed, and not deleted yet: see [limits](limits.md)");

        private final LongSupplier monotonicMillis;
        private final int mostLedgers;
        private final AtomicLong held = new AtomicLong();

        /**
         * A limit with nothing held back yet.
         *
         * @param monotonicMillis a clock that never goes back, milliseconds from any origin
         */
        HoldLimit(LongSupplier monotonicMillis) {
            this(monotonicMillis, MOST_LEDGERS);
        }

        HoldLimit(LongSupplier monotonicMillis, int mostLedgers) {
            this.monotonicMillis = monotonicMillis;
            this.mostLedgers = mostLedgers;
        }

        long nowMillis() {
            return monotonicMillis.getAsLong();
        }

        void changedBy(int ledgers) {
            held.addAndGet(ledgers);
        }

        boolean isReached() {
            return held.get() >= mostLedgers;
        }

        /** The figures of the broker, in a new object. */
        Samples samples() {
            return new Samples().put(HELD, held.get());
        }
    }
}
