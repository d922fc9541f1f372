/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

/** A timer under test, armed with tasks that do nothing. Thread safe if the timer is. */
interface TimerContender extends AutoCloseable {

    /** Arms a task, and returns the argument for {@link #cancel}. */
    Object arm(long delayMillis);

    void cancel(Object armed);

    /** The number of armed tasks, as far as the timer knows. */
    long armedCount();

    @Override
    void close();
}
