/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Netty's HashedWheelTimer as the 4.0 broker line has it, in a class loader of its own. The method handles are constants, so a
 * call costs as much as if it were compiled in.
 */
final class NettyTimer implements TimerContender {

    private static final String BROKER_LINE = "4.0";
    private static final int SLOTS = 512;

    private static final MethodHandle CONSTRUCTOR;
    private static final MethodHandle ARM;
    private static final MethodHandle CANCEL;
    private static final MethodHandle PENDING;
    private static final MethodHandle STOP;
    private static final Object TASK;

    static {
        try {
            ClassLoader loader = StockClassPath.loader(BROKER_LINE).orElseThrow(() -> new IllegalStateException(
                    "no class path of Netty at " + StockClassPath.location(BROKER_LINE)));
            Class<?> type = Class.forName("io.netty.util.HashedWheelTimer", true, loader);
            Class<?> task = Class.forName("io.netty.util.TimerTask", true, loader);
            Class<?> timeout = Class.forName("io.netty.util.Timeout", true, loader);
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            CONSTRUCTOR = lookup.findConstructor(type, methodType(void.class, ThreadFactory.class, long.class, TimeUnit.class,
                    int.class, boolean.class)).asType(methodType(Object.class, ThreadFactory.class, long.class,
                    TimeUnit.class, int.class, boolean.class));
            ARM = lookup.findVirtual(type, "newTimeout", methodType(timeout, task, long.class, TimeUnit.class))
                    .asType(methodType(Object.class, Object.class, Object.class, long.class, TimeUnit.class));
            CANCEL = lookup.findVirtual(timeout, "cancel", methodType(boolean.class))
                    .asType(methodType(boolean.class, Object.class));
            PENDING = lookup.findVirtual(type, "pendingTimeouts", methodType(long.class))
                    .asType(methodType(long.class, Object.class));
            STOP = lookup.findVirtual(type, "stop", methodType(Set.class)).asType(methodType(Set.class, Object.class));
            TASK = Proxy.newProxyInstance(loader, new Class<?>[] {task}, (proxy, method, arguments) -> null);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Object timer;

    NettyTimer(String threadName) {
        try {
            ThreadFactory threads = body -> {
                Thread thread = new Thread(body, threadName);
                thread.setDaemon(true);
                return thread;
            };
            timer = (Object) CONSTRUCTOR.invokeExact(threads, 1L, TimeUnit.MILLISECONDS, SLOTS, false);
        } catch (Throwable e) {
            throw new IllegalStateException("HashedWheelTimer", e);
        }
    }

    @Override
    public Object arm(long delayMillis) {
        try {
            return (Object) ARM.invokeExact(timer, TASK, delayMillis, TimeUnit.MILLISECONDS);
        } catch (Throwable e) {
            throw new IllegalStateException("newTimeout", e);
        }
    }

    @Override
    public void cancel(Object armed) {
        try {
            boolean unused = (boolean) CANCEL.invokeExact(armed);
        } catch (Throwable e) {
            throw new IllegalStateException("cancel", e);
        }
    }

    @Override
    public long armedCount() {
        try {
            return (long) PENDING.invokeExact(timer);
        } catch (Throwable e) {
            throw new IllegalStateException("pendingTimeouts", e);
        }
    }

    @Override
    public void close() {
        try {
            Set<?> unused = (Set<?>) STOP.invokeExact(timer);
        } catch (Throwable e) {
            throw new IllegalStateException("stop", e);
        }
    }
}
