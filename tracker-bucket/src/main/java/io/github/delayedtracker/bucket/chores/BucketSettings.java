/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.timebucket.CutRule;

/**
 * When buckets are sealed and loaded, and how they are cut.
 *
 * @param sealPositions a tail of so many positions is sealed
 * @param ageSealPositions one of so many is sealed once it is old
 * @param sealAgeMillis how old
 * @param prefetchMillis segments are loaded so long before their first position is due
 * @param slice how many positions are moved each time the subscription's lock is taken
 * @param unreadableMillis an overdue segment that was not read for so long is given up with its bucket
 * @param pauseMillis how long work rests that has failed for good, after all its attempts
 * @param clearMillis how long a clear or removal may take
 * @param holdMillis how long a ledger stays from when the record dooms it
 * @param segments where a segment ends
 */
public record BucketSettings(int sealPositions, int ageSealPositions, long sealAgeMillis, long prefetchMillis, int slice,
        long unreadableMillis, long pauseMillis, long clearMillis, long holdMillis, CutRule segments) {

    /** The most positions that may be unrecorded in a tail. */
    public static final int MOST_SEAL_POSITIONS = 20_000;

    /** By then a broker that has lost a topic has heard of it, in time-outs of its session with the metadata store. */
    private static final int HOLD_SESSION_TIMEOUTS = 5;
    private static final long USUAL_SESSION_MILLIS = 30_000;
    private static final long LONGEST_HOLD_MILLIS = 86_400_000;

    private static final int AGE_SEAL_POSITIONS = 1_000;
    private static final long SEAL_AGE_MILLIS = 5_000;
    private static final int SLICE = 250;
    private static final long UNREADABLE_MILLIS = 60_000;
    private static final long PAUSE_MILLIS = 60_000;
    private static final long CLEAR_MILLIS = 15_000;
    private static final int MOST_STOCK_POSITIONS = 1_000_000;

    /** Longer is as good as for ever. */
    private static final long MOST_PREFETCH_MILLIS = 31_536_000_000L;

    /** Refuses what would never seal, load or end. */
    public BucketSettings {
        if (ageSealPositions < 1 || sealPositions < ageSealPositions || sealAgeMillis < 1 || prefetchMillis < 0
                || slice < 1 || unreadableMillis < 1 || pauseMillis < 1 || clearMillis < 1 || holdMillis < 0) {
            throw new IllegalArgumentException("bucket settings are positive and a seal is not smaller than a seal by age, got "
                    + sealPositions + ", " + ageSealPositions + ", " + sealAgeMillis + ", " + prefetchMillis + ", "
                    + slice + ", " + unreadableMillis + ", " + pauseMillis + ", " + clearMillis + ", " + holdMillis);
        }
    }

    /**
     * Settings with what can be configured, and what cannot; for a broker whose sessions with the metadata store time out after
     * 30 s.
     *
     * @param sealPositions of a tail that is sealed, 1 or more; more than {@link #MOST_SEAL_POSITIONS} are as many
     * @param prefetchMillis 1 or more; more than a year is a year
     */
    public static BucketSettings of(long sealPositions, long prefetchMillis, CutRule segments) {
        int most = (int) Math.min(sealPositions, MOST_SEAL_POSITIONS);
        return new BucketSettings(most, Math.min(AGE_SEAL_POSITIONS, most), SEAL_AGE_MILLIS,
                Math.min(prefetchMillis, MOST_PREFETCH_MILLIS), SLICE, UNREADABLE_MILLIS, PAUSE_MILLIS, CLEAR_MILLIS,
                HOLD_SESSION_TIMEOUTS * USUAL_SESSION_MILLIS, segments);
    }

    /** The same for seals where ledgers of the topic end: from this many positions on, 1 or more. */
    public BucketSettings sealedAtLedgers(long leastPositions) {
        int least = (int) Math.min(leastPositions, MOST_STOCK_POSITIONS);
        return new BucketSettings(least, Math.min(ageSealPositions, least), sealAgeMillis, prefetchMillis, slice,
                unreadableMillis, pauseMillis, clearMillis, holdMillis, segments);
    }

    /**
     * The same where sessions with the metadata store time out after so long, the usual 30 s if it is below 1: doomed ledgers
     * stay for five times that, a day at most.
     */
    public BucketSettings withSessions(long timeoutMillis) {
        long sessionMillis = timeoutMillis < 1 ? USUAL_SESSION_MILLIS : Math.min(timeoutMillis, LONGEST_HOLD_MILLIS);
        return new BucketSettings(sealPositions, ageSealPositions, sealAgeMillis, prefetchMillis, slice, unreadableMillis,
                pauseMillis, clearMillis, Math.min(HOLD_SESSION_TIMEOUTS * sessionMillis, LONGEST_HOLD_MILLIS), segments);
    }
}
