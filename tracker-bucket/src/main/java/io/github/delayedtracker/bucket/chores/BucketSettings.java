/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

/**
 * When buckets are sealed and loaded.
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
 */
public record BucketSettings(int sealPositions, int ageSealPositions, long sealAgeMillis, long prefetchMillis, int slice,
        long unreadableMillis, long pauseMillis, long clearMillis, long holdMillis) {

    /** The most positions that may be unrecorded in a tail. */
    public static final int MOST_SEAL_POSITIONS = 20_000;

    /** By then a broker that has lost a topic has heard of it, in time-outs of its session with the metadata store. */
    private static final int HOLD_SESSION_TIMEOUTS = 5;
    private static final long USUAL_SESSION_MILLIS = 30_000;
    private static final long LONGEST_HOLD_MILLIS = 86_400_000;

    /** What is used where nothing else is configured. */
    public static final BucketSettings DEFAULT = new BucketSettings(MOST_SEAL_POSITIONS, 1_000, 5_000, 60_000, 250, 60_000,
            60_000, 15_000, HOLD_SESSION_TIMEOUTS * USUAL_SESSION_MILLIS);

    private static final int STOCK_SEAL_POSITIONS = 50_000;
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

    /** The same as far as somebody has configured it; a number of positions below 1 is none. */
    public BucketSettings configured(long wantedSealPositions, long wantedPrefetchMillis) {
        int most = wantedSealPositions < 1 ? sealPositions : (int) Math.min(wantedSealPositions, MOST_SEAL_POSITIONS);
        return new BucketSettings(most, Math.min(ageSealPositions, most), sealAgeMillis,
                Math.min(wantedPrefetchMillis, MOST_PREFETCH_MILLIS), slice, unreadableMillis, pauseMillis,
                clearMillis, holdMillis);
    }

    /** The same for seals where ledgers of the topic end: from so many positions on, by default as many as stock. */
    public BucketSettings sealedAtLedgers(long wantedSealPositions) {
        int least = wantedSealPositions < 1 ? STOCK_SEAL_POSITIONS : (int) Math.min(wantedSealPositions, MOST_STOCK_POSITIONS);
        return new BucketSettings(least, Math.min(ageSealPositions, least), sealAgeMillis, prefetchMillis, slice,
                unreadableMillis, pauseMillis, clearMillis, holdMillis);
    }

    /**
     * The same where sessions with the metadata store time out after so long, the usual 30 s if it is below 1: doomed ledgers
     * stay for five times that, a day at most.
     */
    public BucketSettings withSessions(long timeoutMillis) {
        long sessionMillis = timeoutMillis < 1 ? USUAL_SESSION_MILLIS : Math.min(timeoutMillis, LONGEST_HOLD_MILLIS);
        return holding(Math.min(HOLD_SESSION_TIMEOUTS * sessionMillis, LONGEST_HOLD_MILLIS));
    }

    /** The same with another time for which doomed ledgers stay. */
    public BucketSettings holding(long millis) {
        return new BucketSettings(sealPositions, ageSealPositions, sealAgeMillis, prefetchMillis, slice, unreadableMillis,
                pauseMillis, clearMillis, millis);
    }
}
