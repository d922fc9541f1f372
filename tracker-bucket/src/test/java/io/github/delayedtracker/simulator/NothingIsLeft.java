/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/** Invariant 7: after unsubscribe no timer, task or tracker is left. */
final class NothingIsLeft extends Invariant {

    @Override
    void ended(World world) {
        for (BrokerLife life : world.livingBrokers()) {
            require(life.shop().liveTrackers() == 0, world, "%d trackers are left", life.shop().liveTrackers());
            require(life.timer().armedCount() == 0, world, "%d timer tasks are left", life.timer().armedCount());
            require(life.tasksUnderWay() == 0, world, "%d background tasks are left", life.tasksUnderWay());
        }
    }
}
