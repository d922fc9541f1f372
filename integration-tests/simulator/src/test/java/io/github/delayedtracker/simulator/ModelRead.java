/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A read of the managed ledger, normal reads in four events and more: issued; candidates tested against the skip predicate
 * without any broker lock; entries fetched and the read position moved; the dispatcher called back.
 *
 * <p>As in the broker, one fetch takes the first run of candidates that are not skipped, within one ledger and the wanted
 * count; a read that has found too few goes on; a read at the end of the topic is parked with its predicate until something is
 * published.
 */
final class ModelRead {

    private final World world;
    private final ModelDispatcher dispatcher;
    private final ModelCursor cursor;
    private final ModelTopic topic;
    private final IntPredicate skip;
    private final int wanted;
    private final List<Integer> entries = new ArrayList<>();
    private boolean parked;
    private boolean cancelled;

    ModelRead(World world, ModelDispatcher dispatcher, int wanted, IntPredicate skip) {
        this.world = world;
        this.dispatcher = dispatcher;
        this.cursor = world.cursor();
        this.topic = world.topic();
        this.wanted = wanted;
        this.skip = skip;
    }

    void start() {
        if (cursor.readEntry() >= topic.size()) {
            parked = true;
        } else {
            world.scheduler().unlockedAfter(world.latency(), this::testCandidates);
        }
    }

    /** Something was published. */
    void resume() {
        if (parked && !cancelled) {
            parked = false;
            world.scheduler().unlockedAfter(world.latency(), this::testCandidates);
        }
    }

    boolean isParked() {
        return parked;
    }

    void cancel() {
        cancelled = true;
    }

    private void testCandidates() {
        if (cancelled) {
            return;
        }
        int first = cursor.readEntry();
        if (first >= topic.size()) {
            end();
            return;
        }
        int last = Math.min(Math.min(first + wanted - entries.size(), topic.size()) - 1, topic.lastOfLedger(first));
        int runFirst = -1;
        int runLast = last;
        for (int entry = first; entry <= last; entry++) {
            boolean skipped = skip.test(entry);
            if (!skipped && runFirst < 0) {
                runFirst = entry;
            } else if (skipped && runFirst >= 0 && runLast == last) {
                runLast = entry - 1;
            }
        }
        int from = runFirst;
        int to = runLast;
        world.scheduler().after(world.readLatency(false), () -> fetch(from, to, last));
    }

    private void fetch(int from, int to, int windowLast) {
        if (cancelled) {
            return;
        }
        if (world.reads().fails()) {
            if (entries.isEmpty()) {
                dispatcher.normalReadFailed();
            } else {
                end();
            }
            return;
        }
        if (from >= 0) {
            for (int entry = from; entry <= to; entry++) {
                if (!cursor.isDeleted(entry)) {
                    entries.add(entry);
                }
            }
        }
        cursor.readFrom(from < 0 ? windowLast + 1 : to + 1);
        if (entries.size() < wanted && cursor.readEntry() < topic.size()) {
            world.scheduler().unlockedAfter(world.latency(), this::testCandidates);
        } else {
            end();
        }
    }

    private void end() {
        world.scheduler().after(world.latency(), () -> {
            if (!cancelled) {
                dispatcher.normalReadDone(entries);
            }
        });
    }
}
