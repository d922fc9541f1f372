/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

/**
 * Sizes of Java objects on a 64-bit JVM with compressed references and class pointers, its default below 32 GB of heap:
 * 12 bytes of object header, 16 of array header, 4 a reference, rounded up to 8.
 */
public final class Footprint {

    /** Bytes of a reference. */
    public static final int REFERENCE = 4;

    private static final int OBJECT_HEADER = 12;
    private static final int ARRAY_HEADER = 16;

    private Footprint() {
    }

    /** Bytes of an array. */
    public static int array(int length, int elementBytes) {
        return (int) align(ARRAY_HEADER + (long) length * elementBytes);
    }

    /** Bytes of an object with the given bytes of fields. */
    public static int object(int fieldBytes) {
        return (int) align(OBJECT_HEADER + (long) fieldBytes);
    }

    private static long align(long bytes) {
        return bytes + 7 & ~7L;
    }
}
