/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Waiting for a condition, with a deadline. */
public final class Await {

    private static final long POLL_MILLIS = 50;
    private static final int LOOKS_AT_REST = 14;

    private Await() {
    }

    /** A condition that may ask a broker. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    /** Returns once the condition holds; an assertion error with the description when the time is over. */
    public static void until(long millis, Supplier<String> description, Condition condition) throws Exception {
        if (!within(millis, condition)) {
            throw new AssertionError("not within " + millis + " ms: " + description.get());
        }
    }

    /** Something to be looked at, which may ask a broker. */
    @FunctionalInterface
    public interface Look<T> {
        T look() throws Exception;
    }

    /**
     * What is seen once it is the same in many looks. Looks, not time: a machine that stands still is not at rest. An assertion
     * error with the last look when the time is over.
     */
    public static <T> T atRest(long millis, String what, Look<T> look) throws Exception {
        AtomicReference<T> last = new AtomicReference<>();
        AtomicInteger equalLooks = new AtomicInteger();
        until(millis, () -> what + " to rest: " + last.get(), () -> {
            T now = look.look();
            if (!now.equals(last.getAndSet(now))) {
                equalLooks.set(0);
            }
            return equalLooks.incrementAndGet() > LOOKS_AT_REST;
        });
        return last.get();
    }

    /** Whether the condition came to hold in time; an exception in it counts as not yet, the last one is thrown at the end. */
    public static boolean within(long millis, Condition condition) throws Exception {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (true) {
            Exception failure = null;
            try {
                if (condition.holds()) {
                    return true;
                }
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                failure = e;
            }
            if (System.nanoTime() - endNanos > 0) {
                if (failure != null) {
                    throw failure;
                }
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }
}
