/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.chores.ImportChore.MarkDelete;
import io.github.delayedtracker.bucket.index.BucketIndex.RecoveredBucket;
import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.RecoveredSnapshot;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.StorageException.Consequence;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The chore that recovers the buckets of the record, the youngest first, a few at a time, each for itself. A bucket that is gone,
 * damaged or somebody else's is left to be read again from the topic. So is a bucket of a newer version, which stays in the
 * record. A bucket that storage does not give now is late: it keeps no other waiting and is tried again after a rest that
 * doubles. Snapshots of the stock bucket tracker come after them and become buckets in the same way.
 *
 * <p>Meanwhile the index hears of every position that reads ask about. Positions that it has given up to them are left out of the
 * recovered buckets. That is bounded: a bucket that is late for {@link #LONGEST_PAUSES} while the topic is read is given up,
 * since reads bring its positions then.
 */
final class RecoverChore implements Chore {

    private static final int UNDER_WAY = 4;
    /** The longest wait for a late bucket while the topic is read, in pauses. */
    static final int LONGEST_PAUSES = 10;
    /** The rest before late buckets are tried again: a sixteenth of a pause first, and doubled up to four pauses. */
    private static final int FIRST_REST_SHARE = 16;
    private static final int MOST_DOUBLINGS = 6;

    /** The step that finds the positions of a recorded snapshot that are still asleep. */
    @FunctionalInterface
    interface Recover {
        CompletableFuture<RecoveredSnapshot> run(long ledgerId, long nowMillis, long markDeleteLedgerId, long markDeleteEntryId);
    }

    private final IndexHost host;
    private final GuardedIndex index;
    private final ChoreTasks tasks;
    private final CatalogueKeeper keeper;
    private final Recover steps;
    private final Leftovers leftovers;
    private final DeleteChore deletes;
    private final ImportChore imports;
    private final ChoreClock clock;
    private final ChoreReport report;
    private final Runnable whenOver;
    private final RecoveryQueue<Found> queue = new RecoveryQueue<>(UNDER_WAY);
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile int found;
    private volatile boolean skipped;
    private volatile RecordKnown recordKnown = RecordKnown.NOT_YET;
    private volatile boolean late;
    private volatile long begunMillis;

    /** The states of the record as it is known here. */
    private enum RecordKnown {
        /** It is to be read. */
        NOT_YET,
        /** It was read, and may be changed. */
        READ,
        /** A newer version has written it: it rests, and nothing can be sealed until everything stored is removed. */
        NEWER
    }

    /** A ledger to bring back: of the record, or of a stock property. */
    private record Found(long ledgerId, Optional<ImportChore.Stock> stock) {

        @Override
        public String toString() {
            return (stock.isPresent() ? "Stock ledger " : "Ledger ") + ledgerId;
        }
    }

    RecoverChore(IndexHost host, GuardedIndex index, ChoreTasks tasks, CatalogueKeeper keeper, Recover steps,
            Leftovers leftovers, DeleteChore deletes, ImportChore imports, ChoreClock clock, ChoreReport report,
            Runnable whenOver) {
        this.host = host;
        this.index = index;
        this.tasks = tasks;
        this.keeper = keeper;
        this.steps = steps;
        this.leftovers = leftovers;
        this.deletes = deletes;
        this.imports = imports;
        this.clock = clock;
        this.report = report;
        this.whenOver = whenOver;
    }

    /** Begins a recovery: from now on the index hears of everything. */
    void prepare() {
        begunMillis = clock.nowMillis();
        report.set(Figure.RECOVERING, 1);
        host.askAlways(true);
        index.change(BucketIndex::beginRecovery);
    }

    /** Recovers nothing, whatever the record names: it is only read. */
    void skip() {
        skipped = true;
    }

    /** Whether the record is known, so that it may be changed. */
    boolean isRecordRead() {
        return recordKnown == RecordKnown.READ;
    }

    /** Whether the record rests as it is, so that nothing can be stored. */
    boolean isRecordNewer() {
        return recordKnown == RecordKnown.NEWER;
    }

    /** Follows a removal of everything stored, whatever the record says: it may be written now if it could not before. */
    void removed() {
        if (keeper.written().isPresent()) {
            recordKnown = recordKnown == RecordKnown.NEWER ? RecordKnown.READ : recordKnown;
            report.set(Figure.RECORD_NEWER, 0);
        }
        queue.drop();
        if (recordKnown == RecordKnown.READ) {
            goOn();
        }
    }

    /** Whether every bucket is back or given up. */
    @Override
    public boolean isIdle() {
        return over.get();
    }

    /** Reads the record, if that is still to be done and may be. */
    @Override
    public CompletableFuture<Void> run() {
        return recordKnown != RecordKnown.NOT_YET ? Futures.DONE : readRecord();
    }

    /** Whether reading the record has failed, so that it is to be read again later. */
    boolean isRecordLate() {
        return late;
    }

    /** Whether buckets may be merged: each was tried, or that takes too long. */
    boolean mayMerge() {
        return isIdle() || recordKnown == RecordKnown.READ && (queue.hasTriedAll() || clock.nowMillis() >= mergesFromMillis());
    }

    /** The time from which buckets may be merged though some are late; Long.MAX_VALUE for never. */
    @Override
    public long nextMillis() {
        return recordKnown != RecordKnown.READ || mayMerge() ? Long.MAX_VALUE : mergesFromMillis();
    }

    private long mergesFromMillis() {
        return begunMillis + clock.pauseMillis();
    }

    /**
     * Reads the record and begins with its buckets. A damaged record counts as none, and is written over with the next seal. The
     * broker reads everything again then, and the ledgers that the record named are left to the sweeper. A record of a newer
     * version is left as it is.
     */
    private CompletableFuture<Void> readRecord() {
        return keeper.load().exceptionallyCompose(this::withoutDamagedOne).thenCompose(record -> skipped
                        ? begun(CatalogueRecord.EMPTY, List.of())
                        : imports.find(record).thenCompose(stock -> begun(record, stock)))
                .handle((begun, failure) -> {
                    late = failure != null && isToBeReadAgain(failure);
                    return null;
                });
    }

    private CompletableFuture<CatalogueRecord> withoutDamagedOne(Throwable failure) {
        if (!(Futures.cause(failure) instanceof StorageException known) || known.kind() != Kind.CORRUPT) {
            return CompletableFuture.failedFuture(failure);
        }
        report.set(Figure.RECORD_DAMAGED, 1);
        report.count(Figure.RECORD_DAMAGED_TOTAL);
        report.warnOfLoss("The record of the buckets is damaged; the backlog is read again from the topic, and the record is"
                + " written anew with the next seal. What it named is left to the sweeper", failure);
        return keeper.replace();
    }

    private boolean isToBeReadAgain(Throwable failure) {
        if (Futures.cause(failure) instanceof StorageException known && known.kind() == Kind.NEWER_VERSION) {
            recordKnown = RecordKnown.NEWER;
            report.set(Figure.RECORD_NEWER, 1);
            report.warnOfLoss("The record of the buckets is left as it is, with all that it names; the backlog is read again from"
                    + " the topic and nothing is stored, until the newer version is back or the backlog is cleared", failure);
            end();
            return false;
        }
        report.warnOfLoss("The record of the buckets was not read; the backlog is read again from the topic", failure);
        return true;
    }

    private CompletableFuture<Void> begun(CatalogueRecord record, List<ImportChore.Stock> stock) {
        deletes.found(record.doomed());
        recordKnown = RecordKnown.READ;
        List<Found> all = new ArrayList<>(record.live().stream().map(ledgerId -> new Found(ledgerId, Optional.empty())).toList());
        Collections.reverse(all);
        stock.forEach(each -> all.add(new Found(each.ledgerId(), Optional.of(each))));
        found = all.size();
        queue.addAll(all);
        goOn();
        return Futures.DONE;
    }

    private void goOn() {
        for (Optional<Found> one = queue.begin(); one.isPresent(); one = queue.begin()) {
            submit(one.get());
        }
        report.set(Figure.LATE_BUCKETS, queue.late());
        if (queue.isOver()) {
            end();
            return;
        }
        queue.endedPass().ifPresent(pass -> {
            long longestMillis = Math.max(1, clock.pauseMillis() / FIRST_REST_SHARE) << Math.min(pass - 1, MOST_DOUBLINGS);
            tasks.after(clock.jittered(longestMillis), this::tryAgain);
            whenOver.run();
        });
    }

    private void tryAgain() {
        if (!tasks.isClosed()) {
            queue.again();
            goOn();
        }
    }

    private void submit(Found one) {
        if (one.stock().isPresent()) {
            submitImport(one, one.stock().get());
            return;
        }
        Futures.whenDone(tasks.ofLedger(one.ledgerId(), () -> recover(one.ledgerId())), (done, failure) -> {
            if (failure == null) {
                ended();
            } else {
                failed(one, failure);
            }
        });
    }

    private void submitImport(Found one, ImportChore.Stock stock) {
        Futures.whenDone(tasks.ofLedger(one.ledgerId(), () -> imports.write(stock)), (imported, failure) -> {
            if (failure == null) {
                record(stock, imported);
            } else {
                failed(one, failure);
            }
        });
    }

    private void record(ImportChore.Stock stock, ImportChore.Imported imported) {
        Futures.whenDone(tasks.inOrder(() -> imports.record(stock, imported.written(),
                () -> imported.written().ifPresent(written -> register(RecoveredBucket.of(written.ledgerId(), written.segments(),
                        written.positions(), imported.pastMillis()))), this::ended)), (done, failure) -> {
                            if (failure != null) {
                                imported.written().ifPresent(written -> leftovers.unwanted(written.ledgerId()));
                                report.warn("Stock ledger " + stock.ledgerId() + " was imported and not recorded", failure);
                                ended();
                            }
                            whenOver.run();
                        });
    }

    private CompletableFuture<Void> recover(long ledgerId) {
        MarkDelete markDelete = MarkDelete.of(host);
        long triedMillis = clock.nowMillis();
        return steps.run(ledgerId, triedMillis, markDelete.ledgerId(), markDelete.entryId())
                .thenAccept(known -> {
                    long positions = known.sleeping().size();
                    register(RecoveredBucket.of(known.ledgerId(), known.segments(), known.sleeping(), known.pastMillis()));
                    report.recovered(triedMillis);
                    report.debug("Recovered ledger {}: {} positions asleep in {} segments, {} bytes, {} ms", ledgerId, positions,
                            known.segments().size(), known.segments().stream().mapToLong(SegmentEntry::bytes).sum(),
                            clock.nowMillis() - triedMillis);
                });
    }

    private void register(RecoveredBucket bucket) {
        index.changeAndInclude((known, included) -> {
            bucket.range().passOn(included);
            known.register(bucket);
            host.markDelete(known::forgetUpTo);
        });
        host.recovered(bucket.range());
    }

    private void failed(Found one, Throwable failure) {
        Consequence consequence = StorageException.of(failure, "recovering a bucket").consequence();
        switch (consequence) {
            case NEWER -> {
                deletes.keep(one.ledgerId());
                report.warnOfLoss(one + " is left as it is; its positions are read again from the topic", failure);
                ended();
            }
            case LOST, FOREIGN -> {
                report.count(Figure.LOST_BUCKETS_TOTAL);
                report.warnOfLoss(one + " cannot be recovered; its positions are read again from the topic", failure);
                giveUp(one, consequence);
            }
            case TRY_LATER -> {
                if (isTooLate()) {
                    report.count(Figure.LOST_BUCKETS_TOTAL);
                    report.warnOfLoss(one + " is given up, since the topic is read anyway", failure);
                    giveUp(one, Consequence.LOST);
                } else {
                    report.warn(one + " is not there yet", failure);
                    queue.isLate(one);
                    goOn();
                }
            }
            case GIVEN_UP -> ended();
        }
    }

    private void giveUp(Found one, Consequence consequence) {
        if (one.stock().isEmpty()) {
            deletes.drop(one.ledgerId());
            ended();
        } else if (consequence == Consequence.FOREIGN) {
            imports.leave(one.stock().get());
            ended();
            whenOver.run();
        } else {
            record(one.stock().get(), new ImportChore.Imported(Optional.empty(), -1));
        }
    }

    /** Whether the positions that reads have brought were remembered for too long, one by one: that has to end. */
    private boolean isTooLate() {
        return clock.nowMillis() >= begunMillis + LONGEST_PAUSES * clock.pauseMillis()
                && index.read(BucketIndex::given).orElse(0) > 0;
    }

    private void ended() {
        queue.ended();
        goOn();
    }

    private void end() {
        if (tasks.isClosed() || !over.compareAndSet(false, true)) {
            return;
        }
        if (skipped) {
            whenOver.run();
            return;
        }
        index.change(BucketIndex::endRecovery);
        host.askAlways(false);
        report.set(Figure.RECOVERING, 0);
        report.set(Figure.RECOVERY_MILLIS, clock.nowMillis() - begunMillis);
        if (found > 0) {
            report.info("Recovered " + found + " buckets, " + report.figures().get(Figure.IMPORTS_TOTAL)
                    + " of them from the stock tracker, with " + index.read(BucketIndex::sleepingPositions) + " positions in "
                    + (clock.nowMillis() - begunMillis) + " ms");
        }
        whenOver.run();
    }
}
