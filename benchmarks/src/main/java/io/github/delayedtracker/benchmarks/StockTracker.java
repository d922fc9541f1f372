/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static java.lang.invoke.MethodType.methodType;

import io.github.delayedtracker.index.PositionSink;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.NavigableSet;
import java.util.Optional;

/**
 * The stock in-memory tracker of one broker line, in a class loader of its own and without a broker: no dispatcher, a timer that
 * never runs, a clock that is set. Its methods are bound once as method handles. That costs each call a few nanoseconds that our
 * trackers do not pay.
 */
public final class StockTracker implements Tracker {

    private static final String TRACKER = "org.apache.pulsar.broker.delayed.InMemoryDelayedDeliveryTracker";
    private static final String DISPATCHER =
            "org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers";
    private static final String POSITION = "org.apache.bookkeeper.mledger.Position";
    /** The look-ahead: the fixed-delay pause is a matter of the dispatcher and off. */
    private static final long NO_LOOK_AHEAD = 0;

    private final SettableClock clock = new SettableClock();
    private final Object tracker;
    private final MethodHandle add;
    private final MethodHandle hasDue;
    private final MethodHandle scheduled;
    private final MethodHandle count;
    private final MethodHandle bufferBytes;
    private final MethodHandle resetTick;
    private final MethodHandle close;
    private final MethodHandle ledgerId;
    private final MethodHandle entryId;
    private boolean closed;

    private StockTracker(ClassLoader loader, boolean strict, long tickMillis) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        Class<?> type = Class.forName(TRACKER, true, loader);
        Class<?> dispatcher = Class.forName(DISPATCHER, false, loader);
        Class<?> timer = Class.forName("io.netty.util.Timer", false, loader);
        Class<?> position = Class.forName(POSITION, true, loader);
        tracker = lookup.findConstructor(type, methodType(void.class, dispatcher, timer, long.class, Clock.class,
                boolean.class, long.class)).invoke(null, inertTimer(loader, timer), tickMillis, clock, strict, NO_LOOK_AHEAD);
        add = lookup.findVirtual(type, "addMessage", methodType(boolean.class, long.class, long.class, long.class))
                .bindTo(tracker);
        hasDue = lookup.findVirtual(type, "hasMessageAvailable", methodType(boolean.class)).bindTo(tracker);
        scheduled = lookup.findVirtual(type, "getScheduledMessages", methodType(NavigableSet.class, int.class))
                .bindTo(tracker);
        count = lookup.findVirtual(type, "getNumberOfDelayedMessages", methodType(long.class)).bindTo(tracker);
        bufferBytes = lookup.findVirtual(type, "getBufferMemoryUsage", methodType(long.class)).bindTo(tracker);
        resetTick = lookup.findVirtual(type, "resetTickTime", methodType(void.class, long.class)).bindTo(tracker);
        close = lookup.findVirtual(type, "close", methodType(void.class)).bindTo(tracker);
        MethodType positionGetter = methodType(long.class, Object.class);
        ledgerId = lookup.findVirtual(position, "getLedgerId", methodType(long.class)).asType(positionGetter);
        entryId = lookup.findVirtual(position, "getEntryId", methodType(long.class)).asType(positionGetter);
    }

    /** The tracker of a broker line ({@code 4.0} or {@code 4.2}), or nothing if its class path is absent. */
    public static Optional<Tracker> open(String line, boolean strict, long tickMillis) {
        return StockClassPath.loader(line).map(loader -> {
            try {
                return new StockTracker(loader, strict, tickMillis);
            } catch (Throwable e) {
                throw new IllegalStateException("stock tracker of broker line " + line, e);
            }
        });
    }

    private static Object inertTimer(ClassLoader loader, Class<?> timer) throws ClassNotFoundException {
        Class<?> timeout = Class.forName("io.netty.util.Timeout", false, loader);
        Object inert = Proxy.newProxyInstance(loader, new Class<?>[] {timeout}, (proxy, method, arguments) ->
                method.getReturnType() == boolean.class ? Boolean.TRUE : null);
        return Proxy.newProxyInstance(loader, new Class<?>[] {timer}, (proxy, method, arguments) ->
                method.getReturnType() == timeout ? inert : null);
    }

    @Override
    public void setNowMillis(long nowMillis) {
        clock.setMillis(nowMillis);
    }

    @Override
    public void setTickMillis(long tickMillis) {
        try {
            resetTick.invokeExact(tickMillis);
        } catch (Throwable e) {
            throw failed("resetTickTime", e);
        }
    }

    @Override
    public boolean add(long ledger, long entry, long deliverAtMillis) {
        try {
            return (boolean) add.invokeExact(ledger, entry, deliverAtMillis);
        } catch (Throwable e) {
            throw failed("addMessage", e);
        }
    }

    @Override
    public boolean hasDue() {
        try {
            return (boolean) hasDue.invokeExact();
        } catch (Throwable e) {
            throw failed("hasMessageAvailable", e);
        }
    }

    @Override
    public int handOut(int limit) {
        try {
            return ((NavigableSet<?>) scheduled.invokeExact(limit)).size();
        } catch (Throwable e) {
            throw failed("getScheduledMessages", e);
        }
    }

    @Override
    public int handOut(int limit, PositionSink sink) {
        try {
            NavigableSet<?> positions = (NavigableSet<?>) scheduled.invokeExact(limit);
            for (Object position : positions) {
                sink.accept((long) ledgerId.invokeExact(position), (long) entryId.invokeExact(position));
            }
            return positions.size();
        } catch (Throwable e) {
            throw failed("getScheduledMessages", e);
        }
    }

    /** Does nothing: the stock in-memory trackers are never told. */
    @Override
    public void acked(long ledger, long entry) {
    }

    @Override
    public void ackedUpTo(long ledger, long entry) {
    }

    /** Always false: the broker does not ask the stock in-memory trackers; every message is read and added again. */
    @Override
    public boolean contains(long ledger, long entry) {
        return false;
    }

    @Override
    public void settle() {
    }

    @Override
    public long count() {
        try {
            return (long) count.invokeExact();
        } catch (Throwable e) {
            throw failed("getNumberOfDelayedMessages", e);
        }
    }

    @Override
    public long reportedBytes() {
        try {
            return (long) bufferBytes.invokeExact();
        } catch (Throwable e) {
            throw failed("getBufferMemoryUsage", e);
        }
    }

    @Override
    public long positionSetBytes() {
        return 0;
    }

    /** The map of the 4.2 line; the 4.0 line keeps its heap in direct buffers. */
    @Override
    public Object indexRoot() {
        try {
            Field map = tracker.getClass().getDeclaredField("delayedMessageMap");
            map.setAccessible(true);
            return map.get(tracker);
        } catch (NoSuchFieldException e) {
            return null;
        } catch (IllegalAccessException e) {
            throw failed("delayedMessageMap", e);
        }
    }

    /** Closes the tracker once; its buffers cannot be released twice. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            close.invokeExact();
        } catch (Throwable e) {
            throw failed("close", e);
        }
    }

    private static IllegalStateException failed(String method, Throwable cause) {
        return new IllegalStateException(method + " of the stock tracker failed", cause);
    }
}
