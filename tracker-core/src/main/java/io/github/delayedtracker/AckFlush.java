/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;

/**
 * Has the cursor write its record while acknowledgements are newer than that, so that a kill brings few of them back. The
 * broker writes at most one record a second ({@code managedLedgerDefaultMarkDeleteRateLimit}), each with an acknowledgement,
 * and those that come in between wait for the next one or for its own flush, once a minute ({@code
 * managedLedgerCursorPositionFlushSeconds}).
 *
 * <p>A look is due an interval after a message was sent, and again as long as consumers have messages to acknowledge or
 * anything was acknowledged since; a subscription at rest is not looked at. The record is written by an acknowledgement of
 * nothing, on the worker, under the dispatcher's monitor and with a consumer connected: no seek reaches the cursor then, so
 * none is overtaken by a mark-delete position that was read before it. The journal is written with the same looks; before it is
 * recorded they come each second. Where nothing is acknowledged and no record can be written they end, and the sweep looks again.
 * Thread safe.
 */
final class AckFlush {

    private static final AtomicIntegerFieldUpdater<AckFlush> ARMED =
            AtomicIntegerFieldUpdater.newUpdater(AckFlush.class, "armed");

    /** How soon is looked again while the journal wants it. */
    private static final long SOON_MILLIS = 1_000;
    /** After that many looks without an acknowledgement the next one is the sweep's. */
    private static final int LOOKS_IN_VAIN = 30;

    private final AbstractPersistentDispatcherMultipleConsumers dispatcher;
    private final CursorView cursor;
    private final TrackerServices services;
    private final FailureLog failures;
    private final long intervalMillis;
    private final Optional<TrackerJournal> journal;
    /** Belongs to the look under way. */
    private long waitedMillis;
    private long lookedAt;
    private int looksInVain;
    /** 1 from the arming of a look to its end. */
    private volatile int armed;
    /** What the last record that is known to be written was of, by {@link #recordOf}. */
    private volatile long written = Long.MIN_VALUE;
    private volatile boolean writtenAsBitmaps;

    /** One subscription's, with its journal if it keeps one; an interval of 0 leaves the cursor alone. */
    AckFlush(AbstractPersistentDispatcherMultipleConsumers dispatcher, CursorView cursor, TrackerServices services,
            FailureLog failures, long intervalMillis, Optional<TrackerJournal> journal) {
        this.journal = journal;
        this.dispatcher = dispatcher;
        this.cursor = cursor;
        this.services = services;
        this.failures = failures;
        this.intervalMillis = intervalMillis;
    }

    /** The journal, if one is kept. */
    Optional<TrackerJournal> journal() {
        return journal;
    }

    /** A message is being sent: acknowledgements may follow. A field access, unless nothing was armed. */
    void active() {
        if (armed == 0 && intervalMillis > 0 && ARMED.compareAndSet(this, 0, 1)) {
            arm();
        }
    }

    /** Looks whether anything was acknowledged that no consumer was known to have: by message id, or long after a disconnect. */
    void lookAround() {
        if (armed == 0 && (isOld(cursor.consumed()) || journal.map(TrackerJournal::isUnsettled).orElse(false))) {
            active();
        }
    }

    private void arm() {
        boolean done = false;
        boolean isSoon = journal.map(TrackerJournal::wantsLooks).orElse(false);
        long millis = isSoon ? Math.min(SOON_MILLIS, intervalMillis) : intervalMillis;
        try {
            services.timer().arm(millis, () -> begin(millis));
            done = true;
        } finally {
            if (!done) {
                armed = 0;
            }
        }
    }

    private void begin(long millis) {
        try {
            services.worker().execute(() -> look(millis));
        } catch (RuntimeException | Error e) {
            // The next message, or the sweep, begins again.
            armed = 0;
            failures.report("flush", e, false);
        }
    }

    private void look(long afterMillis) {
        boolean again = false;
        try {
            waitedMillis += afterMillis;
            long consumed = cursor.consumed();
            looksInVain = consumed == lookedAt && !awaitsAcknowledgements() ? looksInVain + 1 : 0;
            lookedAt = consumed;
            boolean goesOn = !dispatcher.isClosed() && (keep(consumed) || awaitsAcknowledgements());
            again = goesOn && looksInVain < LOOKS_IN_VAIN;
        } catch (RuntimeException | Error e) {
            failures.report("flush", e, false);
        }
        if (again) {
            arm();
        } else {
            armed = 0;
            if (!dispatcher.isClosed() && awaitsAcknowledgements()) {
                active();
            }
        }
    }

    /** The journal first, whose stamp the record is to hold. */
    private boolean keep(long consumed) {
        boolean goesOn = journal.map(kept -> kept.tick(consumed)).orElse(false);
        if (waitedMillis < intervalMillis) {
            return goesOn || isOld(consumed);
        }
        waitedMillis = 0;
        return write(consumed) || goesOn;
    }

    /** Whether the record was older than that and is asked for: the next look sees whether it was written. */
    private boolean write(long consumed) {
        if (!isOld(consumed) || !dispatcher.isConsumerConnected() || !cursor.writesToLedger()) {
            return false;
        }
        synchronized (dispatcher) {
            if (dispatcher.isConsumerConnected()) {
                boolean asBitmaps = cursor.writesBitmaps();
                cursor.writeRecord(() -> {
                    writtenAsBitmaps = asBitmaps;
                    written = recordOf(consumed);
                });
            }
        }
        return true;
    }

    private boolean isOld(long consumed) {
        return recordOf(consumed) != written || cursor.writesBitmaps() != writtenAsBitmaps;
    }

    /**
     * The cursor's counter of acknowledgements, and how many records it has written, of which 16 bits tell one from the next. The
     * counter alone does not do: a seek back takes it back, and as many acknowledgements later it is where it was, while the
     * record has fewer of them.
     */
    private long recordOf(long consumed) {
        return consumed << Short.SIZE | cursor.records() & 0xffff;
    }

    private boolean awaitsAcknowledgements() {
        return dispatcher.getTotalUnackedMessages() > 0;
    }
}
