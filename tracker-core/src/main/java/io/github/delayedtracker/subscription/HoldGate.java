/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;
import java.util.function.BiPredicate;

/**
 * The gate before the consumers of one subscription: while it is shut, entries that could be sent are held instead, and handed
 * out once it is open.
 *
 * <p>Held entries go out in the order of their positions. Entries behind them that are read meanwhile are held too, until all
 * that was held has been offered again, so that no entry overtakes another of its key. An entry that is offered while others
 * still wait before it is held as well: the gate was shut in between, or the broker replays it by itself. An entry that is read
 * again before it was handed out is let go to that read. Thread safe; the lock is a leaf. While the gate is open, a
 * call costs one field access.
 */
public final class HoldGate {

    /** Legal ways: open to shut, shut to draining or open, draining to shut or open. */
    private enum State {
        /** Nothing is held. */
        OPEN,
        /** Everything is held. */
        SHUT,
        /** What was held is handed out, and what is read behind it is held. */
        DRAINING,
        /** What was held is handed out, and what is read goes its way. */
        LEFT_OPEN
    }

    private volatile State state = State.OPEN;
    /** Null until it was shut once, as most are never. */
    @GuardedBy("this")
    private PositionSet waiting;
    /** Handed out and not offered again yet. */
    @GuardedBy("this")
    private PositionSet out;
    @GuardedBy("this")
    private long moves;
    @GuardedBy("this")
    private long lastLedgerId;
    @GuardedBy("this")
    private long lastEntryId;

    /** Open. */
    public HoldGate() {
        // the fields say it
    }

    /** Whether it is open, with nothing held. */
    public boolean isOpen() {
        return state == State.OPEN;
    }

    /** Whether it is shut. */
    public boolean isShut() {
        return state == State.SHUT;
    }

    /** Shuts it. */
    public synchronized void shut() {
        if (waiting == null) {
            waiting = new PositionSet();
            out = new PositionSet();
        }
        state = State.SHUT;
    }

    /** Opens it, if it is shut. */
    public synchronized void open() {
        if (state == State.SHUT) {
            state = State.DRAINING;
            openIfEmpty();
        }
    }

    /** Holds nothing more, whatever is still to be handed out, unless it is shut. */
    public synchronized void stopDraining() {
        if (state == State.DRAINING) {
            state = State.LEFT_OPEN;
            openIfEmpty();
        }
    }

    /** Whether an entry that could be sent is to be held; it will be handed out. */
    public boolean holds(long ledgerId, long entryId) {
        return state != State.OPEN && holdsNow(ledgerId, entryId);
    }

    private synchronized boolean holdsNow(long ledgerId, long entryId) {
        if (state == State.OPEN) {
            return false;
        }
        boolean wasOut = out.remove(ledgerId, entryId);
        boolean wasHeld = waiting.remove(ledgerId, entryId) || wasOut;
        boolean holds = switch (state) {
            case SHUT -> true;
            case DRAINING -> waiting.firstIsBelow(ledgerId, entryId)
                    || !wasHeld && (isBehindLast(ledgerId, entryId) || out.firstIsBelow(ledgerId, entryId));
            case LEFT_OPEN, OPEN -> false;
        };
        if (holds) {
            if (waiting.isEmpty() && out.isEmpty() || isBehindLast(ledgerId, entryId)) {
                lastLedgerId = ledgerId;
                lastEntryId = entryId;
            }
            waiting.add(ledgerId, entryId);
        }
        moves++;
        openIfEmpty();
        return holds;
    }

    @GuardedBy("this")
    private boolean isBehindLast(long ledgerId, long entryId) {
        return ledgerId > lastLedgerId || ledgerId == lastLedgerId && entryId > lastEntryId;
    }

    /** An entry is about to be read, and offered by that read: it is not handed out as well. */
    public void isRead(long ledgerId, long entryId) {
        if (state != State.OPEN) {
            leaveToRead(ledgerId, entryId);
        }
    }

    private synchronized void leaveToRead(long ledgerId, long entryId) {
        if (state != State.OPEN && waiting.remove(ledgerId, entryId)) {
            moves++;
            openIfEmpty();
        }
    }

    /** An entry that was offered is in the schedule: it waits for its time, and no longer here. */
    public void isScheduled(long ledgerId, long entryId) {
        if (state != State.OPEN) {
            leaveToSchedule(ledgerId, entryId);
        }
    }

    private synchronized void leaveToSchedule(long ledgerId, long entryId) {
        boolean wasOut = out.remove(ledgerId, entryId);
        if (waiting.remove(ledgerId, entryId) || wasOut) {
            moves++;
            openIfEmpty();
        }
    }

    /** Whether held entries may be handed out, if the read has passed them. */
    public boolean hasToHandOut() {
        return state != State.OPEN && state != State.SHUT && held() > 0;
    }

    /** Hands out held entries below the read position, in their order; returns how many. */
    public synchronized int handOut(int limit, long readLedgerId, long readEntryId, PositionSink sink) {
        if (state == State.SHUT || state == State.OPEN) {
            return 0;
        }
        return waiting.takeBelow(readLedgerId, readEntryId, limit, (ledgerId, entryId) -> {
            handedOut(ledgerId, entryId);
            sink.accept(ledgerId, entryId);
        });
    }

    private synchronized void handedOut(long ledgerId, long entryId) {
        moves++;
        out.add(ledgerId, entryId);
    }

    /** Lets go of entries that were handed out and cannot come again. Linear in the entries handed out. */
    public synchronized void forget(BiPredicate<Long, Long> gone) {
        if (state == State.OPEN) {
            return;
        }
        PositionSet left = new PositionSet();
        out.forEach((ledgerId, entryId) -> {
            if (!gone.test(ledgerId, entryId)) {
                left.add(ledgerId, entryId);
            }
        });
        moves += left.size() < out.size() ? 1 : 0;
        out = left;
        openIfEmpty();
    }

    /** A number that differs from the one before once an entry was held, handed out or offered again in between. */
    public synchronized long moves() {
        return moves;
    }

    /** An entry that was handed out is not going to be offered again: it is acknowledged. */
    public synchronized void drop(long ledgerId, long entryId) {
        if (state == State.OPEN) {
            return;
        }
        out.remove(ledgerId, entryId);
        openIfEmpty();
    }

    @GuardedBy("this")
    private void openIfEmpty() {
        if (state != State.SHUT && waiting.isEmpty() && (out.isEmpty() || state == State.LEFT_OPEN)) {
            state = State.OPEN;
            out.clear();
        }
    }

    /** How many entries are held. */
    public synchronized long held() {
        return waiting == null ? 0 : waiting.size();
    }
}
