/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.wakeup.WakeUpTimer;
import io.github.delayedtracker.wakeup.wheel.WheelTimer;
import java.util.Locale;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The timers that are compared. */
enum TimerKind {

    /** Ours: the hierarchical wheel with a tick of 1 ms. */
    WHEEL {
        @Override
        TimerContender open(String threadName) {
            return new OfWheel(new WheelTimer(threadName, 1, System::nanoTime, TimerKind::endProgram));
        }
    },
    /** The scheduler of the JDK: a heap that knows the place of each task. */
    SCHEDULED {
        @Override
        TimerContender open(String threadName) {
            return new OfScheduler(scheduler(threadName));
        }
    },
    /** The DelayQueue of the JDK: a heap that has to look for the task it removes. No thread takes from it. */
    DELAY_QUEUE {
        @Override
        TimerContender open(String threadName) {
            return new OfDelayQueue();
        }
    },
    /** Netty's HashedWheelTimer with a tick of 1 ms and 512 slots. Last: its finalizer keeps it in memory for a while. */
    NETTY {
        @Override
        TimerContender open(String threadName) {
            return new NettyTimer(threadName);
        }
    };

    /** Ends the program: beside a task that failed the measurement would be of something else. */
    static void endProgram(Throwable failure) {
        failure.printStackTrace();
        System.exit(1);
    }

    /** Opens a timer whose thread has the name given. */
    abstract TimerContender open(String threadName);

    String label() {
        return switch (this) {
            case WHEEL -> "timing wheel";
            case NETTY -> "HashedWheelTimer";
            case SCHEDULED -> "ScheduledThreadPoolExecutor";
            case DELAY_QUEUE -> "DelayQueue";
        };
    }

    /** The name of its thread, no longer than the system keeps. */
    String threadName() {
        return "timer-" + name().toLowerCase(Locale.ROOT);
    }

    TimerContender open() {
        return open(threadName());
    }

    /** The kind whose name in lower case, with a dash for each underscore, is given. */
    static TimerKind of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private record OfWheel(WheelTimer timer) implements TimerContender {

        @Override
        public Object arm(long delayMillis) {
            return timer.arm(delayMillis, () -> { });
        }

        @Override
        public void cancel(Object armed) {
            ((WakeUpTimer.Armed) armed).cancel();
        }

        @Override
        public long armedCount() {
            return timer.armedCount();
        }

        @Override
        public void close() {
            timer.close();
        }
    }

    private static ScheduledThreadPoolExecutor scheduler(String threadName) {
        ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1, body -> {
            Thread thread = new Thread(body, threadName);
            thread.setDaemon(true);
            return thread;
        });
        scheduler.setRemoveOnCancelPolicy(true);
        return scheduler;
    }

    private record OfScheduler(ScheduledThreadPoolExecutor scheduler) implements TimerContender {

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // it is what the caller cancels
        public Object arm(long delayMillis) {
            return scheduler.schedule(() -> { }, delayMillis, TimeUnit.MILLISECONDS);
        }

        @Override
        public void cancel(Object armed) {
            ((Future<?>) armed).cancel(false);
        }

        @Override
        public long armedCount() {
            return scheduler.getQueue().size();
        }

        @Override
        public void close() {
            scheduler.shutdownNow();
        }
    }

    private static final class OfDelayQueue implements TimerContender {

        private final DelayQueue<Waiting> queue = new DelayQueue<>();

        @Override
        public Object arm(long delayMillis) {
            Waiting waiting = new Waiting(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMillis), () -> { });
            queue.add(waiting);
            return waiting;
        }

        @Override
        public void cancel(Object armed) {
            queue.remove(armed);
        }

        @Override
        public long armedCount() {
            return queue.size();
        }

        @Override
        public void close() {
            queue.clear();
        }
    }

    /** An entry that is equal to itself alone. */
    private static final class Waiting implements Delayed {

        private final long deadlineNanos;
        private final Runnable task;

        Waiting(long deadlineNanos, Runnable task) {
            this.deadlineNanos = deadlineNanos;
            this.task = task;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.signum(deadlineNanos - ((Waiting) other).deadlineNanos);
        }

        @Override
        public String toString() {
            return deadlineNanos + " " + task;
        }
    }
}
