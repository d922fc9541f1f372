/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.command.DelayedCommands.LedgerUse;
import io.github.delayedtracker.index.PositionTimes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.Position;

/**
 * Counts what each ledger of a topic has for one subscription: how much of it is scheduled, until when, and how much of that the
 * topic's time to live ends before it is due. A message is taken to be published when its ledger was closed, at the latest, so
 * that those counted expire for certain. One thread.
 */
final class LedgerLook implements PositionTimes.Sink {

    private final ManagedLedger topic;
    private final OptionalLong timeToLiveSeconds;
    private final long nowMillis;
    private final Map<Long, Sums> sums = new HashMap<>();
    /** Those of the ledger before: most rows are of the same. */
    private Sums last;

    LedgerLook(ManagedLedger topic, OptionalLong timeToLiveSeconds, long nowMillis) {
        this.topic = topic;
        this.timeToLiveSeconds = timeToLiveSeconds;
        this.nowMillis = nowMillis;
        for (TopicLedger ledger : TopicLedger.of(topic)) {
            sums.put(ledger.ledgerId(), new Sums(ledger.ledgerId(), expiresMillis(ledger)));
        }
    }

    private static final class Sums {
        private final long ledgerId;
        private final long expiresMillis;
        private long scheduled;
        private long lastDueMillis;
        private long expiring;

        private Sums(long ledgerId, long expiresMillis) {
            this.ledgerId = ledgerId;
            this.expiresMillis = expiresMillis;
        }
    }

    private long expiresMillis(TopicLedger ledger) {
        return timeToLiveSeconds.isEmpty() ? Long.MAX_VALUE
                : ledger.closedMillis().orElse(nowMillis) + TimeUnit.SECONDS.toMillis(timeToLiveSeconds.getAsLong());
    }

    @Override
    public void accept(long ledgerId, long entryId, long dueMillis) {
        if (last == null || last.ledgerId != ledgerId) {
            // A ledger begun since then is expired by nothing yet.
            last = sums.computeIfAbsent(ledgerId, id -> new Sums(id, Long.MAX_VALUE));
        }
        last.scheduled++;
        last.lastDueMillis = Math.max(last.lastDueMillis, dueMillis);
        last.expiring += dueMillis > last.expiresMillis ? 1 : 0;
    }

    /**
     * The ledgers from the first in which something waits for the subscription, ascending: a topic lets none go before that one.
     * Where the cursor does not tell what waits all of them.
     */
    List<LedgerUse> uses(CursorView cursor) {
        // In this order: what is acknowledged, or published, meanwhile makes the numbers larger, not smaller.
        Optional<AckedPositions> acknowledged = cursor.acknowledgedForJournal();
        Position markDelete = cursor.markDelete();
        List<LedgerUse> uses = new ArrayList<>();
        for (TopicLedger ledger : TopicLedger.of(topic)) {
            Sums own = sums.getOrDefault(ledger.ledgerId(), new Sums(ledger.ledgerId(), Long.MAX_VALUE));
            OptionalLong messages = markDelete == null || acknowledged.isEmpty() ? OptionalLong.empty()
                    : OptionalLong.of(notAcknowledged(ledger, markDelete, acknowledged.get()));
            boolean isPassed = markDelete != null && ledger.ledgerId() < markDelete.getLedgerId();
            if (!uses.isEmpty() || own.scheduled > 0 || messages.orElse(isPassed ? 0 : 1) > 0) {
                uses.add(new LedgerUse(ledger.ledgerId(), ledger.bytes(), ledger.closedMillis(), messages, own.scheduled,
                        own.scheduled == 0 ? OptionalLong.empty() : OptionalLong.of(own.lastDueMillis), own.expiring));
            }
        }
        return uses;
    }

    /** How many entries of a ledger are not acknowledged. */
    static long notAcknowledged(TopicLedger ledger, Position markDelete, AckedPositions acknowledged) {
        if (ledger.ledgerId() < markDelete.getLedgerId()) {
            return 0;
        }
        boolean isFirst = ledger.ledgerId() == markDelete.getLedgerId();
        long behind = ledger.entries() - (isFirst ? markDelete.getEntryId() + 1 : 0);
        AckedPositions above = isFirst ? acknowledged.above(markDelete.getLedgerId(), markDelete.getEntryId()) : acknowledged;
        return Math.max(0, behind - above.entries(ledger.ledgerId()));
    }
}
