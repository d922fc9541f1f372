/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Waiting for a condition, with a deadline. */
public final class Await {

    private static final long POLL_MILLIS = 50;

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
