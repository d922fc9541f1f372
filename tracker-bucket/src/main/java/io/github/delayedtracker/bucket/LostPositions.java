/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket;

import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Positions whose time cannot be read any more. They are handed out before their time, a few at a time as somebody allows, so
 * that the broker reads their messages and offers them again. Not thread safe.
 */
final class LostPositions {

    private static final int LIST_BYTES = Footprint.object(Footprint.REFERENCE + 2 * Integer.BYTES);
    private static final int OBJECT_BYTES = Footprint.object(Footprint.REFERENCE + 2 * Long.BYTES);

    private List<PositionSet> sets = List.of();
    private long size;
    private long allowance;

    /** Takes over a set, which nobody else may use any more. O(1). */
    void add(PositionSet set) {
        if (!set.isEmpty()) {
            sets = new ArrayList<>(sets);
            sets.add(set);
            size += set.size();
        }
    }

    void allow(long positions) {
        allowance = positions;
    }

    boolean mayHandOut() {
        return allowance > 0 && size > 0;
    }

    long size() {
        return size;
    }

    boolean contains(long ledgerId, long entryId) {
        for (PositionSet set : sets) {
            if (set.contains(ledgerId, entryId)) {
                return true;
            }
        }
        return false;
    }

    boolean remove(long ledgerId, long entryId) {
        boolean removed = false;
        for (Iterator<PositionSet> i = sets.iterator(); i.hasNext() && !removed;) {
            PositionSet set = i.next();
            removed = set.remove(ledgerId, entryId);
            if (set.isEmpty()) {
                i.remove();
            }
        }
        size -= removed ? 1 : 0;
        return removed;
    }

    long removeUpTo(long ledgerId, long entryId) {
        long removed = 0;
        for (PositionSet set : sets) {
            removed += set.removeUpTo(ledgerId, entryId);
        }
        if (removed > 0) {
            sets.removeIf(PositionSet::isEmpty);
        }
        size -= removed;
        return removed;
    }

    /** Hands out as many as are allowed, and no more than the limit; they are no longer here. */
    int take(int limit, PositionSink sink) {
        int most = (int) Math.min(limit, allowance);
        int taken = 0;
        while (taken < most && !sets.isEmpty()) {
            PositionSet set = sets.get(0);
            int part = set.takeBelow(Long.MAX_VALUE, Long.MAX_VALUE, most - taken, sink);
            if (part == 0) {
                set.clear();
                sink.accept(Long.MAX_VALUE, Long.MAX_VALUE);
                part = 1;
            }
            taken += part;
            if (set.isEmpty()) {
                sets.remove(0);
            }
        }
        size -= taken;
        allowance -= taken;
        return taken;
    }

    void forEach(PositionSink sink) {
        sets.forEach(set -> set.forEach(sink));
    }

    /** Takes everything that is here out of a set. Linear in the positions here. */
    void removeFrom(PositionSet set) {
        for (PositionSet part : sets) {
            part.forEach(set::remove);
        }
    }

    void clear() {
        sets = List.of();
        size = 0;
    }

    long setBytes() {
        long bytes = 0;
        for (PositionSet set : sets) {
            bytes += set.retainedBytes();
        }
        return bytes;
    }

    long retainedBytes() {
        return OBJECT_BYTES + setBytes()
                + (sets.isEmpty() ? 0 : LIST_BYTES + Footprint.array(sets.size(), Footprint.REFERENCE));
    }

    void validate() {
        long sum = 0;
        for (PositionSet set : sets) {
            set.validate();
            sum += set.size();
        }
        if (sum != size) {
            throw new IllegalStateException("lost positions: counted are " + size + ", found " + sum);
        }
    }
}
