/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.delayed.bucket.BucketDelayedDeliveryTracker;

/**
 * Releases the resources of an adapter's stock superclass: two small buffers of direct memory.
 *
 * <p>From 4.2 on the stock {@code close()} calls the virtual {@code closeAsync()}, which the adapter overrides, and
 * {@code super.closeAsync()} cannot be compiled against 4.0, where it does not exist. A handle that invokes the stock
 * method without virtual dispatch reaches the right one on every version.
 */
final class SuperRelease {

    private final MethodHandle release;

    private SuperRelease(MethodHandle release) {
        this.release = release;
    }

    /**
     * Finds the stock method.
     *
     * @param lookup a lookup of the adapter class itself
     * @throws ReflectiveOperationException if the stock class has neither method
     */
    static SuperRelease find(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
        try {
            return new SuperRelease(lookup.findSpecial(BucketDelayedDeliveryTracker.class, "closeAsync",
                    MethodType.methodType(CompletableFuture.class), lookup.lookupClass()));
        } catch (NoSuchMethodException beforeCloseAsync) {
            return new SuperRelease(lookup.findSpecial(BucketDelayedDeliveryTracker.class, "close",
                    MethodType.methodType(void.class), lookup.lookupClass()));
        }
    }

    /** Runs the stock close on the adapter. */
    void release(BucketDelayedDeliveryTracker adapter) {
        try {
            release.invokeWithArguments(adapter);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("stock close failed for " + adapter, e);
        }
    }
}
