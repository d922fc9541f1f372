/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.function.BooleanSupplier;

/** Has no memory left, now and then. */
public final class ThrowingAllocator extends AbstractByteBufAllocator {

    private final ByteBufAllocator allocator = UnpooledByteBufAllocator.DEFAULT;
    private final BooleanSupplier fails;

    /** One that asks each time whether there is memory. */
    public ThrowingAllocator(BooleanSupplier fails) {
        super(true);
        this.fails = fails;
    }

    private ByteBufAllocator next() {
        if (fails.getAsBoolean()) {
            Thrown.OUT_OF_DIRECT_MEMORY.fly();
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
}
