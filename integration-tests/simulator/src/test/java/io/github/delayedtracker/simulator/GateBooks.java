/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** The gate of one tracker, as the broker sees it: which entries wait behind it, and since when it has been shut or open. */
final class GateBooks {

    private final BitSet held = new BitSet();
    /** Since it was held first without having been let through. */
    private final Map<Integer, Long> heldSinceMillis = new HashMap<>();
    private final Map<Integer, Long> offeredAtMillis = new HashMap<>();
    private boolean shut;
    private long changedMillis;
    private int consumers;
    private long sameConsumersMillis;

    /** After each event. */
    void look(World world, TrackerProbe tracker) {
        long nowMillis = world.scheduler().nowMillis();
        if (tracker.isPaused() != shut) {
            shut = !shut;
            changedMillis = nowMillis;
            world.tell("the gate is %s", shut ? "shut" : "open");
        }
        int now = world.dispatcher().connects();
        if (now != consumers || world.dispatcher().consumers().isEmpty()) {
            consumers = now;
            sameConsumersMillis = nowMillis;
        }
    }

    /** An entry was offered, and waits or not. */
    void offered(int entry, boolean waits, long nowMillis) {
        held.set(entry, waits);
        offeredAtMillis.put(entry, nowMillis);
        if (waits) {
            heldSinceMillis.putIfAbsent(entry, nowMillis);
        } else {
            heldSinceMillis.remove(entry);
        }
    }

    /** A read takes the entry, and will offer it. */
    void isRead(int entry) {
        held.clear(entry);
        heldSinceMillis.remove(entry);
    }

    /** An entry was handed out. */
    void letsGo(int entry) {
        held.clear(entry);
    }

    /** Whether the entry was offered at that time or later. */
    boolean wasOfferedSince(int entry, long sinceMillis) {
        return offeredAtMillis.getOrDefault(entry, Long.MIN_VALUE) >= sinceMillis;
    }

    boolean isHeld(int entry) {
        return held.get(entry);
    }

    int nextHeld(int from) {
        return held.nextSetBit(from);
    }

    void clear() {
        held.clear();
        heldSinceMillis.clear();
    }

    /** Since when it has been shut before the same consumers; Long.MAX_VALUE while it is open. */
    long shutSinceMillis() {
        return shut ? Math.max(changedMillis, sameConsumersMillis) : Long.MAX_VALUE;
    }

    /** Since when the entry could have been handed out and let through; Long.MAX_VALUE while the gate is shut. */
    long openSinceMillis(int entry) {
        return shut ? Long.MAX_VALUE : Math.max(changedMillis, heldSinceMillis.get(entry));
    }
}
