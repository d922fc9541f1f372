/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.backend.StoredOrphans;
import io.github.delayedtracker.bucket.storage.CatalogueStore.CursorRecords;
import io.github.delayedtracker.bucket.storage.LedgerLabel.LedgerLabels;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schedule of sweeps: one an interval while this broker is the one to sweep. It costs nothing until {@link #begin}. A sweep
 * that has found something gets one line in the log. Thread safe.
 */
public final class SweepSchedule {

    /**
     * The settings of the sweeper.
     *
     * @param intervalMillis the time from the end of one sweep to the next; 0: never
     * @param minAgeMillis the age below which a ledger is left alone
     * @param dryRun whether orphans are only reported
     * @param ledgersASecond the number of ledgers looked at in a second, also the most that are listed at a time
     * @param deletesASecond the number of ledgers deleted in a second
     * @param ledgersBetweenSaves the number of ledgers after which the place is saved; as many are looked at again after a crash
     * @param skippedAtATime the number of ledgers listed at a time that an earlier sweep has looked at
     */
    public record SweepSettings(long intervalMillis, long minAgeMillis, boolean dryRun, int ledgersASecond, int deletesASecond,
            int ledgersBetweenSaves, int skippedAtATime) {

        private static final int LEDGERS_A_SECOND = 100;
        private static final int DELETES_A_SECOND = 10;
        /** The ledgers of a minute. */
        private static final int LEDGERS_BETWEEN_SAVES = 6_000;
        /** Few enough that a page does not take too long even if each ledger is one read of the metadata store. */
        private static final int SKIPPED_AT_A_TIME = 2_000;
        private static final int SKIPS_A_SECOND = 10;
        private static final long MINUTE_MILLIS = 60_000;

        /** Refuses settings by which a sweep would never end. */
        public SweepSettings {
            if (intervalMillis < 0 || minAgeMillis < 0 || ledgersASecond < 1 || deletesASecond < 1 || ledgersBetweenSaves < 1
                    || skippedAtATime < 1) {
                throw new IllegalArgumentException("a sweep has rates and numbers of 1 or more, and times that are not negative,"
                        + " got " + intervalMillis + ", " + minAgeMillis + ", " + ledgersASecond + ", " + deletesASecond + ", "
                        + ledgersBetweenSaves + ", " + skippedAtATime);
            }
        }

        /** Settings with the usual rates. */
        public static SweepSettings of(long intervalMinutes, long minAgeMinutes, boolean dryRun) {
            return new SweepSettings(intervalMinutes * MINUTE_MILLIS, Math.min(minAgeMinutes, Long.MAX_VALUE / MINUTE_MILLIS)
                    * MINUTE_MILLIS, dryRun, LEDGERS_A_SECOND, DELETES_A_SECOND, LEDGERS_BETWEEN_SAVES, SKIPPED_AT_A_TIME);
        }

        /** The number of pages skipped in a second. */
        int skipsASecond() {
            return SKIPS_A_SECOND;
        }
    }

    /**
     * The services of a sweeper.
     *
     * @param storage holds the ledgers
     * @param labels tell whose the ledgers are
     * @param shared the id of the cluster and the place of the sweep
     * @param records the properties of cursors
     * @param threads run each step
     * @param timer for pauses
     * @param wallMillis the clock that tells how old a ledger is, epoch milliseconds
     * @param jitter gives a random number below a bound
     * @param retries the time that a call may take, and how often saving the place is tried; nothing else is tried again in a
     *     sweep
     * @param settings the settings of the sweeper
     */
    public record SweepServices(SnapshotStorage storage, LedgerLabels labels, SharedValues shared, CursorRecords records,
            Executor threads, WakeUpTimer timer, LongSupplier wallMillis, LongUnaryOperator jitter, Retries retries,
            SweepSettings settings) {

        /** The longest wait of a call while there are more urgent ones. */
        private static final long WAITS_MILLIS = 60_000;

        Retries newCalls() {
            return retries.fresh().wantedWithin(WAITS_MILLIS);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(SweepSchedule.class);

    private static final Metric SWEEPS = Metric.counter(Metric.BROKER, "bucket_sweeps_total", "",
            "sweeps for orphans by this broker");
    private static final Metric LEDGERS = Metric.gauge(Metric.BROKER, "bucket_sweep_ledgers", "ledgers",
            "of this plugin in this cluster, as of the last sweep by this broker");
    private static final Metric ORPHANS = Metric.gauge(Metric.BROKER, "bucket_sweep_orphans", "ledgers",
            "old, and named by no cursor, as of the same sweep");
    private static final Metric NEWER = Metric.gauge(Metric.BROKER, "bucket_sweep_newer", "ledgers",
            "kept because a newer version has written the record that may name them, as of the same sweep; no failures");
    private static final Metric LAST_END = Metric.gauge(Metric.BROKER, "bucket_sweep_last_millis", "epoch ms",
            "when that sweep ended");
    private static final Metric DELETED = Metric.counter(Metric.BROKER, "bucket_sweep_deleted_total", "ledgers",
            "deleted by sweeps");
    private static final Metric FAILURES = Metric.counter(Metric.BROKER, "bucket_sweep_failures_total", "",
            "ledgers left because something about them could not be known, and sweeps that ended before the last ledger");
    private static final Metric AFTER_LEDGER = Metric.gauge(Metric.BROKER, "bucket_sweep_after_ledger", "ledger id",
            "where the sweep of the cluster goes on, as this broker last saw it: after this ledger; -1 between rounds");
    private static final Metric ROUND_BEGIN = Metric.gauge(Metric.BROKER, "bucket_sweep_round_millis", "epoch ms",
            "since when that round lasts");
    private static final Metric ROUNDS = Metric.counter(Metric.BROKER, "bucket_sweep_rounds_total", "",
            "rounds through the cluster ended by this broker");
    private static final Metric WITHOUT_ID = Metric.gauge(Metric.BROKER, "bucket_sweep_ledgers_without_id", "ledgers",
            "that bear the name of this cluster and no id of it, the most that a sweep has met; [left alone](limits.md)");
    private static final Metric OF_ANOTHER_ID = Metric.gauge(Metric.BROKER, "bucket_sweep_ledgers_of_another_id", "ledgers",
            "that bear the name of this cluster and another id, the most that a sweep has met; left alone as well");

    private final SweepServices services;
    private final BooleanSupplier leads;
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile OrphanSweep underWay;
    private volatile boolean closed;
    private volatile SweepPlace place = new SweepPlace(SweepPlace.BEFORE_THE_FIRST, 0, "");
    @GuardedBy("this")
    private long sweeps;
    @GuardedBy("this")
    private long rounds;
    @GuardedBy("this")
    private long ledgers;
    @GuardedBy("this")
    private long withoutId;
    @GuardedBy("this")
    private long ofAnotherId;
    @GuardedBy("this")
    private long orphans;
    @GuardedBy("this")
    private long newer;
    @GuardedBy("this")
    private long deletedTotal;
    @GuardedBy("this")
    private long failuresTotal;
    @GuardedBy("this")
    private long lastEndMillis;

    /**
     * A sweeper that does nothing yet.
     *
     * @param leads whether this broker is the one of its cluster that sweeps; asked before each ledger
     */
    public SweepSchedule(SweepServices services, BooleanSupplier leads) {
        this.services = services;
        this.leads = leads;
    }

    /**
     * Begins the schedule, since there may be something to find from now on: the first sweep is an interval away. Idempotent,
     * cheap.
     */
    public void begin() {
        if (services.settings().intervalMillis() > 0 && begun.compareAndSet(false, true)) {
            rest();
        }
    }

    private void rest() {
        if (!closed) {
            services.timer().arm(services.settings().intervalMillis(), () -> {
                try {
                    services.threads().execute(this::sweep);
                } catch (RejectedExecutionException e) {
                    closed = true;
                } catch (Throwable e) {
                    LOG.warn("No thread could be had to look for ledgers of the delayed index that no cursor names", e);
                    rest();
                }
            });
        }
    }

    /** Sweeps once. The next sweep comes whatever is thrown in this one. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private void sweep() {
        CompletableFuture<SweepReport> over;
        try {
            if (closed || !leads.getAsBoolean()) {
                rest();
                return;
            }
            OrphanSweep sweep = new OrphanSweep(services, () -> !closed && leads.getAsBoolean(), reached -> place = reached);
            underWay = sweep;
            over = sweep.run();
        } catch (Throwable e) {
            over = CompletableFuture.failedFuture(e);
        }
        over.whenComplete((report, failure) -> {
            underWay = null;
            try {
                if (failure == null) {
                    note(report);
                } else {
                    LOG.warn("A look for ledgers of the delayed index that no cursor names failed; the next one comes", failure);
                }
            } finally {
                rest();
            }
        });
    }

    private synchronized void note(SweepReport report) {
        if (!closed) {
            tellOnce(withoutId, report.withoutId(), "no id");
            tellOnce(ofAnotherId, report.ofAnotherId(), "the id of another cluster");
        }
        sweeps++;
        rounds += report.endsRound() ? 1 : 0;
        ledgers = report.ledgers();
        withoutId = Math.max(withoutId, report.withoutId());
        ofAnotherId = Math.max(ofAnotherId, report.ofAnotherId());
        orphans = report.orphans();
        newer = report.newer();
        deletedTotal += report.deletedLedgers();
        failuresTotal += report.failures();
        lastEndMillis = services.wallMillis().getAsLong();
        if (report.isWorthALine() && !closed) {
            LOG.info("Looked for ledgers of the delayed index that no cursor names{}: {}",
                    services.settings().dryRun() ? ", to report only" : "", report);
        }
    }

    private static void tellOnce(long mostBefore, long now, String label) {
        if (mostBefore == 0 && now > 0) {
            LOG.info("{} ledgers of the delayed index bear the name of this cluster and {}: none of them is ever taken for an"
                    + " orphan, see docs/upgrade.md", now, label);
        }
    }

    /** A page of ledgers behind a ledger, judged as a sweep would judge them now, on any broker. Changes nothing. */
    public CompletableFuture<StoredOrphans> look(long afterLedgerId) {
        return new OrphanLook(services, afterLedgerId).run();
    }

    /** The figures of the last sweep, the most of any sweep, totals, and the place of the sweep as it is known here. Fresh. */
    public synchronized Samples samples() {
        return new Samples().put(SWEEPS, sweeps).put(LEDGERS, ledgers).put(ORPHANS, orphans).put(NEWER, newer)
                .put(LAST_END, lastEndMillis).put(DELETED, deletedTotal).put(FAILURES, failuresTotal)
                .put(AFTER_LEDGER, place.afterLedgerId()).put(ROUND_BEGIN, place.sinceMillis()).put(ROUNDS, rounds)
                .put(WITHOUT_ID, withoutId).put(OF_ANOTHER_ID, ofAnotherId);
    }

    /** Ends the sweep under way and begins no other. */
    public void close() {
        closed = true;
        OrphanSweep sweep = underWay;
        if (sweep != null) {
            sweep.abandon();
        }
    }
}
