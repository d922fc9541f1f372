/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The queue of the items to recover, a few at a time in the order given. An item that storage does not give now is <em>late</em>
 * and makes room for the next. Once all others were tried there is a rest, then a pass over the late ones. Thread safe, a leaf.
 */
final class RecoveryQueue<T> {

    private final int mostUnderWay;
    @GuardedBy("this")
    private final Deque<T> waiting = new ArrayDeque<>();
    @GuardedBy("this")
    private final List<T> late = new ArrayList<>(0);
    @GuardedBy("this")
    private int underWay;
    @GuardedBy("this")
    private int passes;
    @GuardedBy("this")
    private boolean resting;

    RecoveryQueue(int mostUnderWay) {
        this.mostUnderWay = mostUnderWay;
    }

    synchronized void addAll(Collection<T> all) {
        waiting.addAll(all);
    }

    /** The next item, which is under way then; empty if there is none or enough are under way. */
    synchronized Optional<T> begin() {
        if (underWay == mostUnderWay || waiting.isEmpty()) {
            return Optional.empty();
        }
        underWay++;
        return Optional.of(waiting.remove());
    }

    /** Ends an item that was under way. */
    synchronized void ended() {
        underWay--;
    }

    /** Marks an item that was under way as late: it is tried again in the next pass. */
    synchronized void isLate(T one) {
        underWay--;
        late.add(one);
    }

    /** Whether nothing is left to do. */
    synchronized boolean isOver() {
        return underWay == 0 && waiting.isEmpty() && late.isEmpty();
    }

    /** The number of the pass that has ended, from 1, where another one is needed. It is told once, then comes {@link #again}. */
    synchronized OptionalInt endedPass() {
        if (resting || underWay > 0 || !waiting.isEmpty() || late.isEmpty()) {
            return OptionalInt.empty();
        }
        resting = true;
        return OptionalInt.of(++passes);
    }

    /** Begins the next pass. */
    synchronized void again() {
        resting = false;
        waiting.addAll(late);
        late.clear();
    }

    /** Whether every item was tried once. */
    synchronized boolean hasTriedAll() {
        return passes > 0 || underWay == 0 && waiting.isEmpty();
    }

    /** The number of items that are late, or tried again. */
    synchronized int late() {
        return passes > 0 ? waiting.size() + underWay + late.size() : late.size();
    }

    /** Drops all items but those under way. */
    synchronized void drop() {
        waiting.clear();
        late.clear();
    }
}
