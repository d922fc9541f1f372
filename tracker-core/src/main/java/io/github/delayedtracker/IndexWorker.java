/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.executor.DaemonThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread for work of the indexes outside their calls, such as sealing a full part: one daemon thread, started
 * with the first piece of work and ended after some seconds without any. An index does itself in the end what is not done
 * here, so work offered after {@link #close} is dropped. Thread safe.
 */
final class IndexWorker implements Executor, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(IndexWorker.class);

    private final ExecutorService executor;

    IndexWorker(String threadName) {
        executor = DaemonThreads.pool(threadName, 1);
    }

    @Override
    public void execute(Runnable work) {
        try {
            executor.execute(() -> runLogged(work));
        } catch (RejectedExecutionException closed) {
            LOG.debug("The broker is closing, work of an index is dropped");
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private static void runLogged(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            LOG.error("Work of an index failed; the index does it again itself", e);
        }
    }
}
