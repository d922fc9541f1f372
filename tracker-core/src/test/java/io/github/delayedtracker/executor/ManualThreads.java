/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;

/** Threads that run when the test says so, on the test's own thread. Not thread safe. */
final class ManualThreads implements Executor {

    private final List<Runnable> waiting = new ArrayList<>();

    @Override
    public void execute(Runnable visit) {
        waiting.add(visit);
    }

    int waiting() {
        return waiting.size();
    }

    void runOneOf(Random random) {
        waiting.remove(random.nextInt(waiting.size())).run();
    }

    void runAll() {
        while (!waiting.isEmpty()) {
            waiting.remove(0).run();
        }
    }
}
