/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.acks.JournalCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.bookkeeper.mledger.AsyncCallbacks.DeleteCallback;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;

/**
 * A cursor of the broker as its journal sees it. The stamp is two of the numbers that the broker keeps with a mark-delete
 * position. Seeks are kept out as {@link AckFlush} keeps them out: by the dispatcher's monitor while a consumer is connected.
 * A stamp is taken away by a number that names no ledger, since brokers of 4.0 take a property out of a map that others read.
 */
final class BrokerJournalCursor implements JournalCursor {

    static final String EPOCH = "pulsar.delayed.index.acks.ledger";
    static final String SEQUENCE = "pulsar.delayed.index.acks.entry";
    private static final long NO_LEDGER = -1;

    private final ManagedCursor cursor;
    private final CursorView view;
    private final Object monitor;
    private final BooleanSupplier isConsumerConnected;

    /**
     * One cursor.
     *
     * @param monitor that of the dispatcher
     * @param isConsumerConnected asked with the monitor held
     */
    BrokerJournalCursor(ManagedCursor cursor, CursorView view, Object monitor, BooleanSupplier isConsumerConnected) {
        this.cursor = cursor;
        this.view = view;
        this.monitor = monitor;
        this.isConsumerConnected = isConsumerConnected;
    }

    /**
     * Mark-delete is read last: a position that it passes meanwhile is then missing in the copy, and below it. A change of a
     * policy brings the broker's own limits and form back, so the one is lowered first and the other counts whatever is set now.
     */
    @Override
    public Optional<Moment> moment() {
        view.limitRecord();
        return view.acknowledgedForJournal().map(acked -> {
            Optional<Stamp> stamp = stampOf(cursor);
            ManagedLedgerConfig limits = cursor.getManagedLedger().getConfig();
            Position last = cursor.getMarkDeletedPosition();
            return new Moment(last.getLedgerId(), last.getEntryId(), acked, stamp, limits.getMaxUnackedRangesToPersist(),
                    limits.isPersistIndividualAckAsLongArray() || view.services().limits().bitmaps());
        });
    }

    /** The journal that a cursor names. */
    static Optional<Stamp> stampOf(ManagedCursor cursor) {
        Map<String, Long> properties = cursor.getProperties();
        Long epoch = properties.get(EPOCH);
        Long sequence = properties.get(SEQUENCE);
        return epoch == null || epoch == NO_LEDGER || sequence == null ? Optional.empty()
                : Optional.of(new Stamp(epoch, sequence));
    }

    @Override
    public <T> Optional<T> excluded(Function<Excluded, T> work) {
        synchronized (monitor) {
            if (!isConsumerConnected.getAsBoolean()) {
                return Optional.empty();
            }
            return moment().map(now -> work.apply(new Now(now)));
        }
    }

    private final class Now implements Excluded {

        private final Moment moment;

        Now(Moment moment) {
            this.moment = moment;
        }

        @Override
        public Moment moment() {
            return moment;
        }

        /**
         * The entry before the ledger: a record between the two names a journal that is shorter than stamped. The record that
         * this writes is not to leave out what the one before had: that may have been of the other form.
         */
        @Override
        public void stamp(Optional<Stamp> next, Runnable whenWritten) {
            if (moment.fitsAsRangesOnly() || next.isPresent() && !moment.acked().keepsFirstLedger()) {
                // Bitmaps of these lines do not tell whether they were cut off.
                cursor.getManagedLedger().getConfig().setPersistIndividualAckAsLongArray(false);
            }
            next.ifPresent(stamp -> cursor.putProperty(SEQUENCE, stamp.sequence()));
            cursor.putProperty(EPOCH, next.map(Stamp::epoch).orElse(NO_LEDGER));
            view.writeRecordNow(() -> {
                // Else a record that was asked for before, or with it, has other numbers, and was the last to be written.
                if (stampOf(cursor).map(Stamp::epoch).equals(next.map(Stamp::epoch))) {
                    whenWritten.run();
                }
            });
        }

        @Override
        public CompletableFuture<Void> acknowledge(AckedPositions positions) {
            List<Position> acknowledged = new ArrayList<>();
            positions.forEach((ledgerId, entryId) -> acknowledged.add(PositionFactory.create(ledgerId, entryId)));
            CompletableFuture<Void> done = new CompletableFuture<>();
            cursor.asyncDelete(acknowledged, new DeleteCallback() {
                @Override
                public void deleteComplete(Object context) {
                    done.complete(null);
                }

                @Override
                public void deleteFailed(ManagedLedgerException exception, Object context) {
                    done.completeExceptionally(exception);
                }
            }, null);
            return done;
        }
    }
}
