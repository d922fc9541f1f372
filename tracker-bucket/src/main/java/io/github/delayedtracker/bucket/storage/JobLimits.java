/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

/**
 * How long and how often a step tries, and how much it does at a time.
 *
 * @param timeoutMillis how long one call of the storage may take
 * @param firstBackOffMillis the longest wait after the first failure; doubles with each further one
 * @param longestBackOffMillis the longest wait
 * @param mostAttempts after so many failures a step fails
 * @param appendsUnderWay how many entries of a ledger may be on their way at a time
 * @param deletesUnderWay how many ledgers are deleted at a time
 * @param callsUnderWay how many calls of all steps are on their way at a time, those apart that hang: others wait for their turn
 */
public record JobLimits(long timeoutMillis, long firstBackOffMillis, long longestBackOffMillis, int mostAttempts,
        int appendsUnderWay, int deletesUnderWay, int callsUnderWay) {

    /** What is used where nothing else is configured. With 128 calls of 5 ms at a time 25,000 are made a second. */
    public static final JobLimits DEFAULT = new JobLimits(30_000, 100, 60_000, 10, 16, 4, 128);

    /** More doublings than any wait needs. */
    private static final int MOST_DOUBLINGS = 40;

    /** Refuses what would never try, wait for ever, or write nothing. */
    public JobLimits {
        require(timeoutMillis >= 1, "timeoutMillis", timeoutMillis);
        require(firstBackOffMillis >= 1, "firstBackOffMillis", firstBackOffMillis);
        require(longestBackOffMillis >= firstBackOffMillis, "longestBackOffMillis", longestBackOffMillis);
        require(mostAttempts >= 1, "mostAttempts", mostAttempts);
        require(appendsUnderWay >= 1, "appendsUnderWay", appendsUnderWay);
        require(deletesUnderWay >= 1, "deletesUnderWay", deletesUnderWay);
        require(callsUnderWay >= 1, "callsUnderWay", callsUnderWay);
    }

    /** The same with waits that are no longer than some time. */
    public JobLimits withBackOffUpTo(long millis) {
        return new JobLimits(timeoutMillis, Math.min(firstBackOffMillis, millis), Math.min(longestBackOffMillis, millis),
                mostAttempts, appendsUnderWay, deletesUnderWay, callsUnderWay);
    }

    private static void require(boolean holds, String name, long value) {
        if (!holds) {
            throw new IllegalArgumentException(name + " must be 1 or more, a longest not below a first: " + value);
        }
    }

    /** The longest wait after so many failures, 1 or more. */
    public long backOffMillis(int failures) {
        int doublings = Math.min(failures - 1, MOST_DOUBLINGS);
        return firstBackOffMillis > longestBackOffMillis >> doublings ? longestBackOffMillis : firstBackOffMillis << doublings;
    }
}
