/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import java.util.ArrayDeque;

/** Keeps the effects of calls in the order of the calls, and their answers too. */
final class Lane {

    private final ArrayDeque<Slot> effects = new ArrayDeque<>();
    private final ArrayDeque<Slot> answers = new ArrayDeque<>();

    /** One call's place. */
    static final class Slot {
        private final Lane lane;
        private Runnable effect;
        private Runnable answer;

        private Slot(Lane lane) {
            this.lane = lane;
        }

        void effectReady(Runnable run) {
            effect = run;
            while (!lane.effects.isEmpty() && lane.effects.peek().effect != null) {
                lane.effects.poll().effect.run();
            }
        }

        void answerReady(Runnable run) {
            answer = run;
            while (!lane.answers.isEmpty() && lane.answers.peek().answer != null) {
                lane.answers.poll().answer.run();
            }
        }
    }

    Slot join() {
        Slot slot = new Slot(this);
        effects.add(slot);
        answers.add(slot);
        return slot;
    }
}
