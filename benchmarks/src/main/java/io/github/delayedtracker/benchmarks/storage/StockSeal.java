/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.delayed.bucket.BucketSnapshotStorage;
import org.apache.pulsar.broker.delayed.proto.SnapshotMetadata;
import org.apache.pulsar.broker.delayed.proto.SnapshotSegment;
import org.apache.pulsar.common.allocator.PulsarByteBufAllocator;
import org.apache.pulsar.common.util.FutureUtil;
import org.apache.pulsar.common.util.collections.TripleLongPriorityQueue;

/** The stock bucket tracker's seal by its own classes: fills its mutable bucket and makes a snapshot of it. */
final class StockSeal {

    private static final String BUCKET = "org.apache.pulsar.broker.delayed.bucket.MutableBucket";
    private static final long SEGMENT_MILLIS = 300_000;
    private static final int SEGMENT_POSITIONS = 5_000;

    private final Object bucket;
    private final Method add;
    private final Method write;
    private LateStorage storage;

    StockSeal() throws ReflectiveOperationException {
        Class<?> type = Class.forName(BUCKET);
        Constructor<?> constructor = type.getDeclaredConstructor(String.class, ManagedCursor.class, FutureUtil.Sequencer.class,
                BucketSnapshotStorage.class);
        constructor.setAccessible(true);
        bucket = constructor.newInstance("topic / cursor", cursor(), FutureUtil.Sequencer.create(), snapshots());
        add = type.getDeclaredMethod("addMessage", long.class, long.class, long.class);
        add.setAccessible(true);
        write = type.getDeclaredMethod("sealBucketAndAsyncPersistent", long.class, int.class, TripleLongPriorityQueue.class);
        write.setAccessible(true);
    }

    void add(long ledgerId, long entryId, long dueMillis) throws ReflectiveOperationException {
        add.invoke(bucket, ledgerId, entryId, dueMillis);
    }

    void write(LateStorage into) throws ReflectiveOperationException {
        storage = into;
        try (TripleLongPriorityQueue shared = new TripleLongPriorityQueue()) {
            write.invoke(bucket, SEGMENT_MILLIS, SEGMENT_POSITIONS, shared);
        }
        into.answer();
    }

    private static ManagedCursor cursor() {
        return (ManagedCursor) Proxy.newProxyInstance(StockSeal.class.getClassLoader(), new Class<?>[] {ManagedCursor.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getName" -> "cursor";
                    case "putCursorProperty" -> CompletableFuture.completedFuture(null);
                    default -> null;
                });
    }

    /** The storage that makes of metadata and segments the bytes that stock's storage makes of them. */
    private BucketSnapshotStorage snapshots() {
        return (BucketSnapshotStorage) Proxy.newProxyInstance(StockSeal.class.getClassLoader(),
                new Class<?>[] {BucketSnapshotStorage.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("createBucketSnapshot")) {
                        return null;
                    }
                    storage.take(Unpooled.wrappedBuffer(((SnapshotMetadata) arguments[0]).toByteArray()));
                    for (Object segment : (List<?>) arguments[1]) {
                        storage.take(bytes((SnapshotSegment) segment));
                    }
                    return CompletableFuture.completedFuture(1L);
                });
    }

    private static ByteBuf bytes(SnapshotSegment segment) {
        ByteBuf buffer = PulsarByteBufAllocator.DEFAULT.directBuffer(segment.getSerializedSize());
        segment.writeTo(buffer);
        return buffer;
    }
}
