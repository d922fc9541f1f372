/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import com.google.common.collect.Range;
import io.github.delayedtracker.acks.AckedPositions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.impl.ManagedCursorImpl;
import org.apache.pulsar.common.util.collections.LongPairRangeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the bitmaps of the broker's own cursor, under the cursor's read lock. The only code that knows what the cursor keeps
 * them in: where that is not as expected, or is kept as single ranges
 * ({@code managedLedgerUnackedRangesOpenCacheSetEnabled=false}), it answers empty. A copy of 2 M entries, half acknowledged,
 * takes 0.3 ms; of more than {@link #MOST_ENTRIES} none is taken
 * but for a journal.
 */
final class BrokerAckSource implements AckSource {

    /** The entries from mark-delete to the read position that are copied within a millisecond. */
    static final long MOST_ENTRIES = 4_000_000;

    /** The entries that are copied for a journal: 8 MB. */
    static final long MOST_JOURNALED_ENTRIES = 64_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(BrokerAckSource.class);

    /** Before the first copy: copies of one ledger, in which the code is loaded and compiled a piece at a time. */
    private static final int FIRST_COPIES = 100;

    private final LongSupplier nanos;
    private final LongConsumer holds;
    private volatile boolean unlike;
    private volatile boolean warm;

    BrokerAckSource() {
        this(() -> 0, held -> { });
    }

    /**
     * The same, measured.
     *
     * @param nanos a clock
     * @param holds is told how long the cursor's lock was held, each time
     */
    BrokerAckSource(LongSupplier nanos, LongConsumer holds) {
        this.nanos = nanos;
        this.holds = holds;
    }

    @Override
    public Optional<AckedPositions> copy(ManagedCursor cursor) {
        return copy(cursor, MOST_ENTRIES);
    }

    @Override
    public Optional<AckedPositions> copyOfMany(ManagedCursor cursor) {
        return copy(cursor, MOST_JOURNALED_ENTRIES);
    }

    private Optional<AckedPositions> copy(ManagedCursor cursor, long mostEntries) {
        if (unlike || !(cursor instanceof ManagedCursorImpl broker)
                || broker.getNumberOfEntriesSinceFirstNotAckedMessage() > mostEntries) {
            return Optional.empty();
        }
        try {
            for (int i = 0; i < FIRST_COPIES && !warm; i++) {
                broker.processIndividuallyDeletedMessagesAndGetMarkDeletedPosition(new Copy(broker, 0));
            }
            warm = true;
            Copy copy = new Copy(broker, Integer.MAX_VALUE);
            broker.processIndividuallyDeletedMessagesAndGetMarkDeletedPosition(copy);
            return Optional.of(new AckedPositions(copy.bitmaps, copy.keepsFirstLedger));
        } catch (UnsupportedOperationException keptAsRanges) {
            return Optional.empty();
        } catch (LinkageError e) {
            isUnlike(e);
            return Optional.empty();
        }
    }

    /** The cursor's own counter, which no trimmed ledger changes. */
    @Override
    public long consumed(ManagedCursor cursor) {
        if (unlike || !(cursor instanceof ManagedCursorImpl broker)) {
            return AckSource.super.consumed(cursor);
        }
        try {
            return broker.getMessagesConsumedCounter();
        } catch (LinkageError e) {
            isUnlike(e);
            return AckSource.super.consumed(cursor);
        }
    }

    @Override
    public boolean writesToLedger(ManagedCursor cursor) {
        if (unlike || !(cursor instanceof ManagedCursorImpl broker)) {
            return false;
        }
        try {
            return "Open".equals(broker.getState());
        } catch (LinkageError e) {
            isUnlike(e);
            return false;
        }
    }

    private void isUnlike(LinkageError e) {
        unlike = true;
        LOG.warn("Cursors of this broker cannot tell all acknowledgements at once; they are asked about each position", e);
    }

    /** Called back under the cursor's read lock with the first range, if there is one, and wants no other. */
    private final class Copy implements LongPairRangeSet.RangeProcessor<Position> {

        private final ManagedCursorImpl cursor;
        private final int mostEntries;
        private Map<Long, long[]> bitmaps = new HashMap<>();
        private boolean keepsFirstLedger;

        Copy(ManagedCursorImpl cursor, int mostEntries) {
            this.cursor = cursor;
            this.mostEntries = mostEntries;
        }

        @Override
        public boolean process(Range<Position> first) {
            long beginNanos = nanos.getAsLong();
            LongPairRangeSet<Position> acknowledged = cursor.getIndividuallyDeletedMessagesSet();
            bitmaps = acknowledged.toRanges(mostEntries);
            keepsFirstLedger = !acknowledged.toRanges(0).isEmpty();
            holds.accept(nanos.getAsLong() - beginNanos);
            return false;
        }
    }
}
