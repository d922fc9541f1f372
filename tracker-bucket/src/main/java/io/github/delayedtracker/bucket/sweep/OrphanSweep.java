/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.sweep;

import io.github.delayedtracker.bucket.jobs.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.sweep.SweepPolicy.Fate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One look at all ledgers, page by page, ledger by ledger, at a bounded rate. An orphan's cursor is asked a second time just
 * before the ledger is deleted. Whatever fails leaves the ledger to the next sweep.
 *
 * <p>In memory is one page of ids. Each step begins when the one before has ended, on one of the threads given.
 */
final class OrphanSweep {

    private static final long SECOND_MILLIS = 1_000;
    private static final long BEFORE_THE_FIRST = -1;

    private final SweepServices services;
    private final SweepSettings settings;
    private final SweepPolicy policy;
    private final Retries calls;
    private final BooleanSupplier goesOn;
    private final SweepReport report = new SweepReport();
    private final CompletableFuture<SweepReport> over = new CompletableFuture<>();

    /**
     * A sweep that has not begun.
     *
     * @param goesOn asked before each ledger; the sweep ends early once it answers false
     */
    OrphanSweep(SweepServices services, BooleanSupplier goesOn) {
        this.services = services;
        this.settings = services.settings();
        this.policy = new SweepPolicy(settings.minAgeMillis());
        this.calls = services.newCalls();
        this.goesOn = goesOn;
    }

    /** Looks at all ledgers there are. Never fails. */
    CompletableFuture<SweepReport> run() {
        safely(() -> page(BEFORE_THE_FIRST));
        return over;
    }

    /** Ends what is under way; nothing is deleted after this but what is being deleted. */
    void abandon() {
        calls.abandon();
        over.complete(report);
    }

    private void page(long afterLedgerId) {
        String what = "listing ledgers after " + afterLedgerId;
        then(calls.once(what, () -> services.storage().list(afterLedgerId, settings.ledgersASecond())),
                ids -> look(ids, 0), failure -> {
                    report.failed(failure.toString());
                    end();
                });
    }

    private void look(List<Long> ids, int at) {
        if (!goesOn.getAsBoolean()) {
            end();
        } else if (at < ids.size()) {
            look(ids.get(at), () -> look(ids, at + 1));
        } else if (ids.size() < settings.ledgersASecond()) {
            end();
        } else {
            pause(SECOND_MILLIS, () -> page(ids.get(at - 1)));
        }
    }

    private void look(long ledgerId, Runnable next) {
        then(calls.once("reading the owner of ledger " + ledgerId, () -> services.storage().ownerOf(ledgerId)),
                owner -> judge(ledgerId, owner, next), failure -> {
                    if (failure instanceof StorageException known && known.kind() == StorageException.Kind.NO_SUCH_LEDGER) {
                        next.run();
                    } else {
                        leave(failure.toString(), next);
                    }
                });
    }

    private void judge(long ledgerId, Optional<SnapshotOwner> owner, Runnable next) {
        Fate fate = policy.byAge(owner, services.wallMillis().getAsLong());
        if (fate != Fate.FOREIGN) {
            report.seen();
        }
        if (fate != Fate.SUSPECT) {
            next.run();
            return;
        }
        ask(ledgerId, owner.get(), next, () -> {
            report.orphan(ledgerId);
            if (settings.dryRun()) {
                next.run();
            } else {
                pause(SECOND_MILLIS / settings.deletesASecond(),
                        () -> ask(ledgerId, owner.get(), next, () -> delete(ledgerId, next)));
            }
        });
    }

    private void ask(long ledgerId, SnapshotOwner owner, Runnable next, Runnable ifOrphan) {
        String what = "reading the cursor of " + owner;
        then(calls.once(what, () -> services.records().propertiesOf(owner.topic(), owner.cursor())), properties -> {
            switch (policy.byRecord(ledgerId, properties)) {
                case ORPHAN -> ifOrphan.run();
                case DOUBTFUL -> leave("the record of " + owner + " is not one this version knows", next);
                default -> next.run();
            }
        }, failure -> leave(failure.toString(), next));
    }

    private void delete(long ledgerId, Runnable next) {
        if (!goesOn.getAsBoolean()) {
            end();
            return;
        }
        then(calls.once("deleting ledger " + ledgerId, () -> services.storage().delete(ledgerId)), done -> {
            report.deleted();
            next.run();
        }, failure -> leave(failure.toString(), next));
    }

    private void leave(String why, Runnable next) {
        report.failed(why);
        next.run();
    }

    private void pause(long millis, Runnable next) {
        services.timer().arm(millis, () -> {
            try {
                services.threads().execute(() -> safely(next));
            } catch (RejectedExecutionException e) {
                end();
            }
        });
    }

    /** Goes on with an answer; what a step throws ends the sweep, with nothing deleted. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private <T> void then(CompletableFuture<T> answer, Consumer<T> good, Consumer<Throwable> bad) {
        answer.whenComplete((value, failure) -> safely(() -> {
            if (failure == null) {
                good.accept(value);
            } else {
                bad.accept(failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure);
            }
        }));
    }

    private void safely(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            report.failed(e.toString());
            end();
        }
    }

    private void end() {
        over.complete(report);
    }
}
