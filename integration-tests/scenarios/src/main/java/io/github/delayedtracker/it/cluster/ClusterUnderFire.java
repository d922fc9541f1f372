/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.util.Optional;
import java.util.OptionalInt;

/** A cluster and its consumers as what faults are done to. */
record ClusterUnderFire(TrackerWatch watch, Striker striker, ClusterHealth health, FireProducers producers)
        implements FaultDriver.Victim {

    @Override
    public OptionalInt await(Moment moment) throws InterruptedException {
        return watch.await(moment);
    }

    @Override
    public Optional<String> strike(FaultPlan.Step step, int target) throws Exception {
        return striker.strike(step, target);
    }

    @Override
    public void heal() throws Exception {
        health.awaitTaking(producers::answered);
    }
}
