/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/** The files and locks that {@link CallPath} counts: told by the code it puts into methods, and by doubles of a subscription. */
public final class CallCounts {

    private static final Set<String> ENTERED = new ConcurrentSkipListSet<>();
    private static final AtomicLong LOCKS = new AtomicLong();

    private CallCounts() {
    }

    /** A method of a class begins. */
    public static void entered(String type) {
        int nested = type.indexOf('$');
        ENTERED.add(nested < 0 ? type : type.substring(0, nested));
    }

    /** The lock of a subscription is taken. */
    public static void locked() {
        LOCKS.incrementAndGet();
    }

    static void clear() {
        ENTERED.clear();
        LOCKS.set(0);
    }

    /** The top-level types entered since the last clear. */
    static Set<String> files() {
        return new TreeSet<>(ENTERED);
    }

    static long locks() {
        return LOCKS.get();
    }
}
