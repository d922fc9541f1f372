/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import io.github.delayedtracker.bucket.orphans.SweepReport.SweepPolicy;
import io.github.delayedtracker.bucket.orphans.SweepReport.SweepPolicy.Fate;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepServices;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.LedgerLabel;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Finds out the fate of a ledger: first by its label, then by the record of its owner's cursor. A ledger that cannot be judged is
 * left, or no sweep would ever come past it. Changes nothing; no call fails.
 */
final class LedgerJudge {

    private final SweepServices services;
    private final Retries calls;
    private final SweepPolicy policy;

    /** A judge whose calls are those of one sweep. */
    LedgerJudge(SweepServices services, Retries calls) {
        this.services = services;
        this.calls = calls;
        policy = new SweepPolicy(services.settings().minAgeMillis());
    }

    /**
     * What was found out.
     *
     * @param owner of a suspect
     * @param doubt why it could not be judged; empty if it could
     */
    record Judgement(Fate fate, Optional<SnapshotOwner> owner, Optional<String> doubt) {

        private static Judgement of(Fate fate) {
            return new Judgement(fate, Optional.empty(), Optional.empty());
        }

        private static Judgement doubtful(Fate fate, String why) {
            return new Judgement(fate, Optional.empty(), Optional.of(why));
        }
    }

    /** The fate by the label; UNREAD if it cannot be read, FOREIGN if the ledger has gone meanwhile. */
    CompletableFuture<Judgement> byLabel(long ledgerId, String clusterId) {
        return calls.once("reading the label of ledger " + ledgerId, () -> services.labels().labelOf(ledgerId))
                .handle((label, failure) -> {
                    if (failure == null) {
                        return judged(() -> byLabel(label, clusterId));
                    }
                    Throwable cause = Futures.cause(failure);
                    return cause instanceof StorageException known && known.kind() == Kind.NO_SUCH_LEDGER
                            ? Judgement.of(Fate.FOREIGN) : Judgement.doubtful(Fate.UNREAD, cause.toString());
                });
    }

    private Judgement byLabel(Optional<LedgerLabel> label, String clusterId) {
        Fate fate = policy.byLabel(label, clusterId, services.wallMillis().getAsLong());
        return fate == Fate.SUSPECT ? new Judgement(fate, label.map(LedgerLabel::owner), Optional.empty()) : Judgement.of(fate);
    }

    /** The fate of a suspect by the record of its owner's cursor: NAMED, ORPHAN, DOUBTFUL, NEWER, or UNREAD. */
    CompletableFuture<Judgement> byRecord(long ledgerId, SnapshotOwner owner) {
        return calls.once("reading the cursor of " + owner, () -> services.records().propertiesOf(owner.topic(), owner.cursor()))
                .handle((properties, failure) -> {
                    if (failure != null) {
                        return Judgement.doubtful(Fate.UNREAD, Futures.cause(failure).toString());
                    }
                    Judgement found = judged(() -> Judgement.of(policy.byRecord(ledgerId, properties)));
                    if (found.doubt().isPresent()) {
                        return found;
                    }
                    return switch (found.fate()) {
                        case DOUBTFUL -> Judgement.doubtful(Fate.DOUBTFUL, "the record of " + owner + " is damaged");
                        case NEWER -> Judgement.doubtful(Fate.NEWER, "a newer version has written the record of " + owner);
                        default -> found;
                    };
                });
    }

    private static Judgement judged(Supplier<Judgement> judgement) {
        try {
            return judgement.get();
        } catch (RuntimeException | Error e) {
            return Judgement.doubtful(Fate.DOUBTFUL, e.toString());
        }
    }
}
