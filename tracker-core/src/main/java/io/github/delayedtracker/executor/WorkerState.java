/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

/** The state of the worker of a key, and the states that may follow. A worker is made {@link #READY} by a submission. */
enum WorkerState {

    /** No task runs; a thread comes to start the next one. */
    READY,
    /** A task has started and its stage is not complete. No thread belongs to the key unless the task itself uses one. */
    RUNNING,
    /** The stage is complete; the task's future is completed next, on a thread of the executor. */
    SETTLING,
    /** The queue is empty for good, and the worker is removed from the map. A further submission makes a new worker. */
    GONE;

    boolean mayBecome(WorkerState next) {
        return switch (this) {
            case READY -> next == RUNNING || next == GONE;
            case RUNNING -> next == SETTLING;
            case SETTLING -> next == READY || next == RUNNING || next == GONE;
            case GONE -> false;
        };
    }
}
