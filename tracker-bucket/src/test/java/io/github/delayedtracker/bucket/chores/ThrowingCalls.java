/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.faults.Thrown;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Counts the calls of storage, record and allocator, and has one of them throw instead of doing anything. A handle that is
 * closed is closed and throws then; a buffer that was handed in is released, as the storage promises.
 */
public final class ThrowingCalls {

    private static final Set<String> GETTERS =
            Set.of("ledgerId", "lastEntryId", "lengthBytes", "maxEntryBytes", "toString", "hashCode", "equals");

    private final List<String> calls = new ArrayList<>();
    private int failAt = -1;
    private Thrown thrown;

    /** Has the call of a number throw; numbers from 0. */
    public void failAt(int number, Thrown what) {
        failAt = number;
        thrown = what;
    }

    /** The names of the calls so far. */
    public List<String> names() {
        return List.copyOf(calls);
    }

    /** Whether the call that was to throw was made. */
    public boolean hasThrown() {
        return failAt >= 0 && calls.size() > failAt;
    }

    /** Whether this call is the one. */
    private boolean strikes(String name) {
        calls.add(name);
        return calls.size() - 1 == failAt;
    }

    /** The storage, with all writers and readers it makes. */
    public SnapshotStorage storage(SnapshotStorage storage) {
        return watched(SnapshotStorage.class, storage, this::handle);
    }

    /** A record. */
    public CatalogueStore catalogue(CatalogueStore store) {
        return watched(CatalogueStore.class, store, answer -> answer);
    }

    private Object handle(Object answer) {
        return answer instanceof SnapshotWriter writer ? watched(SnapshotWriter.class, writer, same -> same)
                : answer instanceof SnapshotReader reader ? watched(SnapshotReader.class, reader, same -> same) : answer;
    }

    /** Any interface of calls that answer with futures. */
    public <T> T watched(Class<T> type, T target, Function<Object, Object> answers) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            String name = type.getSimpleName() + "." + method.getName();
            boolean strikes = !GETTERS.contains(method.getName()) && strikes(name);
            if (strikes && method.getReturnType() != void.class && !name.equals("CatalogueStore.close")) {
                release(arguments);
                throw thrown.make();
            }
            Object answer = invoke(target, method, arguments);
            if (strikes) {
                throw thrown.make();
            }
            return answer instanceof CompletableFuture<?> future ? mapped(future, answers) : answer;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static void release(Object[] arguments) {
        if (arguments != null && arguments[0] instanceof ByteBuf buffer) {
            buffer.release();
        }
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Cancelling it cancels the storage's own, as the storage's callers rely on. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private static CompletableFuture<Object> mapped(CompletableFuture<?> future, Function<Object, Object> answers) {
        CompletableFuture<Object> mapped = new CompletableFuture<>();
        future.whenComplete((value, failure) -> {
            if (failure == null) {
                mapped.complete(answers.apply(value));
            } else {
                mapped.completeExceptionally(failure);
            }
        });
        mapped.whenComplete((value, failure) -> {
            if (mapped.isCancelled()) {
                future.cancel(false);
            }
        });
        return mapped;
    }

    /** An allocator. */
    public ByteBufAllocator allocator(ByteBufAllocator allocator) {
        return new AbstractByteBufAllocator(true) {
            private ByteBufAllocator next() {
                if (strikes("allocator")) {
                    thrown.fly();
                }
                return allocator;
            }

            @Override
            protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
                return next().heapBuffer(initialCapacity, maxCapacity);
            }

            @Override
            protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
                return next().directBuffer(initialCapacity, maxCapacity);
            }

            @Override
            public boolean isDirectBufferPooled() {
                return allocator.isDirectBufferPooled();
            }
        };
    }
}
