/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The broker processes of a scenario, one after the other: which of them has the topic, and who had it before. */
final class Brokers {

    private final World world;
    private final Shortages shortages;
    private final List<BrokerLife> lives = new ArrayList<>();
    private BrokerLife life;
    private Optional<TwoOwners> twoOwners = Optional.empty();

    Brokers(World world) {
        this.world = world;
        this.shortages = new Shortages(world);
    }

    /** What they have none of. */
    Shortages shortages() {
        return shortages;
    }

    /** Whether what shortages had left undone was taken up by then. */
    boolean hadAll(long atMillis) {
        return shortages.takenUpMillis() <= atMillis;
    }

    /** The one that everybody goes to. */
    BrokerLife life() {
        return life;
    }

    List<BrokerLife> living() {
        return lives.stream().filter(each -> !each.isDead()).toList();
    }

    boolean haveCrashed() {
        return lives.stream().anyMatch(BrokerLife::isDead);
    }

    /** Everybody goes to a new one. */
    void start() {
        life = another();
    }

    private BrokerLife another() {
        BrokerLife another = new BrokerLife(world);
        lives.add(another);
        return another;
    }

    /** Another one loads the topic, and the one that has it has not heard of it. */
    BrokerLife beginTwoOwners() {
        BrokerLife next = another();
        next.buckets().ifPresent(SimulatedBuckets::load);
        twoOwners = Optional.of(new TwoOwners(world, life, next));
        return next;
    }

    /** Everybody goes to another one that is there. */
    void moveTo(BrokerLife next) {
        life = next;
    }

    /** The last time that there were two owners; empty if there never were. */
    Optional<TwoOwners> twoOwners() {
        return twoOwners;
    }
}
