/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Daemon threads for the buckets of a broker, ended when idle: some that work and never wait, one that may block. */
final class BucketThreads {

    private static final int WORKING = 4;
    private static final long IDLE_SECONDS = 10;

    private final ExecutorService working;
    private final ExecutorService blocking;

    BucketThreads(String name) {
        working = pool(name, WORKING);
        blocking = pool(name + "-blocking", 1);
    }

    private static ExecutorService pool(String name, int threads) {
        AtomicLong number = new AtomicLong();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, name + "-" + number.getAndIncrement());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    Executor working() {
        return working;
    }

    Executor blocking() {
        return blocking;
    }

    void end() {
        working.shutdown();
        blocking.shutdown();
    }
}
