/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

/** What a call may throw that no caller expects. */
public enum Thrown {
    /** No heap left. */
    OUT_OF_MEMORY,
    /** What Netty throws when its limit of direct memory is reached. */
    OUT_OF_DIRECT_MEMORY,
    /** A broken promise. */
    ASSERTION,
    /** A defect. */
    NULL_POINTER;

    /** A fresh one. */
    public Throwable make() {
        return switch (this) {
            case OUT_OF_MEMORY -> new OutOfMemoryError("Java heap space (on purpose)");
            case OUT_OF_DIRECT_MEMORY -> outOfDirectMemory();
            case ASSERTION -> new AssertionError("thrown on purpose");
            case NULL_POINTER -> new NullPointerException("thrown on purpose");
        };
    }

    /** Throws a fresh one. */
    public void fly() {
        Thrown.<Error>sneak(make());
    }

    private static Throwable outOfDirectMemory() {
        try {
            var maker = Class.forName("io.netty.util.internal.OutOfDirectMemoryError").getDeclaredConstructor(String.class);
            maker.setAccessible(true);
            return (Throwable) maker.newInstance("failed to allocate 4194304 byte(s) of direct memory (on purpose)");
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable any) throws E {
        throw (E) any;
    }
}
