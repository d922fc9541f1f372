/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The events of a scenario with their weights: each run has more of some and none of others, and some have few holes. */
final class JournalEvents {

    /** The share of runs without races that have hardly an acknowledgement at random places. */
    private static final double FEW_HOLES = 0.5;
    /** The share of these in which nothing takes back what was durable. */
    private static final double UNDISTURBED = 0.7;

    /** The share of runs with room for batches behind. */
    private static final double IN_FRONT = 0.1;
    private static final int FRONT_PART = 5;

    private static final double PLANNED = 0.3;
    /** A crash before a second look, after more than a record holds. Without races a hold-up does nothing. */
    private static final List<Event> AFTER_CALM =
            List.of(Event.ACKNOWLEDGE_MANY, Event.TICK, Event.HOLD_UP, Event.HOLD_UP, Event.HOLD_UP, Event.KILL);
    /** A crash as a journal ends that is needed no longer. */
    private static final List<Event> AT_AN_END = List.of(Event.ACKNOWLEDGE_FIRST, Event.ACKNOWLEDGE_FIRST,
            Event.ACKNOWLEDGE_FIRST, Event.ACKNOWLEDGE_FIRST, Event.ACKNOWLEDGE_FIRST, Event.TICK, Event.KILL);
    /** A crash before a look has seen as many, once the journal of what is kept would have ended. */
    private static final List<Event> AFTER_CANCEL = List.of(Event.TICK, Event.HOLD_UP, Event.HOLD_UP, Event.TICK, Event.HOLD_UP,
            Event.TICK, Event.HOLD_UP, Event.ACKNOWLEDGE_MANY, Event.HOLD_UP, Event.KILL);

    /** Steps after a calm: what is durable then is to outlive a crash soon after. */
    private static final int SOON = 10;

    private final Map<Event, Integer> weights = new EnumMap<>(Event.class);
    private final World world;
    private final Random random;
    private final boolean races;
    /** Whether single acknowledgements stay in front, so that batches find room behind them. */
    private final boolean staysInFront;
    private int sinceCalm = SOON;
    private final Deque<Event> planned = new ArrayDeque<>();

    /**
     * With the weight that it has beside the others in most runs. A batch is acknowledged behind all that a look has seen, its
     * consumers leave at once, and somebody seeks into it.
     */
    enum Event {
        ACKNOWLEDGE(40), ACKNOWLEDGE_FIRST(2), ACKNOWLEDGE_MANY(1), CANCEL(2), CUMULATIVE(1), TICK(16), FORMER_TICK(2),
        CONSUMER(1), HOLD_UP(2), GO_ON(2), SEEK(2), BATCH(1), ANEW(1), UNLOAD(1), KILL(2), HAND_OVER(1), CALM(2);

        private final int weight;

        Event(int weight) {
            this.weight = weight;
        }
    }

    JournalEvents(World world, boolean races) {
        this.world = world;
        this.random = world.random;
        this.races = races;
        this.staysInFront = world.chance(IN_FRONT);
        for (Event event : Event.values()) {
            weights.put(event, event.weight * (event.weight > 10 ? 4 : random.nextInt(5)));
        }
        if (!races && world.chance(FEW_HOLES)) {
            weights.putAll(Map.of(Event.ACKNOWLEDGE, random.nextInt(4), Event.ACKNOWLEDGE_FIRST, 3, Event.ACKNOWLEDGE_MANY, 2,
                    Event.CANCEL, 6, Event.TICK, 16, Event.KILL, 6, Event.CALM, 3));
            if (world.chance(UNDISTURBED)) {
                weights.putAll(Map.of(Event.SEEK, 0, Event.BATCH, 0, Event.CUMULATIVE, 0, Event.HAND_OVER, 0));
            }
        }
    }

    /**
     * The next event. What is dangerous is seldom by chance: a seek over an acknowledgement that is held up, soon after a load or
     * at any time, a crash soon after one has gone on over a seek, and those that are planned.
     *
     * @param isRestoring whether the journal is being restored
     * @param comeAgain whether messages come again after a seek
     */
    Event next(HeldUpAck heldUp, boolean isRestoring, boolean comeAgain) {
        if (!planned.isEmpty()) {
            return planned.remove();
        }
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
        if (!races && sinceCalm++ < SOON && world.chance(0.1)) {
            return Event.KILL;
        }
        Event drawn = draw();
        sinceCalm = drawn == Event.CALM ? 0 : sinceCalm;
        if (!races && world.chance(PLANNED)) {
            planned.addAll(drawn == Event.CANCEL ? AFTER_CANCEL : drawn != Event.CALM ? List.of()
                    : random.nextBoolean() ? AFTER_CALM : AT_AN_END);
        }
        return drawn == Event.GO_ON && !heldUp.wasSought() && world.chance(0.8) ? Event.ACKNOWLEDGE : drawn;
    }

    /** How many places single acknowledgements are among. */
    int reach(int places) {
        return staysInFront ? places / FRONT_PART : places;
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
