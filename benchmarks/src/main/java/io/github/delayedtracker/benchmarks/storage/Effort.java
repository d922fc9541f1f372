/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * The effort of this process.
 *
 * @param processorNanos the processor time of all its threads together
 * @param collectionMillis the time in collections of garbage
 * @param nanos the time that passed
 */
record Effort(long processorNanos, long collectionMillis, long nanos) {

    static final Effort NONE = new Effort(0, 0, 0);

    /** The effort since the start. */
    static Effort sofar() {
        long processorNanos = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
        return new Effort(processorNanos, ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime).sum(), System.nanoTime());
    }

    Effort less(Effort before) {
        return new Effort(processorNanos - before.processorNanos, collectionMillis - before.collectionMillis,
                nanos - before.nanos);
    }

    Effort plus(Effort more) {
        return new Effort(processorNanos + more.processorNanos, collectionMillis + more.collectionMillis, nanos + more.nanos);
    }

    /** The number of processors that were busy on average. */
    double processors() {
        return (double) processorNanos / nanos;
    }
}
