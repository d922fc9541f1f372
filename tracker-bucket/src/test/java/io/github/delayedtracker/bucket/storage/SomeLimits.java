/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import io.github.delayedtracker.bucket.storage.Retries.JobLimits;

/** Makes limits of steps for tests; what they do not name is as usual. */
public final class SomeLimits {

    private long timeoutMillis;
    private long firstBackOffMillis;
    private long longestBackOffMillis;
    private int mostAttempts;
    private int appendsUnderWay;
    private int deletesUnderWay;
    private int callsUnderWay;

    /** Begins with the usual ones. */
    public SomeLimits() {
        this(JobLimits.DEFAULT);
    }

    /** Begins with others. */
    public SomeLimits(JobLimits others) {
        timeoutMillis = others.timeoutMillis();
        firstBackOffMillis = others.firstBackOffMillis();
        longestBackOffMillis = others.longestBackOffMillis();
        mostAttempts = others.mostAttempts();
        appendsUnderWay = others.appendsUnderWay();
        deletesUnderWay = others.deletesUnderWay();
        callsUnderWay = others.callsUnderWay();
    }

    /** See {@link JobLimits}. */
    public SomeLimits timeoutMillis(long millis) {
        timeoutMillis = millis;
        return this;
    }

    /** See {@link JobLimits}. */
    public SomeLimits backOffMillis(long first, long longest) {
        firstBackOffMillis = first;
        longestBackOffMillis = longest;
        return this;
    }

    /** See {@link JobLimits}. */
    public SomeLimits mostAttempts(int attempts) {
        mostAttempts = attempts;
        return this;
    }

    /** See {@link JobLimits}. */
    public SomeLimits appendsUnderWay(int entries) {
        appendsUnderWay = entries;
        return this;
    }

    /** See {@link JobLimits}. */
    public SomeLimits deletesUnderWay(int ledgers) {
        deletesUnderWay = ledgers;
        return this;
    }

    /** See {@link JobLimits}. */
    public SomeLimits callsUnderWay(int calls) {
        callsUnderWay = calls;
        return this;
    }

    /** The limits. */
    public JobLimits make() {
        return new JobLimits(timeoutMillis, firstBackOffMillis, longestBackOffMillis, mostAttempts, appendsUnderWay,
                deletesUnderWay, callsUnderWay);
    }
}
