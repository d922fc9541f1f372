/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.acks.AckRestore;
import io.github.delayedtracker.acks.AckRestore.End;
import io.github.delayedtracker.acks.AckRestore.Outcome;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.service.Consumer;

/**
 * The wait of consumers for the restore of a journal: nothing is sent for {@link TrackerJournal#LONGEST_HOLD_MILLIS} at most.
 *
 * <p>Policy. Looks once a second; the time runs while a consumer is connected. When it is over messages are sent without the
 * journal, and the restore goes on as long as no seek can have come; in the end it is given up. The decision is made by whatever
 * thread has the dispatcher read, with its monitor held, since the worker may be slow. Thread safe.
 */
final class RestoreWait {

    private static final int LONGEST_SECONDS = (int) (TrackerJournal.LONGEST_HOLD_MILLIS / TrackerJournal.LOOK_MILLIS);
    private static final int LONGEST_RESTORE_SECONDS = 600;

    private final TrackerJournal journal;
    private final AckRestore restoring;
    /** Whether messages are sent before the end. */
    private volatile boolean isLate;
    /** How long the gate has been shut before consumers. Written by the timer, or with the monitor held. */
    private volatile int shutSeconds;
    /** How long consumers were connected. Belongs to the look. */
    private int seconds;
    /** Whether the next look could not be armed. */
    private volatile boolean isUnarmed;

    RestoreWait(TrackerJournal journal, AckRestore restoring) {
        this.journal = journal;
        this.restoring = restoring;
    }

    AckRestore restoring() {
        return restoring;
    }

    /** Begins to restore what the cursor's record names and what commands have moved, and to look. */
    void begin(SubscriptionCommands commands) {
        try {
            lookSoon();
            journal.work.begin(() -> restore(commands));
        } catch (RuntimeException | Error e) {
            isNotBegun(e);
        }
    }

    private void restore(SubscriptionCommands commands) {
        try {
            journal.witness.chooseNow();
            CompletableFuture<Void> moved = commands.load();
            CompletableFuture<Outcome> acks = restoring.run().exceptionally(failure ->
                    new Outcome(End.REFUSED, failure.toString(), 0));
            CompletableFuture<Void> unused = acks.thenAcceptBoth(moved, (outcome, done) -> journal.isRestored(outcome));
        } catch (RuntimeException | Error e) {
            isNotBegun(e);
            return;
        }
        journal.chooseForm();
    }

    /** Nobody would end it: it goes on without the journal, whose stamp is taken away first. */
    private void isNotBegun(Throwable failure) {
        journal.failures.report("journal", failure, false);
        try {
            boolean unused = restoring.letMessagesGo();
        } finally {
            journal.isRestored(new Outcome(End.REFUSED, failure.toString(), 0));
        }
    }

    /** Has the looks go on where one could not be armed: the gate would stay shut. */
    void sweep() {
        if (isUnarmed && !journal.isWaitOver()) {
            lookSoon();
        }
    }

    private void lookSoon() {
        isUnarmed = false;
        try {
            journal.services.timer().arm(TrackerJournal.LOOK_MILLIS, this::look);
        } catch (RuntimeException | Error e) {
            isUnarmed = true;
            journal.failures.report("journal", e, false);
        }
    }

    private void look() {
        if (journal.isWaitOver()) {
            return;
        }
        boolean counts = journal.dispatcher.isConsumerConnected();
        seconds += counts ? 1 : 0;
        // First, so that nothing which fails now can end it.
        lookSoon();
        shutSeconds = counts && journal.gate().isShut() ? shutSeconds + 1 : shutSeconds;
        if (isOverdue()) {
            journal.dispatcher.readMoreEntriesAsync();
        } else if (seconds >= LONGEST_RESTORE_SECONDS) {
            String why = "it has taken " + seconds + " s";
            journal.work.begin(() -> restoring.giveUp(why));
        }
        goOn();
    }

    private boolean isOverdue() {
        return journal.gate().isShut() && shutSeconds >= LONGEST_SECONDS && journal.dispatcher.isConsumerConnected();
    }

    /** The dispatcher is about to read, with its monitor held. */
    void isAskedToPause() {
        if (isOverdue()) {
            goOnWithout();
        }
    }

    private void goOnWithout() {
        Consumer connected = journal.witness.candidate();
        try {
            if (!restoring.letMessagesGo()) {
                restoring.giveUp("the cursor cannot tell its acknowledgements");
            }
            journal.witness.choose(connected);
            isLate = !restoring.isEnding();
        } catch (RuntimeException | Error e) {
            journal.failures.report("journal", e, false);
            restoring.giveUp("the cursor could not be asked: " + e);
        } finally {
            journal.log.isLate(journal.services.warnings(), shutSeconds);
            journal.opening.open();
        }
    }

    /** An entry is being offered, with the dispatcher's monitor held. Consumers that have come back may have sought. */
    void isOffered() {
        if (isLate && !journal.witness.isThere() && !(restoring.letMessagesGo() && !restoring.isEnding())) {
            isLate = false;
            shutSeconds = 0;
            journal.gate().shut();
            if (journal.isWaitOver()) {
                // It has ended meanwhile, and may have opened the gate before it was shut.
                journal.opening.openInAnyCase();
            }
        }
        goOn();
    }

    private void goOn() {
        if (!restoring.hasSeen()) {
            journal.witness.chooseNow();
        }
        restoring.goOn();
    }
}
