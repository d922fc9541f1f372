/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/** The events of a scenario with their weights: each run has more of some and none of others, and some have few holes. */
final class JournalEvents {

    /** The share of runs without races that have hardly an acknowledgement at random places. */
    private static final double FEW_HOLES = 0.5;

    private final Map<Event, Integer> weights = new EnumMap<>(Event.class);
    private final World world;
    private final Random random;

    /** With the weight that it has beside the others in most runs. */
    enum Event {
        ACKNOWLEDGE(40), ACKNOWLEDGE_FIRST(2), ACKNOWLEDGE_MANY(1), CANCEL(2), CUMULATIVE(1), TICK(16), FORMER_TICK(2),
        CONSUMER(1), HOLD_UP(2), GO_ON(2), SEEK(2), UNLOAD(1), KILL(2), HAND_OVER(1), CALM(2);

        private final int weight;

        Event(int weight) {
            this.weight = weight;
        }
    }

    JournalEvents(World world, boolean races) {
        this.world = world;
        this.random = world.random;
        for (Event event : Event.values()) {
            weights.put(event, event.weight * (event.weight > 10 ? 4 : random.nextInt(5)));
        }
        if (!races && world.chance(FEW_HOLES)) {
            weights.putAll(Map.of(Event.ACKNOWLEDGE, random.nextInt(4), Event.ACKNOWLEDGE_FIRST, 3, Event.ACKNOWLEDGE_MANY, 2,
                    Event.CANCEL, 6, Event.TICK, 16, Event.KILL, 6));
        }
    }

    /**
     * The next event. What is dangerous is seldom by chance: a seek over an acknowledgement that is held up, soon after a load or
     * at any time, and a crash soon after one has gone on over a seek.
     *
     * @param isRestoring whether the journal is being restored
     * @param comeAgain whether messages come again after a seek
     */
    Event next(HeldUpAck heldUp, boolean isRestoring, boolean comeAgain) {
        if (heldUp.isUnderWay() && heldUp.wasSought() && world.chance(0.5)) {
            return Event.GO_ON;
        }
        if (heldUp.isStale() && world.chance(0.2) || comeAgain && world.chance(0.05)) {
            return Event.KILL;
        }
        if (heldUp.isUnderWay() && !heldUp.wasSought() && world.chance(isRestoring ? 0.5 : 0.15)) {
            return Event.SEEK;
        }
        if (isRestoring && world.chance(0.3)) {
            return Event.HOLD_UP;
        }
        Event drawn = draw();
        return drawn == Event.GO_ON && !heldUp.wasSought() && world.chance(0.8) ? Event.ACKNOWLEDGE : drawn;
    }

    private Event draw() {
        int dice = random.nextInt(weights.values().stream().mapToInt(Integer::intValue).sum());
        for (Event event : Event.values()) {
            dice -= weights.get(event);
            if (dice < 0) {
                return event;
            }
        }
        throw new IllegalStateException("weights do not add up");
    }
}
