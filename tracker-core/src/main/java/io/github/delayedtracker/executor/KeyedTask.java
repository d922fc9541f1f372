/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

import java.util.concurrent.CompletionStage;

/**
 * A piece of work of one key. Its turn lasts from {@link #start} until the stage it returns completes; only then does the
 * next task of the key start.
 *
 * @param <T> the result of the task
 */
@FunctionalInterface
public interface KeyedTask<T> {

    /**
     * Starts the work. Called at most once, on a thread of the executor, with no lock held. It may submit further tasks, of
     * its own key too; a stage that waits for a later task of its own key never completes.
     *
     * @return completes when the work has ended, on any thread. To wait, return a stage that is not complete and do not block:
     *     other keys lack a blocked thread.
     * @throws Exception when the work failed at once; the same as a failed stage
     */
    CompletionStage<T> start() throws Exception;
}
