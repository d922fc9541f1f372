/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.acks.AckRestore.Outcome;
import io.github.delayedtracker.acks.JournalLedgers.JournalException;
import io.github.delayedtracker.acks.JournalStanding;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of one subscription's journal: one line when it begins, ends, is given up, is applied or is not. Thread safe. */
final class JournalLog {

    private static final Logger LOG = LoggerFactory.getLogger(JournalLog.class);

    private final String subscription;
    private final FailureLog failures;
    private volatile JournalStanding told = JournalStanding.NONE;

    JournalLog(String subscription, FailureLog failures) {
        this.subscription = subscription;
        this.failures = failures;
    }

    /** A restore has ended. */
    void restored(Outcome outcome) {
        switch (outcome.end()) {
            case APPLIED -> LOG.info("[{}] The journal of acknowledgements is applied: {} messages that the broker's record left"
                    + " out", subscription, outcome.positions());
            case NOT_NEEDED -> LOG.info("[{}] The broker's record has all acknowledgements, their journal is not applied",
                    subscription);
            case LEFT -> { }
            default -> LOG.info("[{}] The journal of acknowledgements is not applied, messages may come again as with the stock"
                    + " tracker: {} {}", subscription, outcome.end(), outcome.reason());
        }
    }

    /** Consumers have waited long enough. */
    void isLate(StorageWarnings warnings, int waitedSeconds) {
        warnings.write(LOG, subscription, "The journal of acknowledgements is not applied after " + waitedSeconds
                + " s; messages are sent without it, and some of them may have been acknowledged");
    }

    /** A tick has ended. */
    void stands(JournalStanding standing) {
        if (standing != told) {
            told = standing;
            LOG.info("[{}] {}", subscription, words(standing));
        }
    }

    private static String words(JournalStanding standing) {
        return switch (standing) {
            case NONE -> "There is no journal of acknowledgements";
            case ACTIVE -> "A journal keeps the acknowledgements that the broker's record would leave out";
            case GIVEN_UP -> "The journal of acknowledgements could not be written; what is in it counts until another has taken"
                    + " its place";
            case NOT_NEEDED -> "The broker's record holds all acknowledgements again, their journal is deleted";
            case RESET -> "The subscription was reset, the journal of its acknowledgements is deleted";
            case CLEARED -> "The backlog was cleared, the journal of acknowledgements is deleted";
        };
    }

    /** A step has failed: a failure of storage is expected now and then. */
    void stepFailed(StorageWarnings warnings, Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof JournalException) {
            warnings.write(LOG, subscription, "A step of the journal of acknowledgements failed, it is tried again: " + cause);
        } else {
            failures.report("journal", cause, false);
        }
    }
}
