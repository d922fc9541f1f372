/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.simulator.Setup.Parameter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Since when the dispatcher has been able to take a due entry without a break: what came late before that was not held up by the
 * tracker.
 *
 * <p>With Key_Shared an entry waits for its own key's consumer and no other: for permits of that consumer; for what is due
 * before it, as long as each answer of the tracker is as long as was asked for; and, if no read has reached it yet, for a
 * replay queue below the look-ahead limit.
 */
final class AbleTimes {

    private long sinceMillis;
    private boolean wasBlocked = true;
    private List<ModelConsumer> consumers = List.of();
    private final Set<ModelConsumer> withoutPermits = new HashSet<>();
    private final Map<ModelConsumer, Long> permitsSinceMillis = new HashMap<>();
    private final Map<Integer, Long> readableSinceMillis = new HashMap<>();
    private long fullAnswerMillis;

    /** Nothing is late before that moment: the clock was set, and is checked then. */
    void notBefore(long millis) {
        sinceMillis = millis;
    }

    /** The tracker handed out as many as were asked for: others may be due. */
    void answeredInFull(long nowMillis) {
        fullAnswerMillis = nowMillis;
    }

    /** After each event. */
    void look(World world) {
        long nowMillis = world.scheduler().nowMillis();
        boolean blocked = world.isBlocked();
        if (blocked || wasBlocked) {
            sinceMillis = Math.max(sinceMillis, nowMillis);
        }
        wasBlocked = blocked;
        ModelDispatcher dispatcher = world.dispatcher();
        if (dispatcher.isKeyShared()) {
            lookAtKeys(dispatcher, nowMillis);
            if (dispatcher.messagesInReplay() >= world.setup().get(Parameter.LOOK_AHEAD)) {
                lookAtUnread(world, nowMillis);
            }
        }
    }

    private void lookAtKeys(ModelDispatcher dispatcher, long nowMillis) {
        if (!consumers.equals(dispatcher.consumers())) {
            // Keys move to other consumers.
            consumers = List.copyOf(dispatcher.consumers());
            permitsSinceMillis.clear();
            consumers.forEach(consumer -> permitsSinceMillis.put(consumer, nowMillis));
        }
        for (ModelConsumer consumer : consumers) {
            boolean blocked = consumer.permits() <= 0;
            boolean wasWithout = blocked ? !withoutPermits.add(consumer) : withoutPermits.remove(consumer);
            if (blocked || wasWithout) {
                permitsSinceMillis.put(consumer, nowMillis);
            }
        }
    }

    private void lookAtUnread(World world, long nowMillis) {
        TrackerProbe tracker = world.dispatcher().tracker();
        if (tracker != null) {
            int read = world.cursor().readEntry();
            for (int entry = tracker.nextHeld(read); entry >= 0; entry = tracker.nextHeld(entry + 1)) {
                readableSinceMillis.put(entry, nowMillis);
            }
        }
    }

    /** Since when that entry could have been taken; now, if its consumer came with the event under way. */
    long sinceMillis(World world, int entry) {
        ModelDispatcher dispatcher = world.dispatcher();
        long allMillis = Math.max(sinceMillis, world.brokers().shortages().takenUpMillis());
        if (!dispatcher.isKeyShared() || dispatcher.consumers().isEmpty()) {
            return allMillis;
        }
        long keyMillis = permitsSinceMillis.getOrDefault(dispatcher.consumerOf(entry),
                world.scheduler().nowMillis());
        long readMillis = readableSinceMillis.getOrDefault(entry, 0L);
        return Math.max(Math.max(allMillis, fullAnswerMillis), Math.max(keyMillis, readMillis));
    }
}
