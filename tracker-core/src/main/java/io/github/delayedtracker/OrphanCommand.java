/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.backend.StoredOrphans;
import io.github.delayedtracker.command.DelayedCommands.Orphan;
import io.github.delayedtracker.command.DelayedCommands.Sweep;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The look for ledgers that nothing names, of one broker: one at a time. Thread safe. */
final class OrphanCommand {

    private static final Logger LOG = LoggerFactory.getLogger(OrphanCommand.class);
    private static final long BEFORE_THE_FIRST = -1;

    private final LongFunction<Optional<CompletableFuture<StoredOrphans>>> stored;
    private final OneAtATime looks = new OneAtATime();

    /** Of the storage that looks behind a ledger; it has nothing to look at if that answers empty. */
    OrphanCommand(LongFunction<Optional<CompletableFuture<StoredOrphans>>> stored) {
        this.stored = stored;
    }

    /** A page. It fails with a {@link RefusedException}. */
    CompletableFuture<Sweep> sweep(OptionalLong after) {
        return looks.one("the ledgers are being looked at", () -> stored.apply(after.orElse(BEFORE_THE_FIRST))
                .orElseGet(() -> CommandQueue.refused(Reason.NO_SCHEDULE, "no backend of this broker stores anything"))
                .thenApply(OrphanCommand::page)
                .exceptionallyCompose(OrphanCommand::refused));
    }

    private static Sweep page(StoredOrphans found) {
        return new Sweep(found.lookedAt(), found.own(), found.young(), found.withoutId(), found.ofAnotherId(), found.unknown(),
                found.firstUnknown(), found.minAgeMillis(), found.orphans().stream().map(orphan -> new Orphan(orphan.ledgerId(),
                        orphan.topic(), orphan.cursor(), orphan.createdAtMillis())).toList(), found.nextAfter());
    }

    private static CompletableFuture<Sweep> refused(Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof RefusedException) {
            return CompletableFuture.failedFuture(cause);
        }
        LOG.info("A look for ledgers of the delayed index that no cursor names failed", cause);
        return CommandQueue.refused(Reason.UNREAD, "the ledgers cannot be looked at: " + cause.getMessage());
    }
}
