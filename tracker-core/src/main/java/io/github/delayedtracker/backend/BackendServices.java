/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.backend;

import io.github.delayedtracker.config.TrackerSettings;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.function.LongSupplier;
import org.apache.pulsar.broker.PulsarService;

/**
 * The services of a broker that a storing backend uses.
 *
 * @param pulsar the broker
 * @param settings the broker's settings of the tracker
 * @param timer runs short tasks after a delay
 * @param wallMillis the clock by which positions are due, epoch milliseconds
 * @param nanoClock a clock that never goes back, nanoseconds from any origin
 */
public record BackendServices(PulsarService pulsar, TrackerSettings settings, WakeUpTimer timer, LongSupplier wallMillis,
        LongSupplier nanoClock) {
}
