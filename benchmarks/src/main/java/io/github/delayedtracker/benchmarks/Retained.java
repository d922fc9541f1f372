/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.lang.management.ManagementFactory;
import org.openjdk.jol.info.GraphStats;

/**
 * The bytes that a tracker really keeps alive, and the method by which they were found.
 *
 * <p>{@code JOL}: the sizes of all objects of its graph. {@code allocated}: the capacity of the direct buffers of stock 4.0.
 * {@code heap}: heap in use after a collection, less that before the fill. It is used only for graphs of millions of objects,
 * where it is good to some megabytes of hundreds and a walk would take longer than the fill.
 *
 * @param method one of these methods
 * @param bytes the bytes kept alive
 */
record Retained(String method, long bytes) {

    private static final int WALK_MESSAGES = 300_000;
    /** Stock bitmaps report more bytes a message than this where most of them hold few messages. */
    private static final int DENSE_BYTES = 4;

    /** Lets the object walker work without options on the command line. */
    static void prepare() {
        System.setProperty("jol.magicFieldOffset", "true");
        System.setProperty("jol.skipHotspotSAAttach", "true");
        System.setProperty("jol.skipDynamicAttach", "true");
    }

    /**
     * Measures a filled tracker.
     *
     * @param heapBeforeBytes {@link #heapInUse} before the fill
     */
    static Retained of(Tracker tracker, boolean ours, long heapBeforeBytes) {
        Object root = tracker.indexRoot();
        if (root == null) {
            return new Retained("allocated", tracker.reportedBytes());
        }
        boolean walkable = ours || tracker.count() <= WALK_MESSAGES
                || tracker.reportedBytes() < DENSE_BYTES * tracker.count();
        return walkable ? new Retained("JOL", walk(root)) : new Retained("heap", heapInUse() - heapBeforeBytes);
    }

    /** The bytes of the object graph; each object counts once, from however many roots it is reached. */
    static long walk(Object... roots) {
        return GraphStats.parseInstance(roots).totalSize();
    }

    /** The heap in use after a collection. */
    static long heapInUse() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
