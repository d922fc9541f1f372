/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The ledgers of a cursor's journals that are not the open one, until they are deleted: some may still count, others do not. The
 * cursor's record names all of them. One step at a time.
 */
final class FormerLedgers {

    private final JournalLedgers ledgers;
    /** Ledgers that may still count, until the record that names the open one is written. */
    private final List<Long> superseded = new ArrayList<>();
    /** Ledgers that do not count. */
    private final List<Long> voided = new ArrayList<>();
    /** Whether the cursor's record names ledgers that are deleted. */
    private boolean namesGone;
    /** What became of the last one that counted. */
    private JournalStanding end = JournalStanding.NONE;
    private volatile JournalStanding standing = JournalStanding.NONE;

    /** All that a load has found. A journal that was applied, or is not needed, is of use until a record does without it. */
    FormerLedgers(JournalLedgers ledgers, AckRestore.Outcome restored) {
        this.ledgers = ledgers;
        boolean isOfUse = restored.end() == AckRestore.End.APPLIED || restored.end() == AckRestore.End.NOT_NEEDED;
        (isOfUse ? superseded : voided).addAll(ledgers.named());
    }

    /** A ledger counts until another is stamped. */
    void supersede(List<Long> ids) {
        superseded.addAll(ids);
    }

    /** A ledger counts no more, or not yet. */
    void voidLedgers(List<Long> ids) {
        voided.addAll(ids);
    }

    /** None of them counts any more, for this reason. */
    void voidAll(JournalStanding why) {
        end = superseded.isEmpty() ? end : why;
        voided.addAll(superseded);
        superseded.clear();
    }

    /** One of them was the open one until an append failed. */
    void isGivenUp() {
        end = JournalStanding.GIVEN_UP;
    }

    /** A step has ended, with or without a ledger that is open. */
    void isLeft(boolean isAnyOpen) {
        boolean isOver = end == JournalStanding.GIVEN_UP || !areLeft();
        standing = isAnyOpen ? JournalStanding.ACTIVE : isOver ? end : standing;
    }

    /** What the last step has left. From any thread. */
    JournalStanding standing() {
        return standing;
    }

    /** A ledger is the open one. */
    void open(Long id) {
        voided.remove(id);
    }

    /** Whether one may count. */
    boolean mayCount() {
        return !superseded.isEmpty();
    }

    /** Whether one is not deleted. */
    boolean areLeft() {
        return mayCount() || hasVoided();
    }

    /** Whether one does not count and is not deleted. */
    boolean hasVoided() {
        return !voided.isEmpty();
    }

    boolean isVoided(long id) {
        return voided.contains(id);
    }

    /** Whether nothing is left to delete or to name no more. */
    boolean isSettled() {
        return superseded.isEmpty() && voided.isEmpty() && !namesGone;
    }

    /** Whether the cursor's record names ledgers that are deleted. */
    boolean namesGone() {
        return namesGone;
    }

    /** Deletes all that do not count. */
    CompletableFuture<Void> deleteVoided(Optional<Long> open) {
        return delete(voided, open);
    }

    /** Deletes all but the ones that do not count: the record of the open one is written. */
    CompletableFuture<Void> deleteSuperseded(Optional<Long> open) {
        return delete(superseded, open);
    }

    /** Deleted first, and named no more then: a name without a ledger means nothing. */
    private CompletableFuture<Void> delete(List<Long> of, Optional<Long> open) {
        List<Long> deleted = List.copyOf(of);
        return CompletableFuture.allOf(deleted.stream().map(ledgers::delete).toArray(CompletableFuture[]::new))
                .thenCompose(done -> {
                    of.removeAll(deleted);
                    namesGone = true;
                    return name(open);
                });
    }

    /** Names these and the open one, and no others. */
    CompletableFuture<Void> name(Optional<Long> open) {
        List<Long> all = new ArrayList<>(superseded);
        open.ifPresent(all::add);
        all.addAll(voided);
        return ledgers.name(all).thenRun(() -> namesGone = false);
    }
}
