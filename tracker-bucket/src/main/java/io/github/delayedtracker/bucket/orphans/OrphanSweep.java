/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import io.github.delayedtracker.bucket.orphans.ClusterIdentity.ClusterId;
import io.github.delayedtracker.bucket.orphans.LedgerJudge.Judgement;
import io.github.delayedtracker.bucket.orphans.SharedValues.Versioned;
import io.github.delayedtracker.bucket.orphans.SweepPlace.SharedPlace;
import io.github.delayedtracker.bucket.orphans.SweepReport.SweepPolicy.Fate;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepServices;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepSettings;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One sweep over the ledgers, from the place where the last sweep of the cluster stopped to the last ledger, page by page, ledger
 * by ledger, at a bounded rate. An orphan's cursor is read a second time just before the ledger is deleted. A failure leaves its
 * ledger to the next round. Nothing is looked at without the id of the cluster, or while the place cannot be read or saved.
 *
 * <p>One page of ids is in memory. Each step begins when the step before has ended, on one of the given threads.
 */
final class OrphanSweep {

    private static final long SECOND_MILLIS = 1_000;

    private final SweepServices services;
    private final SweepSettings settings;
    private final Retries calls;
    private final LedgerJudge judge;
    private final SharedPlace shared;
    private final BooleanSupplier goesOn;
    private final Consumer<SweepPlace> came;
    private final SweepReport report = new SweepReport();
    private final CompletableFuture<SweepReport> over = new CompletableFuture<>();
    private final String name;
    // The fields of one step at a time.
    private String clusterId;
    private SweepPlace place;
    private List<Long> page = List.of();
    private int nextOnPage;
    private int lookedAt;
    private int notSaved;

    /**
     * A sweep that has not begun.
     *
     * @param goesOn asked before each ledger; the sweep ends early once it answers false
     * @param came hears of each place that is read or saved
     */
    OrphanSweep(SweepServices services, BooleanSupplier goesOn, Consumer<SweepPlace> came) {
        this.services = services;
        this.settings = services.settings();
        this.calls = services.newCalls();
        this.judge = new LedgerJudge(services, calls);
        this.shared = new SharedPlace(services.shared(), calls);
        this.goesOn = goesOn;
        this.came = came;
        this.name = Long.toHexString(services.jitter().applyAsLong(Long.MAX_VALUE));
    }

    /** Looks at all ledgers from the place on. Never fails. */
    CompletableFuture<SweepReport> run() {
        safely(() -> then(calls.once("reading the id of the cluster", () -> services.shared().get(ClusterId.NAME)),
                this::identify, this::fail));
        return over;
    }

    /** Ends the sweep: nothing is deleted after this but a ledger that is being deleted. */
    void abandon() {
        calls.abandon();
        over.complete(report);
    }

    private void identify(Optional<Versioned> found) throws StorageException {
        if (found.isEmpty()) {
            fail(new StorageException(StorageException.Kind.UNAVAILABLE, "the cluster has no id yet"));
            return;
        }
        clusterId = ClusterId.decode(found.get().text()).toString();
        then(shared.read(), stopped -> {
            place = stopped.filter(known -> !known.isBetweenRounds()).orElseGet(
                    () -> new SweepPlace(SweepPlace.BEFORE_THE_FIRST, services.wallMillis().getAsLong(), name));
            came.accept(place);
            skip(SweepPlace.BEFORE_THE_FIRST);
        }, this::fail);
    }

    /** Lists ledgers up to the place, in large pages, since a listing starts with the first ledger. */
    private void skip(long afterLedgerId) {
        if (place.afterLedgerId() <= afterLedgerId) {
            page(afterLedgerId);
            return;
        }
        list(afterLedgerId, settings.skippedAtATime(), ids -> {
            page = ids.stream().filter(id -> id > place.afterLedgerId()).toList();
            nextOnPage = 0;
            if (ids.size() < settings.skippedAtATime() || !page.isEmpty()) {
                nextLedger(ids.size() < settings.skippedAtATime());
            } else {
                pause(SECOND_MILLIS / settings.skipsASecond(), () -> skip(ids.get(ids.size() - 1)));
            }
        });
    }

    private void page(long afterLedgerId) {
        list(afterLedgerId, settings.ledgersASecond(), ids -> {
            page = ids;
            nextOnPage = 0;
            nextLedger(ids.size() < settings.ledgersASecond());
        });
    }

