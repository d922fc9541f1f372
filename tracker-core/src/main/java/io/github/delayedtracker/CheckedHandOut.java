/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.subscription.CandidateBatch;
import io.github.delayedtracker.subscription.HoldGate;
import io.github.delayedtracker.subscription.SubscriptionState;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;

/**
 * Takes candidates from the state until enough of them can be read. All may turn out to be acknowledged: the work of one call is
 * bounded, and the dispatcher, which asks again by itself only after an answer that is not empty, has to be woken for the rest.
 *
 * @param gate holds entries that go out first, and everything while it is shut
 * @param forgets whether what is gone may be known to the index still, after it was taken
 */
record CheckedHandOut(SubscriptionState state, CursorView cursor, TrackerCounters counters, HoldGate gate, boolean forgets) {

    /** Candidates checked against the cursor in one hand-out at most, as a multiple of the positions asked for. */
    private static final int CHECKS_PER_POSITION = 4;
    /** The same for hand-outs of few positions. */
    private static final int CHECKS_PER_HAND_OUT = 256;

    /**
     * Adds positions that are due and can be read, until the set has {@code maxMessages}.
     *
     * @return whether nothing was found though there may be more to look at
     */
    boolean into(NavigableSet<Position> positions, int maxMessages, long nowMillis) {
        Position read = cursor.readPosition();
        long readLedgerId = read == null ? Long.MAX_VALUE : read.getLedgerId();
        long readEntryId = read == null ? Long.MAX_VALUE : read.getEntryId();
        long checksLeft = Math.max(CHECKS_PER_HAND_OUT, (long) CHECKS_PER_POSITION * maxMessages);
        CandidateBatch candidates = new CandidateBatch();
        if (gate.isShut()) {
            return false;
        }
        while (!gate.isOpen() && positions.size() < maxMessages && checksLeft > 0) {
            int wanted = maxMessages - positions.size();
            List<Position> taken = taken(candidates, positions,
                    () -> gate.handOut(wanted, readLedgerId, readEntryId, candidates));
            if (taken.isEmpty()) {
                break;
            }
            checksLeft -= taken.size();
            drop(taken, positions, gate::drop);
        }
        while (positions.size() < maxMessages && checksLeft > 0) {
            int before = positions.size();
            int wanted = maxMessages - before;
            long dueMillis = nowMillis - state.overdueAgeMillis(nowMillis);
            List<Position> taken = taken(candidates, positions,
                    () -> state.takeDue(nowMillis, wanted, readLedgerId, readEntryId, candidates));
            if (taken.isEmpty()) {
                return positions.isEmpty() && state.hasDueInIndex(nowMillis);
            }
            checksLeft -= taken.size();
            drop(taken, positions, forgets ? state::forget : (ledgerId, entryId) -> { });
            if (positions.size() > before) {
                cursor.services().lateness().handedOut(dueMillis, nowMillis);
            }
        }
        return positions.isEmpty() && maxMessages > 0;
    }

    /** What a step puts into the candidates. It goes to the answer even if the step fails: nobody else has it any more. */
    private static List<Position> taken(CandidateBatch candidates, NavigableSet<Position> positions, Runnable step) {
        candidates.clear();
        List<Position> taken = new ArrayList<>();
        try {
            step.run();
        } finally {
            for (int i = 0; i < candidates.size(); i++) {
                taken.add(PositionFactory.create(candidates.ledgerId(i), candidates.entryId(i)));
            }
            positions.addAll(taken);
        }
        return taken;
    }

    /** Takes those that are gone back out. Should a question fail, the rest is handed out all the same. */
    private void drop(List<Position> taken, NavigableSet<Position> positions, PositionSink forgetter) {
        for (Position position : taken) {
            if (cursor.isGone(position)) {
                positions.remove(position);
                counters.droppedAtHandOut();
                // Where the index stores, it may be awaited there.
                forgetter.accept(position.getLedgerId(), position.getEntryId());
            }
        }
    }
}
