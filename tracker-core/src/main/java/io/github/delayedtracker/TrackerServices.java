/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.backend.JournalStore;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;

/**
 * The services that all trackers of one broker share.
 *
 * @param timer wakes dispatchers
 * @param clock the wall clock by which positions are due, epoch milliseconds
 * @param registry the live trackers, swept once a minute
 * @param worker runs the work of an index outside its calls
 * @param configuration the broker's configuration, for its live limits
 * @param purges the passes that look for acknowledged positions
 * @param acks tells which positions were acknowledged
 * @param limits what the records of cursors may hold
 * @param journals the journals of acknowledgements; empty where nothing can be stored
 * @param delays whether the topic of a dispatcher delays messages now
 * @param lateness how late the broker hands out
 * @param warnings the lines about failures of storage
 */
record TrackerServices(WakeUpTimer timer, LongSupplier clock, TrackerRegistry registry, Executor worker,
        ServiceConfiguration configuration, PurgeQueue purges, AckSource acks, CursorRecordLimits limits,
        Optional<JournalStore> journals, Predicate<AbstractPersistentDispatcherMultipleConsumers> delays,
        Lateness lateness, StorageWarnings warnings) {

    /** The time of the clock, epoch milliseconds. */
    long nowMillis() {
        return clock.getAsLong();
    }
}
