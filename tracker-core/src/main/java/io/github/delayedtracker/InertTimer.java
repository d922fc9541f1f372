/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Given to the stock superclass in place of a timer: whatever it arms never fires. Stateless. */
final class InertTimer implements Timer {

    static final InertTimer INSTANCE = new InertTimer();

    private InertTimer() {
    }

    @Override
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
        return new NeverFires(task);
    }

    @Override
    public Set<Timeout> stop() {
        return Set.of();
    }

    private record NeverFires(TimerTask task) implements Timeout {

        @Override
        public Timer timer() {
            return INSTANCE;
        }

        @Override
        public boolean isExpired() {
            return false;
        }

        @Override
        public boolean isCancelled() {
            return true;
        }

        @Override
        public boolean cancel() {
            return false;
        }
    }
}
