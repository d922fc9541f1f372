/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Passes on a number of allocations and refuses all that follow. */
final class RefusingAllocator extends AbstractByteBufAllocator {

    private final ByteBufAllocator allocator;
    private int left;

    RefusingAllocator(ByteBufAllocator allocator, int granted) {
        super(true);
        this.allocator = allocator;
        this.left = granted;
    }

    private ByteBufAllocator next() {
        if (left-- <= 0) {
            throw new IllegalStateException("no memory left");
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
