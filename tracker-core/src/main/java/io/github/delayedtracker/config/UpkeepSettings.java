/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

/**
 * The settings by which a backend with a storage keeps storage and memory clean.
 *
 * @param sweepIntervalMinutes the time from the end of one sweep for orphans to the next; 0: never
 * @param sweepDryRun whether orphans are only reported
 * @param sweepMinAgeMinutes the age below which a ledger is left alone
 * @param maxMemoryMb the most memory of all subscriptions together for data that could be in storage, MiB; 0: no limit
 */
public record UpkeepSettings(long sweepIntervalMinutes, boolean sweepDryRun, long sweepMinAgeMinutes, long maxMemoryMb) {

    /** The settings of a broker whose configuration names none of them. */
    public static final UpkeepSettings DEFAULT = new UpkeepSettings(60, false, 1_440, 0);
}
