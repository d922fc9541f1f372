/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What all scenario classes share: side by side on one broker, which none of them stops. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = "broker", mode = ResourceAccessMode.READ)
abstract class Scenarios {

    /** Tag of the scenarios that run on every broker line by default. */
    static final String SMOKE = "smoke";

    abstract BrokerFixture broker();

    /** Skips the scenario, with one visible line, where the broker's settings do not say so. */
    final void needs(String key) {
        BrokerSettings settings = broker().settings();
        boolean met = settings.lines().containsKey(key) && !settings.lines().get(key).equals("false");
        Assumptions.assumeTrue(met, () -> OnABroker.skipped(broker().broker().name(), "runs without " + key));
    }

    final Scene scene(String name) throws Exception {
        return broker().scene(name);
    }
}