    private void list(long afterLedgerId, int limit, Consumer<List<Long>> next) {
        if (!goesOn.getAsBoolean()) {
            end();
            return;
        }
        then(calls.once("listing ledgers after " + afterLedgerId, () -> services.storage().list(afterLedgerId, limit)),
                next::accept, this::fail);
    }

    /** Goes on to the next ledger of the page, or behind the page. */
    private void nextLedger(boolean isLastPage) {
        if (!goesOn.getAsBoolean()) {
            end();
        } else if (nextOnPage < page.size()) {
            long ledgerId = page.get(nextOnPage++);
            judge(ledgerId, () -> {
                place = new SweepPlace(ledgerId, place.sinceMillis(), name);
                lookedAt++;
                notSaved++;
                if (lookedAt % settings.ledgersASecond() == 0) {
                    pause(SECOND_MILLIS, () -> saveAtTimes(isLastPage));
                } else {
                    nextLedger(isLastPage);
                }
            });
        } else if (isLastPage) {
            save(new SweepPlace(SweepPlace.BEFORE_THE_FIRST, services.wallMillis().getAsLong(), name), () -> {
                report.roundEnded();
                end();
            });
        } else {
            page(place.afterLedgerId());
        }
    }

    private void saveAtTimes(boolean isLastPage) {
        if (notSaved >= settings.ledgersBetweenSaves()) {
            save(place, () -> nextLedger(isLastPage));
        } else {
            nextLedger(isLastPage);
        }
    }

    private void save(SweepPlace reached, Runnable next) {
        then(shared.save(reached), saved -> {
            notSaved = 0;
            came.accept(reached);
            next.run();
        }, this::fail);
    }

    private void judge(long ledgerId, Runnable next) {
        then(judge.byLabel(ledgerId, clusterId), found -> {
            tell(found);
            report.seen(found.fate());
            if (found.fate() == Fate.SUSPECT) {
                suspect(ledgerId, found.owner().orElseThrow(), next);
            } else {
                next.run();
            }
        }, this::fail);
    }

    private void suspect(long ledgerId, SnapshotOwner owner, Runnable next) {
        ask(ledgerId, owner, next, () -> {
            report.orphan(ledgerId);
            if (settings.dryRun()) {
                next.run();
            } else {
                pause(SECOND_MILLIS / settings.deletesASecond(),
                        () -> ask(ledgerId, owner, next, () -> delete(ledgerId, next)));
            }
        });
    }

    private void ask(long ledgerId, SnapshotOwner owner, Runnable next, Runnable ifOrphan) {
        then(judge.byRecord(ledgerId, owner), found -> {
            tell(found);
            (found.fate() == Fate.ORPHAN ? ifOrphan : next).run();
        }, this::fail);
    }

    private void tell(Judgement found) {
        found.doubt().ifPresent(found.fate() == Fate.NEWER ? report::keptForNewer : report::failed);
    }

    private void delete(long ledgerId, Runnable next) {
        if (!goesOn.getAsBoolean()) {
            end();
            return;
        }
        then(calls.once("deleting ledger " + ledgerId, () -> services.storage().delete(ledgerId)), done -> {
            report.deleted();
            next.run();
        }, failure -> {
            report.failed(failure.toString());
            next.run();
        });
    }

    private void fail(Throwable failure) {
        report.endedBy(failure.toString());
        end();
    }

    private void pause(long millis, Runnable next) {
        services.timer().arm(millis, () -> {
            try {
                services.threads().execute(() -> safely(next::run));
            } catch (RejectedExecutionException e) {
                end();
            } catch (Throwable e) {
                // No thread, say: else nothing would ever sweep again.
                fail(e);
            }
        });
    }

    /** A step of the sweep; {@link Taking} is a step with an answer. */
    private interface Step {
        void run() throws StorageException;
    }

    private interface Taking<T> {
        void take(T value) throws StorageException;
    }

    /** Goes on with an answer. A step that throws ends the sweep, with nothing deleted. */
    private <T> void then(CompletableFuture<T> answer, Taking<T> good, Consumer<Throwable> bad) {
        Futures.whenDone(answer, (value, failure) -> safely(() -> {
            if (failure == null) {
                good.take(value);
            } else {
                bad.accept(Futures.cause(failure));
            }
        }));
    }

    private void safely(Step step) {
        try {
            step.run();
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void end() {
        over.complete(report);
    }
}
