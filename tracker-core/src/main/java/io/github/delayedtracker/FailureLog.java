/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a failure inside a broker call into a neutral answer and a log line: the first one and then each power of two,
 * with the count, so that a failure on every message does not fill the disk. Thread safe.
 */
final class FailureLog {

    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

    private static final AtomicLongFieldUpdater<FailureLog> FAILURES =
            AtomicLongFieldUpdater.newUpdater(FailureLog.class, "failures");

    private final String subscription;
    private volatile long failures;

    FailureLog(String subscription) {
        this.subscription = subscription;
    }

    /** How many failures there were. */
    long count() {
        return failures;
    }

    /** Logs the failure of the named call and returns the neutral answer. */
    <T> T report(String call, Throwable failure, T answer) {
        long count = FAILURES.incrementAndGet(this);
        if (Long.bitCount(count) == 1) {
            LOG.error("[{}] {} failed and was answered with {} (failure {} of this tracker)", subscription, call, answer,
                    count, failure);
        }
        return answer;
    }
}
