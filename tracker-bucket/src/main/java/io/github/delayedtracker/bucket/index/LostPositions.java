/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Positions whose time cannot be read any more. They are handed out before their time, a few at a time as somebody allows, so
 * that the broker reads their messages and offers them again. Positions of the bucket that is due first come first, in their
 * order. The positions allowed last that have not come back are known. Not thread safe.
 */
final class LostPositions {

    /** The most positions in one hand-out. */
    static final int MOST_A_HAND_OUT = 100;

    /** Most handed-out positions have come back when no more than one in this number is still awaited. */
    private static final int STRAGGLERS = 4;
    private static final int LIST_BYTES = Footprint.object(Footprint.REFERENCE + 2 * Integer.BYTES);
    private static final int LOST_BYTES = Footprint.object(Footprint.REFERENCE + Long.BYTES);
    private static final int OBJECT_BYTES = Footprint.object(3 * Footprint.REFERENCE + 2 * Long.BYTES + Integer.BYTES + 2);

    private List<Lost> lost = List.of();
    private long size;
    private long allowance;
    /** The positions of the last allowance that were handed out and not seen since; null for none. */
    private PositionSet awaited;
    private int handedOut;
    /** Whether some were handed out last; else one has come back, or was forgotten, since. */
    private boolean areOut;
    private boolean told;
    /** The work to pass on; null until somebody has given it. */
    private Runnable whenBack;

    /** The positions that slept in one bucket; the first of them was due, or will be, at the time. */
    private record Lost(long dueMillis, PositionSet set) {
    }

    /** Takes over a set, which nobody else may use any more. Linear in the sets. */
    void add(PositionSet set, long dueMillis) {
        if (!set.isEmpty()) {
            int at = 0;
            while (at < lost.size() && lost.get(at).dueMillis() <= dueMillis) {
                at++;
            }
            lost = new ArrayList<>(lost);
            lost.add(at, new Lost(dueMillis, set));
            size += set.size();
        }
    }

    /** The time at which the first position was due, more or less, or Long.MAX_VALUE. */
    long firstDueMillis() {
        return lost.isEmpty() ? Long.MAX_VALUE : lost.get(0).dueMillis();
    }

    /** Gives the work that {@link #takeWork} passes on once most of the allowed positions have come back. */
    void onBack(Runnable work) {
        whenBack = work;
    }

    /**
     * Allows a number of positions instead of the rest allowed before; positions that have not come back are no longer awaited.
     */
    void allow(long positions) {
        allowance = positions;
        awaited = null;
        handedOut = 0;
        told = false;
    }

    boolean mayHandOut() {
        return allowance > 0 && size > 0;
    }

    /** The number of positions of the last allowance that were handed out. */
    int handedOut() {
        return handedOut;
    }

    /** The number of handed-out positions that have not come back. */
    long awaited() {
        return awaited == null ? 0 : awaited.size();
    }

    /** Whether all allowed positions, or all there are, were handed out, and most of them have come back. */
    boolean isBack() {
        return isHandedOut() && STRAGGLERS * awaited() <= handedOut;
    }

    /** Whether all allowed positions, or all there are, were handed out. */
    boolean isHandedOut() {
        return handedOut > 0 && !mayHandOut();
    }

    /** The work that was given, once for each allowance; not before something of the last hand-out has come back. */
    Optional<Runnable> takeWork() {
        if (whenBack == null || told || areOut || !isBack()) {
            return Optional.empty();
        }
        told = true;
        return Optional.of(whenBack);
    }

    long size() {
        return size;
    }

    boolean contains(long ledgerId, long entryId) {
        for (Lost each : lost) {
            if (each.set().contains(ledgerId, entryId)) {
                return true;
            }
        }
        return false;
    }

    /** Takes out a position that was offered or forgotten: it is neither lost nor awaited any longer. */
    boolean remove(long ledgerId, long entryId) {
        boolean removed = false;
        areOut = false;
        if (awaited != null) {
            awaited.remove(ledgerId, entryId);
        }
        for (Iterator<Lost> i = lost.iterator(); i.hasNext() && !removed;) {
            PositionSet set = i.next().set();
            removed = set.remove(ledgerId, entryId);
            if (set.isEmpty()) {
                i.remove();
            }
        }
        size -= removed ? 1 : 0;
        return removed;
    }

    long removeUpTo(long ledgerId, long entryId) {
        areOut = false;
        if (awaited != null) {
            awaited.removeUpTo(ledgerId, entryId);
        }
        long removed = 0;
        for (Lost each : lost) {
            removed += each.set().removeUpTo(ledgerId, entryId);
        }
        if (removed > 0) {
            lost.removeIf(each -> each.set().isEmpty());
        }
        size -= removed;
        return removed;
    }

    /** Hands out and removes as many positions as are allowed, and no more than the limit. */
    int take(int limit, PositionSink sink) {
        int most = (int) Math.min(Math.min(limit, MOST_A_HAND_OUT), allowance);
        int taken = 0;
        PositionSink awaiting = most == 0 ? sink : awaiting(sink);
        while (taken < most && !lost.isEmpty()) {
            PositionSet set = lost.get(0).set();
            int part = set.takeBelow(Long.MAX_VALUE, Long.MAX_VALUE, most - taken, awaiting);
            if (part == 0) {
                set.clear();
                awaiting.accept(Long.MAX_VALUE, Long.MAX_VALUE);
                part = 1;
            }
            taken += part;
            if (set.isEmpty()) {
                lost.remove(0);
            }
        }
        size -= taken;
        allowance -= taken;
        handedOut += taken;
        areOut = taken > 0 || areOut;
        return taken;
    }

    private PositionSink awaiting(PositionSink sink) {
        PositionSet all = awaited == null ? new PositionSet() : awaited;
        awaited = all;
        return (ledgerId, entryId) -> {
            all.add(ledgerId, entryId);
            sink.accept(ledgerId, entryId);
        };
    }

    void forEach(PositionSink sink) {
        lost.forEach(each -> each.set().forEach(sink));
    }

    /** Takes the lost positions out of a set. Linear in the lost positions. */
    void removeFrom(PositionSet set) {
        for (Lost each : lost) {
            each.set().forEach(set::remove);
        }
    }

    void clear() {
        lost = List.of();
        size = 0;
        awaited = null;
    }

    long setBytes() {
        long bytes = 0;
        for (Lost each : lost) {
            bytes += each.set().retainedBytes();
        }
        return bytes;
    }

    long retainedBytes() {
        return OBJECT_BYTES + setBytes() + (awaited == null ? 0 : awaited.retainedBytes()) + (long) lost.size() * LOST_BYTES
                + (lost.isEmpty() ? 0 : LIST_BYTES + Footprint.array(lost.size(), Footprint.REFERENCE));
    }

    void validate() {
        long sum = 0;
        for (Lost each : lost) {
            each.set().validate();
            sum += each.set().size();
        }
        if (sum != size) {
            throw new IllegalStateException("lost positions: counted are " + size + ", found " + sum);
        }
    }
}
