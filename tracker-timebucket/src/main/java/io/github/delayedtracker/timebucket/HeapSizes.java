/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;
import org.roaringbitmap.ContainerPointer;
import org.roaringbitmap.RoaringBitmap;
import org.roaringbitmap.RunContainer;

/**
 * The bytes of this index's objects on the heap. A bitmap does not tell the capacity of its arrays, so its
 * growth is modelled: exact while a bitmap only grows and after it was packed, up to a quarter off after other writes.
 */
final class HeapSizes {

    /** An empty AVL map, its path arrays included. */
    static final int AVL_MAP = 128;
    /** The view of its entries that an AVL map keeps once it was asked for. */
    static final int AVL_ENTRY_VIEW = 40;
    /** One entry of an AVL map, its value not included. */
    static final int AVL_ENTRY = 40;

    private static final int BITMAP_SHELL = Footprint.object(Footprint.REFERENCE)
            + Footprint.object(2 * Footprint.REFERENCE + Integer.BYTES);
    private static final int CONTAINER_SHELL = Footprint.object(Footprint.REFERENCE + Integer.BYTES);
    private static final int BITMAP_CONTAINER = CONTAINER_SHELL + Footprint.array(1024, Long.BYTES);
    private static final int FIRST_CAPACITY = 4;
    private static final int MAX_ARRAY_CONTAINER = 4096;

    private HeapSizes() {
    }

    static long charArray(int length) {
        return Footprint.array(length, Character.BYTES);
    }

    static long longArray(int length) {
        return Footprint.array(length, Long.BYTES);
    }

    /** The bytes of a bitmap whose arrays have the slack of growing one by one, or none if it is packed. */
    static long bitmap(RoaringBitmap bitmap, boolean packed) {
        long bytes = BITMAP_SHELL;
        int containers = 0;
        for (ContainerPointer at = bitmap.getContainerPointer(); at.getContainer() != null; at.advance()) {
            containers++;
            if (at.isBitmapContainer()) {
                bytes += BITMAP_CONTAINER;
            } else if (at.getContainer() instanceof RunContainer runs) {
                int length = 2 * runs.numberOfRuns();
                bytes += CONTAINER_SHELL + charArray(packed ? length : grownCapacity(length));
            } else {
                int cardinality = at.getCardinality();
                bytes += CONTAINER_SHELL + charArray(packed ? cardinality : arrayCapacity(cardinality));
            }
        }
        int capacity = packed ? containers : containerCapacity(containers);
        return bytes + charArray(capacity) + Footprint.array(capacity, Footprint.REFERENCE);
    }

    /** The bytes of a packed bitmap of one container with a number of runs. */
    static long packedRuns(int runs) {
        return BITMAP_SHELL + charArray(1) + Footprint.array(1, Footprint.REFERENCE) + CONTAINER_SHELL + charArray(2 * runs);
    }

    private static int arrayCapacity(int cardinality) {
        int capacity = grownCapacity(cardinality);
        return capacity > MAX_ARRAY_CONTAINER - MAX_ARRAY_CONTAINER / 16 ? MAX_ARRAY_CONTAINER : capacity;
    }

    private static int grownCapacity(int length) {
        int capacity = FIRST_CAPACITY;
        while (capacity < length) {
            if (capacity < 64) {
                capacity *= 2;
            } else if (capacity < 1067) {
                capacity = capacity * 3 / 2;
            } else {
                capacity = capacity * 5 / 4;
            }
        }
        return capacity;
    }

    private static int containerCapacity(int containers) {
        int capacity = FIRST_CAPACITY;
        while (capacity < containers) {
            capacity = capacity < 1024 ? 2 * (capacity + 1) : 5 * (capacity + 1) / 4;
        }
        return capacity;
    }
}
