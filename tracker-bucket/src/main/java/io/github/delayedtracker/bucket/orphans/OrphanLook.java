/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import io.github.delayedtracker.backend.StoredOrphans;
import io.github.delayedtracker.backend.StoredOrphans.Orphan;
import io.github.delayedtracker.bucket.orphans.ClusterIdentity.ClusterId;
import io.github.delayedtracker.bucket.orphans.LedgerJudge.Judgement;
import io.github.delayedtracker.bucket.orphans.SharedValues.Versioned;
import io.github.delayedtracker.bucket.orphans.SweepReport.SweepPolicy.Fate;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepServices;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepSettings;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/**
 * One page of a look for orphans: judges ledgers as a sweep does and at its rate, and changes nothing, the place of the sweep
 * included. A page ends after a number of ledgers, and after a time.
 *
 * <p>One step at a time, on one of the given threads.
 */
final class OrphanLook {

    private static final int MOST_LEDGERS = 1_000;
    private static final long MOST_MILLIS = 10_000;
    private static final long SECOND_MILLIS = 1_000;

    private final SweepServices services;
    private final SweepSettings settings;
    private final Retries calls;
    private final LedgerJudge judge;
    private final List<Orphan> orphans = new ArrayList<>();
    private long afterLedgerId;
    private String clusterId;
    private long untilMillis;
    // Counts of one step at a time.
    private long lookedAt;
    private long own;
    private long young;
    private long withoutId;
    private long ofAnotherId;
    private long unknown;
    private Optional<String> firstUnknown = Optional.empty();

    /** A look that has not begun. */
    OrphanLook(SweepServices services, long afterLedgerId) {
        this.services = services;
        this.settings = services.settings();
        this.afterLedgerId = afterLedgerId;
        calls = services.newCalls();
        judge = new LedgerJudge(services, calls);
    }

    /** Looks. It fails with a {@link StorageException} if the ledgers cannot be listed, or the cluster has no id yet. */
    CompletableFuture<StoredOrphans> run() {
        untilMillis = services.wallMillis().getAsLong() + MOST_MILLIS;
        return calls.once("reading the id of the cluster", () -> services.shared().get(ClusterId.NAME))
                .thenCompose(this::identify);
    }

    private CompletableFuture<StoredOrphans> identify(Optional<Versioned> found) {
        if (found.isEmpty()) {
            return CompletableFuture.failedFuture(new StorageException(Kind.UNAVAILABLE,
                    "the cluster has no id yet: none of its brokers has stored anything"));
        }
        try {
            clusterId = ClusterId.decode(found.get().text()).toString();
        } catch (StorageException e) {
            return CompletableFuture.failedFuture(e);
        }
        return ledgers();
    }

    /** As many as a second may have. */
    private CompletableFuture<StoredOrphans> ledgers() {
        int limit = settings.ledgersASecond();
        return calls.once("listing ledgers after " + afterLedgerId, () -> services.storage().list(afterLedgerId, limit))
                .thenCompose(ids -> each(ids, 0)
                        .thenCompose(done -> goOn(ids.size() < limit && isLast(ids))));
    }

    private CompletableFuture<StoredOrphans> goOn(boolean isOver) {
        if (isOver) {
            return CompletableFuture.completedFuture(page(OptionalLong.empty()));
        }
        return isFull() ? CompletableFuture.completedFuture(page(OptionalLong.of(afterLedgerId)))
                : pause().thenCompose(rested -> ledgers());
    }

    /** Whether all of them were judged. */
    private boolean isLast(List<Long> ids) {
        return ids.isEmpty() || ids.get(ids.size() - 1) == afterLedgerId;
    }

    private boolean isFull() {
        return lookedAt >= MOST_LEDGERS || services.wallMillis().getAsLong() >= untilMillis;
    }

    /** All of them, or those that the time is enough for. */
    private CompletableFuture<Void> each(List<Long> ids, int first) {
        if (first == ids.size() || isFull()) {
            return CompletableFuture.completedFuture(null);
        }
        long ledgerId = ids.get(first);
        return judge(ledgerId).thenCompose(judged -> {
            afterLedgerId = ledgerId;
            lookedAt++;
            return each(ids, first + 1);
        });
    }

    private CompletableFuture<Void> judge(long ledgerId) {
        return judge.byLabel(ledgerId, clusterId).thenCompose(byLabel -> {
            switch (byLabel.fate()) {
                case FOREIGN, UNREAD -> { }
                case WITHOUT_ID -> withoutId++;
                case OF_ANOTHER_ID -> ofAnotherId++;
                default -> own++;
            }
            young += byLabel.fate() == Fate.YOUNG ? 1 : 0;
            doubt(byLabel);
            return byLabel.owner().map(owner -> suspect(ledgerId, owner))
                    .orElseGet(() -> CompletableFuture.completedFuture(null));
        });
    }

    private CompletableFuture<Void> suspect(long ledgerId, SnapshotOwner owner) {
        return judge.byRecord(ledgerId, owner).thenAccept(byRecord -> {
            doubt(byRecord);
            if (byRecord.fate() == Fate.ORPHAN) {
                orphans.add(new Orphan(ledgerId, owner.topic(), owner.cursor(), owner.createdAtMillis()));
            }
        });
    }

    private void doubt(Judgement judged) {
        if (judged.doubt().isPresent()) {
            unknown++;
            firstUnknown = firstUnknown.or(judged::doubt);
        }
    }

    private CompletableFuture<Void> pause() {
        CompletableFuture<Void> over = new CompletableFuture<>();
        services.timer().arm(SECOND_MILLIS, () -> {
            try {
                services.threads().execute(() -> over.complete(null));
            } catch (RejectedExecutionException e) {
                over.completeExceptionally(new StorageException(Kind.UNAVAILABLE, "the broker is closing", e));
            } catch (Throwable e) {
                over.completeExceptionally(e);
            }
        });
        return over;
    }

    private StoredOrphans page(OptionalLong nextAfter) {
        return new StoredOrphans(lookedAt, own, young, withoutId, ofAnotherId, unknown, firstUnknown, settings.minAgeMillis(),
                List.copyOf(orphans), nextAfter);
    }
}
