/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

/**
 * Figures of a {@link KeyOrderedExecutor} at one moment. Each figure is exact. They are read one after the other, so two of them
 * may stand a task apart while tasks come and go. All but {@code busyKeys} and {@code queuedTasks} only grow.
 *
 * @param busyKeys keys with a task queued or running
 * @param queuedTasks tasks that wait for their turn, of all keys
 * @param startedTasks tasks whose turn has come
 * @param waitNanos the time from submission to start, summed over the started tasks
 * @param endedTasks started tasks whose stage has completed, or that threw
 * @param failedTasks ended tasks that failed
 * @param runNanos the time from start to the completion of the stage, summed over the ended tasks
 * @param abandonedTasks tasks accepted and then given up, by closing or for want of a thread
 */
public record ExecutorStats(long busyKeys, long queuedTasks, long startedTasks, long waitNanos, long endedTasks,
        long failedTasks, long runNanos, long abandonedTasks) {
}
