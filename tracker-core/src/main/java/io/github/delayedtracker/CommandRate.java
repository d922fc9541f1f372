/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The limit of how often commands of one subscription come: {@value #A_SECOND} a second, and {@value #AT_ONCE} at once after a
 * quiet time. A clock that is set back lends nothing. Thread safe; time is passed in.
 */
final class CommandRate {

    static final int A_SECOND = 50;
    static final int AT_ONCE = 100;

    @GuardedBy("this")
    private double permits = AT_ONCE;
    @GuardedBy("this")
    private long lastMillis;

    /** Whether one more command may come now, which is counted then. */
    synchronized boolean admits(long nowMillis) {
        permits = Math.min(AT_ONCE, permits + Math.max(0, nowMillis - lastMillis) * (A_SECOND / 1_000.0));
        lastMillis = nowMillis;
        if (permits < 1) {
            return false;
        }
        permits--;
        return true;
    }
}
