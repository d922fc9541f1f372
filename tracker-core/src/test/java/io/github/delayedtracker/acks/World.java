/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The order of events in one run: calls under way, which end when the dice say so, and the lives of the brokers. */
final class World {

    final Random random;
    /** Whether nothing fails or changes any more but what the scenario does. */
    boolean isCalm;
    private final List<Task> underWay = new ArrayList<>();

    World(long seed) {
        this.random = new Random(seed);
    }

    /** A broker, from the load of the topic to its unload or crash. A former owner may live on for a while. */
    static final class Life {
        boolean isDead;
        boolean isFormer;
    }

    /** A call under way: its effect on storage, and its answer. Calls of the same queue end in order. */
    private record Task(Life life, Object queue, Runnable effect, Runnable answer) {
    }

    void later(Life life, Runnable effect, Runnable answer) {
        inOrder(life, new Object(), effect, answer);
    }

    /** Ends after what was put into the same queue before. */
    void inOrder(Life life, Object queue, Runnable effect, Runnable answer) {
        underWay.add(new Task(life, queue, effect, answer));
    }

    boolean chance(double share) {
        return random.nextDouble() < share;
    }

    boolean isQuiet() {
        return underWay.isEmpty();
    }

    /** One of the things under way ends, the oldest more often than not. */
    void runOne() {
        if (!underWay.isEmpty()) {
            Object queue = underWay.get(chance(0.7) ? 0 : random.nextInt(underWay.size())).queue();
            Task task = underWay.stream().filter(each -> each.queue() == queue).findFirst().orElseThrow();
            underWay.remove(task);
            task.effect().run();
            if (!task.life().isDead) {
                task.answer().run();
            }
        }
    }

    void runAll() {
        for (int i = 0; i < 100_000 && !underWay.isEmpty(); i++) {
            runOne();
        }
        if (!underWay.isEmpty()) {
            throw new AssertionError("it never becomes quiet");
        }
    }

    /** A crash: of what is under way some reaches storage, and nobody hears of it. */
    void kill(Life life) {
        life.isDead = true;
        Set<Object> lost = new HashSet<>();
        for (Task task : List.copyOf(underWay)) {
            if (task.life() == life) {
                underWay.remove(task);
                if (!lost.contains(task.queue()) && chance(0.5)) {
                    task.effect().run();
                } else {
                    lost.add(task.queue());
                }
            }
        }
    }
}
