/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timer on top of the JDK's scheduler: one daemon thread, started with the first task, asleep until the earliest
 * task is due. Arm and cancel are O(log n); a cancelled task is removed at once.
 */
public final class ScheduledWakeUpTimer implements WakeUpTimer {

    private static final Logger LOG = LoggerFactory.getLogger(ScheduledWakeUpTimer.class);

    private final ScheduledThreadPoolExecutor executor;

    /** Starts no thread yet. */
    public ScheduledWakeUpTimer(String threadName) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, threadName);
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Armed arm(long delayMillis, Runnable task) {
        try {
            ScheduledFuture<?> future = executor.schedule(() -> runLogged(task), delayMillis, TimeUnit.MILLISECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException closed) {
            LOG.debug("Timer is closed, a wake-up in {} ms is dropped", delayMillis);
            return () -> { };
        }
    }

    @Override
    public int armedCount() {
        return executor.getQueue().size();
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private static void runLogged(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("A wake-up failed", e);
        }
    }
}
