/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The calls from one package into another on one thread, told by the code that {@link CallDrawing} puts into methods. */
public final class CallSteps {

    private static final Deque<String> ROOMS = new ArrayDeque<>();
    private static final List<Step> STEPS = new ArrayList<>();
    private static volatile Thread watched;

    private CallSteps() {
    }

    /** A call from a package, or from the broker, into another. */
    record Step(String from, String to, String method) {
    }

    /** A method begins. */
    public static void entered(String room, String method) {
        if (Thread.currentThread() == watched) {
            String from = ROOMS.peek();
            ROOMS.push(room);
            Step step = new Step(from, room, method);
            if (!room.equals(from) && !STEPS.contains(step)) {
                STEPS.add(step);
            }
        }
    }

    /** A method ends. */
    public static void left() {
        if (Thread.currentThread() == watched) {
            ROOMS.pop();
        }
    }

    /** The calls of an action, each once. */
    static List<Step> of(String caller, Runnable action) {
        ROOMS.clear();
        ROOMS.push(caller);
        STEPS.clear();
        watched = Thread.currentThread();
        try {
            action.run();
        } finally {
            watched = null;
        }
        return List.copyOf(STEPS);
    }
}
