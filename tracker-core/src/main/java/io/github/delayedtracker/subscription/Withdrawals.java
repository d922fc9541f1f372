/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;

/**
 * The positions that commands are taking out of a subscription's schedule.
 *
 * <p>One step under the state's lock decides: a position that is known there leaves it and is <em>withdrawn</em>, and from then
 * on a read that offers it is told to drop it. It stays withdrawn until the cursor has been asked to acknowledge it. Then it is
 * acknowledged, or it is indexed again, due at once, and so read again with its own time. Thread safe.
 */
public final class Withdrawals {

    /**
     * The time under which a position is indexed that is to be read. One for all, which no message has, so that what is left of
     * it in the index has gone before the position is indexed under its own, or can be told from it.
     */
    static final long TO_BE_READ_MILLIS = 0;
    /** Positions decided in one hold of the lock. */
    private static final int SLICE = 64;

    private final SubscriptionState state;
    /** All that was ever withdrawn, from the first to the last. */
    private final PositionBounds bounds = new PositionBounds();
    /** Touched under the state's lock only. */
    private final PositionSet withdrawn = new PositionSet();
    /** Indexed again to be read, and not read since: when they are due is not known. Touched under the lock only. */
    private final PositionSet toBeRead = new PositionSet();

    /** Of one subscription; nothing is withdrawn. */
    public Withdrawals(SubscriptionState state) {
        this.state = state;
    }

    /** Withdraws positions, and passes on those that were known: they are withdrawn now. */
    public void withdraw(CandidateBatch asked, PositionSink taken) {
        for (int from = 0; from < asked.size(); from += SLICE) {
            int begin = from;
            int end = Math.min(asked.size(), from + SLICE);
            boolean unused = state.lockedWithOverdue((index, overdue) -> {
                for (int i = begin; i < end; i++) {
                    long ledgerId = asked.ledgerId(i);
                    long entryId = asked.entryId(i);
                    boolean isOverdue = overdue.contains(ledgerId, entryId);
                    if (isOverdue || index.holds(ledgerId, entryId)) {
                        // It leaves last: without memory for the rest it stays where it is.
                        withdrawn.add(ledgerId, entryId);
                        bounds.include(ledgerId, entryId);
                        taken.accept(ledgerId, entryId);
                        boolean unusedToo = isOverdue ? overdue.remove(ledgerId, entryId) : index.forget(ledgerId, entryId);
                    }
                }
                return true;
            });
        }
    }

    /**
     * Whether a position that was just offered to the state is withdrawn: then the offer has changed nothing, and the message is
     * not to be sent. Asked after the offer; where it was decided first the position is not known any more, and cannot be
     * withdrawn after that.
     */
    public boolean swallows(long ledgerId, long entryId) {
        return mayHave(ledgerId, entryId) && state.lockedWithOverdue((index, overdue) -> {
            boolean swallows = withdrawn.contains(ledgerId, entryId);
            if (swallows) {
                index.forget(ledgerId, entryId);
            }
            return swallows;
        });
    }

    /** Whether a position is withdrawn. A read may skip it: it will be acknowledged, or indexed again. */
    public boolean has(long ledgerId, long entryId) {
        return mayHave(ledgerId, entryId)
                && state.lockedWithOverdue((index, overdue) -> withdrawn.contains(ledgerId, entryId));
    }

    /** Whether a position may once have been withdrawn. A few field accesses. */
    public boolean mayHave(long ledgerId, long entryId) {
        return bounds.mayContain(ledgerId, entryId);
    }

    /** Ends the withdrawal of a position that is acknowledged. */
    public void isAcknowledged(long ledgerId, long entryId) {
        boolean unused = state.lockedWithOverdue((index, overdue) -> withdrawn.remove(ledgerId, entryId));
    }

    /** Ends the withdrawal of a position that could not be acknowledged: it is due at once, and will be read then. */
    public void readAgain(long ledgerId, long entryId) {
        state.addIf(() -> withdrawn.remove(ledgerId, entryId) && noteToBeRead(ledgerId, entryId), ledgerId, entryId,
                TO_BE_READ_MILLIS);
    }

    private boolean noteToBeRead(long ledgerId, long entryId) {
        toBeRead.add(ledgerId, entryId);
        return true;
    }

    /** A position is about to be offered: if it is not known any more, it was handed out to be read, and this is the read. */
    public void isRead(long ledgerId, long entryId) {
        boolean unused = mayHave(ledgerId, entryId) && state.lockedWithOverdue((index, overdue) ->
                !index.holds(ledgerId, entryId) && !overdue.contains(ledgerId, entryId)
                        && toBeRead.remove(ledgerId, entryId));
    }

    /** Whether a position is to be read again before anybody knows when it is due. Called under the state's lock. */
    boolean isToBeRead(long ledgerId, long entryId) {
        return toBeRead.contains(ledgerId, entryId);
    }

    /** Forgets what need not be read any more: all up to a position. */
    public void forgetUpTo(long ledgerId, long entryId) {
        boolean unused = state.lockedWithOverdue((index, overdue) -> toBeRead.removeUpTo(ledgerId, entryId) > 0);
    }
}
