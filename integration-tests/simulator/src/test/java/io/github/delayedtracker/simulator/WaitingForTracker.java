/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import java.util.ArrayList;
import java.util.List;

/**
 * The entries that wait for a tracker which is being made, on brokers of 5.0. The broker keeps them in a hash map: the tracker
 * gets them in any order.
 */
final class WaitingForTracker {

    private final World world;
    private final ModelDispatcher dispatcher;
    private final List<Integer> entries = new ArrayList<>();
    private boolean pending;

    WaitingForTracker(World world, ModelDispatcher dispatcher) {
        this.world = world;
        this.dispatcher = dispatcher;
    }

    /** Whether the tracker is being made. */
    boolean isPending() {
        return pending;
    }

    void add(int entry) {
        entries.add(entry);
        if (!pending) {
            pending = true;
            world.scheduler().after(world.latency(), () -> {
                pending = false;
                dispatcher.trackerIsMade();
            });
        }
    }

    void clear() {
        entries.clear();
    }

    void feed(TrackerProbe tracker) {
        while (!entries.isEmpty()) {
            int entry = entries.remove(world.scheduler().draw(entries.size() - 1));
            world.scheduler().preempt();
            if (!dispatcher.consumers().isEmpty() && !tracker.addMessage(entry)) {
                dispatcher.redeliver(entry);
            }
        }
    }
}
