/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

/**
 * How the sweeper looks for orphans.
 *
 * @param intervalMillis from the end of one sweep to the next; 0: never
 * @param minAgeMillis a younger ledger is left alone
 * @param dryRun whether orphans are only reported
 * @param ledgersASecond how many ledgers are looked at, also the most that are listed at a time
 * @param deletesASecond how many are deleted
 * @param ledgersBetweenSaves after so many the place is saved; as many are looked at again after a crash
 * @param skippedAtATime how many are listed at a time that an earlier sweep has looked at
 */
public record SweepSettings(long intervalMillis, long minAgeMillis, boolean dryRun, int ledgersASecond, int deletesASecond,
        int ledgersBetweenSaves, int skippedAtATime) {

    private static final int LEDGERS_A_SECOND = 100;
    private static final int DELETES_A_SECOND = 10;
    /** Those of a minute. */
    private static final int LEDGERS_BETWEEN_SAVES = 6_000;
    /** So few that a page does not take too long even if each of them is one read of the metadata store. */
    private static final int SKIPPED_AT_A_TIME = 2_000;
    private static final int SKIPS_A_SECOND = 10;
    private static final long MINUTE_MILLIS = 60_000;

    /** Refuses what would never end. */
    public SweepSettings {
        if (intervalMillis < 0 || minAgeMillis < 0 || ledgersASecond < 1 || deletesASecond < 1 || ledgersBetweenSaves < 1
                || skippedAtATime < 1) {
            throw new IllegalArgumentException("a sweep has rates and numbers of 1 or more, and times that are not negative, got "
                    + intervalMillis + ", " + minAgeMillis + ", " + ledgersASecond + ", " + deletesASecond + ", "
                    + ledgersBetweenSaves + ", " + skippedAtATime);
        }
    }

    /** With the usual rates. */
    public static SweepSettings of(long intervalMinutes, long minAgeMinutes, boolean dryRun) {
        return new SweepSettings(intervalMinutes * MINUTE_MILLIS, Math.min(minAgeMinutes, Long.MAX_VALUE / MINUTE_MILLIS)
                * MINUTE_MILLIS, dryRun, LEDGERS_A_SECOND, DELETES_A_SECOND, LEDGERS_BETWEEN_SAVES, SKIPPED_AT_A_TIME);
    }

    /** How often a second so many are skipped. */
    int skipsASecond() {
        return SKIPS_A_SECOND;
    }
}
