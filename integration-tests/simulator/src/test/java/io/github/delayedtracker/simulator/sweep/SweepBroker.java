/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator.sweep;

import io.github.delayedtracker.bucket.orphans.ClusterIdentity;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepServices;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepSettings;
import io.github.delayedtracker.bucket.orphans.SweepSchedule;
import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.LedgerLabel.LedgerLabels;
import io.github.delayedtracker.bucket.storage.LedgerLabel;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A broker process until it is killed: the real sweeper and the real identity on models. */
final class SweepBroker {

    static final long INTERVAL_MILLIS = 3_600_000;
    static final long MIN_AGE_MILLIS = 86_400_000;
    private static final int LEDGERS_A_SECOND = 10;
    private static final SweepSettings SETTINGS = new SweepSettings(INTERVAL_MILLIS, MIN_AGE_MILLIS, false, LEDGERS_A_SECOND,
            LEDGERS_A_SECOND, LEDGERS_A_SECOND, 2 * LEDGERS_A_SECOND);
    private static final int LONGEST_MILLIS = 10;

    private final SweepCluster cluster;
    private final JobTime time;
    private final SplittableRandom random;
    private final ClusterIdentity identity;
    private boolean leads;
    private boolean dead;

    SweepBroker(SweepCluster cluster, JobTime time, SplittableRandom random, boolean leads) {
        this.cluster = cluster;
        this.time = time;
        this.random = random;
        this.leads = leads;
        WakeUpTimer timer = new Mortal();
        Retries retries = new Retries(timer, this::execute, random::nextLong, JobLimits.DEFAULT, time::nowMillis,
                time::nowMillis);
        identity = new ClusterIdentity(cluster.values, this::execute, timer, random::nextLong, retries,
                () -> new UUID(random.nextLong(), random.nextLong()));
        identity.begin();
        Bookies bookies = new Bookies();
        new SweepSchedule(new SweepServices(bookies, bookies, cluster.values,
                (topic, cursor) -> answered(() -> cluster.propertiesOf(cursor)), this::execute, timer, time::nowMillis,
                random::nextLong, retries, SETTINGS), () -> this.leads).begin();
    }

    private void execute(Runnable task) {
        time.execute(() -> {
            if (!dead) {
                task.run();
            }
        });
    }

    void lead(boolean doesLead) {
        leads = doesLead;
    }

    /** A seal that ends well, or one whose broker could not record it. */
    void write(boolean isOrphan) {
        identity.forLabel().thenAccept(id -> {
            if (!dead) {
                cluster.write(id, isOrphan);
            }
        }).isDone();
    }

    void kill() {
        dead = true;
    }

    /** Takes effect even if the broker dies meanwhile; the answer then reaches nobody. */
    private <T> CompletableFuture<T> answered(Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        time.after(random.nextLong(LONGEST_MILLIS), () -> {
            T value = work.get();
            if (!dead) {
                answer.complete(value);
            }
        });
        return answer;
    }

    /** The timer of a process that may die. */
    private final class Mortal implements WakeUpTimer {

        @Override
        public Armed arm(long delayMillis, Runnable task) {
            return time.arm(delayMillis, () -> {
                if (!dead) {
                    task.run();
                }
            });
        }

        @Override
        public int armedCount() {
            return time.armedCount();
        }

        @Override
        public void close() {
            dead = true;
        }
    }

    /** The bookies as the sweeper of this broker sees them. */
    private final class Bookies implements SnapshotStorage, LedgerLabels {

        @Override
        public CompletableFuture<Optional<LedgerLabel>> labelOf(long ledgerId) {
            return answered(() -> cluster.ledgers.find(ledgerId).map(SharedLedgers.Ledger::label));
        }

        @Override
        public CompletableFuture<Void> delete(long ledgerId) {
            return answered(() -> {
                cluster.ledgers.delete(ledgerId, cluster);
                return null;
            });
        }

        @Override
        public CompletableFuture<List<Long>> list(long afterLedgerId, int limit) {
            return answered(() -> cluster.ledgers.page(afterLedgerId, limit));
        }

        @Override
        public int maxEntryBytes() {
            return 1;
        }

        @Override
        public CompletableFuture<SnapshotWriter> create(SnapshotOwner owner) {
            throw new UnsupportedOperationException("a sweeper writes nothing");
        }

        @Override
        public CompletableFuture<SnapshotReader> open(long ledgerId) {
            throw new UnsupportedOperationException("a sweeper opens nothing");
        }

        @Override
        public CompletableFuture<Optional<SnapshotOwner>> ownerOf(long ledgerId) {
            throw new UnsupportedOperationException("a sweeper asks for the whole label");
        }

        @Override
        public CompletableFuture<Void> close() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
