/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.timebucket.CutRule;

/**
 * The settings of the chores: when buckets are sealed and loaded, and how they are cut.
 *
 * @param sealPositions the number of positions at which a tail is sealed
 * @param ageSealPositions the number of positions at which a tail is sealed once it is old
 * @param sealAgeMillis the age at which such a tail is old
 * @param prefetchMillis how long before its first position is due a segment is loaded
 * @param slice the number of positions moved each time the subscription's lock is taken
 * @param unreadableMillis the time after which an overdue segment that was not read is given up with its bucket
 * @param pauseMillis the rest of work that has failed for good, after all its attempts
 * @param clearMillis the time that a clear or removal may take
 * @param holdMillis the time for which a ledger stays after the record has doomed it
 * @param segments the rule of where a segment ends
 */
public record BucketSettings(int sealPositions, int ageSealPositions, long sealAgeMillis, long prefetchMillis, int slice,
        long unreadableMillis, long pauseMillis, long clearMillis, long holdMillis, CutRule segments) {

    /** The most positions that may be unrecorded in a tail. */
    public static final int MOST_SEAL_POSITIONS = 20_000;

    /** The time in which a broker hears that it has lost a topic, in time-outs of its session with the metadata store. */
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

    /** The longest prefetch, a year; longer is as good as for ever. */
    private static final long MOST_PREFETCH_MILLIS = 31_536_000_000L;

    /** Refuses settings that would never seal, load or end. */
    public BucketSettings {
        if (ageSealPositions < 1 || sealPositions < ageSealPositions || sealAgeMillis < 1 || prefetchMillis < 0
                || slice < 1 || unreadableMillis < 1 || pauseMillis < 1 || clearMillis < 1 || holdMillis < 0) {
            throw new IllegalArgumentException("bucket settings are positive and a seal is not smaller than a seal by age, got "
                    + sealPositions + ", " + ageSealPositions + ", " + sealAgeMillis + ", " + prefetchMillis + ", "
                    + slice + ", " + unreadableMillis + ", " + pauseMillis + ", " + clearMillis + ", " + holdMillis);
        }
    }

    /**
     * The settings with the configured values, and fixed ones for the rest. They are for a broker whose sessions with the
     * metadata store time out after 30 s.
     *
     * @param sealPositions the positions at which a tail is sealed, 1 or more; above {@link #MOST_SEAL_POSITIONS} it is that
     * @param prefetchMillis 1 or more; more than a year counts as a year
     */
    public static BucketSettings of(long sealPositions, long prefetchMillis, CutRule segments) {
        int most = (int) Math.min(sealPositions, MOST_SEAL_POSITIONS);
        return new BucketSettings(most, Math.min(AGE_SEAL_POSITIONS, most), SEAL_AGE_MILLIS,
                Math.min(prefetchMillis, MOST_PREFETCH_MILLIS), SLICE, UNREADABLE_MILLIS, PAUSE_MILLIS, CLEAR_MILLIS,
                HOLD_SESSION_TIMEOUTS * USUAL_SESSION_MILLIS, segments);
    }

    /** These settings for seals where ledgers of the topic end, from this number of positions on, 1 or more. */
    public BucketSettings sealedAtLedgers(long leastPositions) {
        int least = (int) Math.min(leastPositions, MOST_STOCK_POSITIONS);
        return new BucketSettings(least, Math.min(ageSealPositions, least), sealAgeMillis, prefetchMillis, slice,
                unreadableMillis, pauseMillis, clearMillis, holdMillis, segments);
    }

    /**
     * These settings for sessions with the metadata store that time out after that many milliseconds, the usual 30 s if below 1.
     * Doomed ledgers stay for five times the time-out, a day at most.
     */
    public BucketSettings withSessions(long timeoutMillis) {
        long sessionMillis = timeoutMillis < 1 ? USUAL_SESSION_MILLIS : Math.min(timeoutMillis, LONGEST_HOLD_MILLIS);
        return new BucketSettings(sealPositions, ageSealPositions, sealAgeMillis, prefetchMillis, slice, unreadableMillis,
                pauseMillis, clearMillis, Math.min(HOLD_SESSION_TIMEOUTS * sessionMillis, LONGEST_HOLD_MILLIS), segments);
    }
}
