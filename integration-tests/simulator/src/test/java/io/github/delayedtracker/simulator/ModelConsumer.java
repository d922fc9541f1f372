/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.simulator.Setup.Parameter;
import java.lang.reflect.Constructor;
import java.util.BitSet;
import org.apache.pulsar.broker.service.Consumer;

/**
 * A consumer: takes messages while it has permits, works on each for a while, then acknowledges it, wants it again, puts it
 * off, or keeps it until it disconnects.
 */
final class ModelConsumer {

    private static final int LONGEST_PUT_OFF_MILLIS = 10_000;
    private static final int STUCK_QUEUE = 3;

    private final World world;
    private final ModelDispatcher dispatcher;
    private final BitSet pending = new BitSet();
    private final boolean stuck;
    private int permits;
    private boolean connected = true;
    private Consumer face;

    ModelConsumer(World world, ModelDispatcher dispatcher) {
        this.world = world;
        this.dispatcher = dispatcher;
        this.stuck = world.setup().is(Parameter.STUCK) && dispatcher.consumers().size() == 1;
        int queue = world.setup().number(Parameter.QUEUE);
        this.permits = stuck ? Math.min(queue, STUCK_QUEUE) : queue;
    }

    /** The broker's type, of which only the identity counts. Its constructor for tests is not public. */
    Consumer face() {
        if (face == null) {
            try {
                Constructor<Consumer> constructor = Consumer.class.getDeclaredConstructor(String.class, int.class);
                constructor.setAccessible(true);
                face = constructor.newInstance("simulated", 0);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("the broker's consumer has changed", e);
            }
        }
        return face;
    }

    int permits() {
        return permits;
    }

    boolean holds(int entry) {
        return pending.get(entry);
    }

    BitSet pending() {
        return pending;
    }

    void receive(int entry) {
        permits--;
        pending.set(entry);
        Setup setup = world.setup();
        Scheduler scheduler = world.scheduler();
        long doneMillis = (long) scheduler.draw(setup.number(Parameter.WORK)) + scheduler.draw(setup.number(Parameter.LATENCY));
        if (world.isSettling() || !stuck && !scheduler.chance(setup.number(Parameter.HOLD))) {
            boolean nacks = !world.isSettling() && scheduler.chance(setup.number(Parameter.NACK));
            scheduler.after(doneMillis, () -> finish(entry, nacks));
        }
    }

    /** Acknowledges what it has kept so far, and keeps nothing more. */
    void releaseHeld() {
        for (int entry = pending.nextSetBit(0); entry >= 0; entry = pending.nextSetBit(entry + 1)) {
            int held = entry;
            world.scheduler().after(world.latency(), () -> finish(held, false));
        }
    }

    private void finish(int entry, boolean nack) {
        if (!connected || !pending.get(entry)) {
            return;
        }
        pending.clear(entry);
        permits++;
        if (nack) {
            dispatcher.redeliver(entry);
        } else {
            if (!world.isSettling() && world.scheduler().chance(world.setup().number(Parameter.PUT_OFF))) {
                world.publish(1 + world.scheduler().draw(LONGEST_PUT_OFF_MILLIS));
            }
            world.acknowledgedByConsumer(entry);
        }
        dispatcher.readMoreAsync();
    }

    void disconnect() {
        connected = false;
    }
}
