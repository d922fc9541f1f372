/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import io.github.delayedtracker.acks.JournalCursor.Moment;

/**
 * What a cursor had acknowledged at one moment: unless it was reset, all of it still is. Mark-delete tells of a seek back where
 * nothing was acknowledged behind it.
 *
 * @param ledgerId mark-delete, with the entry id
 * @param acked the acknowledgements behind it
 * @param wasReset whether a reset was seen before, and ledgers of before it may still count
 */
record SeenAcks(long ledgerId, long entryId, AckedPositions acked, boolean wasReset) {

    static SeenAcks of(Moment moment, AckedPositions acked) {
        return new SeenAcks(moment.ledgerId(), moment.entryId(), acked, false);
    }

    /** At a later moment. A reset that is seen stays so, though whatever follows fails, until its ledgers are taken away. */
    SeenAcks next(Moment now) {
        return new SeenAcks(now.ledgerId(), now.entryId(), now.acked(), !areAllIn(now));
    }

    /** No ledger of before a reset counts any more. */
    SeenAcks withoutReset() {
        return new SeenAcks(ledgerId, entryId, acked, false);
    }

    /** Whether all of it is acknowledged at a later moment, and was until then. Linear in the words. */
    boolean areAllIn(Moment now) {
        boolean isBack = now.ledgerId() < ledgerId || now.ledgerId() == ledgerId && now.entryId() < entryId;
        return !wasReset && !isBack && now.hasAll(acked);
    }
}
