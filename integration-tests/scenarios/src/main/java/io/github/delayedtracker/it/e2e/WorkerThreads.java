/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.e2e;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads of a listener by keys: a new virtual thread for each visit of a key where the JVM has them (21 and later),
 * otherwise a pool of daemon threads that grows to its bound and ends when idle. Since tasks wait without a thread, the bound
 * limits work on the processor only. Thread safe.
 */
final class WorkerThreads implements Executor {

    private static final long IDLE_SECONDS = 10;

    private final ExecutorService service;

    private WorkerThreads(ExecutorService service) {
        this.service = service;
    }

    static WorkerThreads of(String name, int poolThreads) {
        if (poolThreads < 1) {
            throw new IllegalArgumentException("poolThreads must be at least 1: " + poolThreads);
        }
        return new WorkerThreads(virtual(name).orElseGet(() -> pool(name, poolThreads)));
    }

    @Override
    public void execute(Runnable visit) {
        service.execute(visit);
    }

    /** Lets what runs end and starts nothing more. */
    void end() {
        service.shutdown();
    }

    static ExecutorService pool(String name, int poolThreads) {
        AtomicLong number = new AtomicLong();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(poolThreads, poolThreads, IDLE_SECONDS, TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, name + "-" + number.getAndIncrement());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Empty on a JVM without virtual threads. Found by name, since the classes are compiled for Java 17. */
    static Optional<ExecutorService> virtual(String name) {
        try {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Class<?> builder = Class.forName("java.lang.Thread$Builder$OfVirtual");
            MethodHandle ofVirtual = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(builder));
            MethodHandle named = lookup.findVirtual(builder, "name", MethodType.methodType(builder, String.class, long.class));
            MethodHandle factory = lookup.findVirtual(builder, "factory", MethodType.methodType(ThreadFactory.class));
            MethodHandle perTask = lookup.findStatic(Executors.class, "newThreadPerTaskExecutor",
                    MethodType.methodType(ExecutorService.class, ThreadFactory.class));
            ThreadFactory threads = (ThreadFactory) factory.invoke(named.invoke(ofVirtual.invoke(), name + "-", 0L));
            return Optional.of((ExecutorService) perTask.invoke(threads));
        } catch (ClassNotFoundException | NoSuchMethodException | IllegalAccessException before21) {
            return Optional.empty();
        } catch (Throwable broken) {
            throw new LinkageError("Virtual threads named " + name + " cannot be made on this JVM", broken);
        }
    }
}
