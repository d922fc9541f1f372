/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.backend.StoredParts;
import io.github.delayedtracker.backend.StoredParts.StoredPart;
import io.github.delayedtracker.backend.SubscriptionStore;
import io.github.delayedtracker.command.DelayedCommands;
import io.github.delayedtracker.command.DelayedCommands.Snapshot;
import io.github.delayedtracker.command.DelayedCommands.Verification;
import io.github.delayedtracker.command.MessageName;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionTimes;
import io.github.delayedtracker.subscription.ScheduleWalk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.pulsar.broker.service.Consumer;

/**
 * Compares the schedule of one subscription with the cursor, with a sample of the topic, and with the record of what is stored.
 * It reads only.
 *
 * <p>Policy. Each scheduled message is held against a copy of the cursor's acknowledgements. Of the entries between mark-delete
 * and the read position up to {@value #SAMPLED} that are not acknowledged are read, found by looking at {@value #LOOKED_AT} at
 * even distances from a random one on. A message that is due in {@value #MARGIN_MILLIS} ms or later has to be in the schedule
 * then, unless it was acknowledged or cancelled meanwhile, or waits at the gate, for a consumer, or with one.
 */
final class Verifying {

    private static final int SAMPLED = 500;
    private static final int LOOKED_AT = 20_000;
    private static final long MARGIN_MILLIS = 60_000;

    private final SubscriptionTracker tracker;
    private final ManagedLedger topic;

    /** Of one subscription. */
    Verifying(SubscriptionTracker tracker) {
        this.tracker = tracker;
        this.topic = tracker.dispatcher().getCursor().getManagedLedger();
    }

    /** What is stored of a subscription. */
    static StoredParts stored(SubscriptionTracker tracker) {
        Optional<SubscriptionStore> store = tracker.storedInUse();
        return store.isEmpty() ? StoredParts.NONE : tracker.state().read(store.get()::storedParts);
    }

    /** A part as it is shown. */
    static Snapshot snapshot(StoredPart part) {
        boolean hasSegments = part.segments() > 0;
        return new Snapshot(part.ledgerId() < 0 ? OptionalLong.empty() : OptionalLong.of(part.ledgerId()), part.state(),
                part.positions(), part.bytes(), part.segments(), part.asleep(),
                hasSegments ? OptionalLong.of(part.firstDueMillis()) : OptionalLong.empty(),
                hasSegments ? OptionalLong.of(part.lastDueMillis()) : OptionalLong.empty());
    }

    /** How many messages of the schedule were looked at, how many of these are acknowledged, and where to go on. */
    private record Held(long scheduled, long acknowledged, Optional<String> next) {
    }

    /** How many entries of the topic were read, how many of them have to be scheduled, and which of these are not. */
    private record Sample(int sampled, int delayed, List<MessageName> missing) {
    }

    /** Compares; it fails with a {@link io.github.delayedtracker.command.RefusedException}. */
    CompletableFuture<Verification> verify(WholePass pass, PositionTimes moved) {
        if (!tracker.acks.gate().isOpen()) {
            return CommandQueue.refused(Reason.UNREAD, "messages wait for the journals of the topic to be read; try again");
        }
        long[] counts = new long[2];
        PositionTimes.Test acknowledged = tracker.cursor().acknowledgedByNow();
        return pass.over(moved, (ledgerId, entryId) -> false, (ledgerId, entryId, dueMillis) -> {
            counts[0]++;
            counts[1] += acknowledged.test(ledgerId, entryId) ? 1 : 0;
        }, next -> new Held(counts[0], counts[1], next)).thenCompose(held -> sample(pass.after().isEmpty() ? chosen() : List.of(),
                moved).thenApply(sample -> verification(held, sample)));
    }

    private Verification verification(Held held, Sample sample) {
        StoredParts stored = stored(tracker);
        List<Long> live = stored.parts().stream().filter(StoredPart::isLive).map(StoredPart::ledgerId).toList();
        // What waits for a consumer, or with one, may be due later: it was read while delayed delivery was off, or by its key.
        long elsewhere = tracker.dispatcher().getNumberOfMessagesInReplay()
                + tracker.dispatcher().getConsumers().stream().mapToLong(Consumer::getUnackedMessages).filter(n -> n > 0).sum();
        return new Verification(tracker.commands.subscription(), held.scheduled(), held.acknowledged(), sample.sampled(),
                sample.delayed(), sample.missing(), elsewhere,
                stored.recorded().stream().filter(id -> !live.contains(id)).toList(),
                live.stream().filter(id -> !stored.recorded().contains(id)).toList(), held.next());
    }

    private CompletableFuture<Sample> sample(List<Position> positions, PositionTimes moved) {
        boolean isDelayed = Boolean.TRUE.equals(
                tracker.dispatcher().getTopic().getHierarchyTopicPolicies().getDelayedDeliveryEnabled().get());
        CursorView cursor = tracker.cursor();
        return new OwnTimes(topic, cursor.services().worker()).readWaiting(isDelayed ? positions : List.of())
                .thenApplyAsync(read -> {
                    long fromMillis = cursor.services().nowMillis() + MARGIN_MILLIS;
                    PositionSet expected = new PositionSet();
                    read.times().forEach((ledgerId, entryId, ownMillis) -> {
                        if (moved.at(ledgerId, entryId).orElse(ownMillis) >= fromMillis) {
                            expected.add(ledgerId, entryId);
                        }
                    });
                    return new Sample(read.entries(), Math.toIntExact(expected.size()), missing(expected));
                }, cursor.services().worker());
    }

    private List<MessageName> missing(PositionSet expected) {
        PositionSet known = ScheduleWalk.known(tracker.state(), expected);
        List<MessageName> missing = new ArrayList<>();
        expected.forEach((ledgerId, entryId) -> {
            boolean isWanted = !known.contains(ledgerId, entryId) && !tracker.commands.isWithdrawn(ledgerId, entryId)
                    && !tracker.cursor().isGone(PositionFactory.create(ledgerId, entryId));
            if (isWanted && missing.size() < DelayedCommands.MOST_MISSING) {
                missing.add(new MessageName(ledgerId, entryId, MessageName.NONE, MessageName.NONE));
            }
        });
        // One that waits at the gate is in no index: the gate may have been shut since the beginning.
        return tracker.acks.gate().isOpen() ? missing : List.of();
    }

    /** Entries behind mark-delete that the subscription has read and not acknowledged, ascending. */
    private List<Position> chosen() {
        Position markDelete = tracker.cursor().markDelete();
        Position read = tracker.cursor().readPosition();
        List<Position> waiting = new ArrayList<>();
        if (markDelete == null || read == null) {
            return waiting;
        }
        List<TopicLedger> ledgers = TopicLedger.of(topic).stream().filter(ledger ->
                ledger.ledgerId() >= markDelete.getLedgerId() && ledger.ledgerId() <= read.getLedgerId()).toList();
        long entries = ledgers.stream().mapToLong(TopicLedger::entries).sum();
        long apart = Math.max(1, entries / LOOKED_AT);
        long skipped = ThreadLocalRandom.current().nextLong(apart);
        for (TopicLedger ledger : ledgers) {
            long entryId = skipped;
            for (; entryId < ledger.entries(); entryId += apart) {
                Position position = PositionFactory.create(ledger.ledgerId(), entryId);
                if (position.compareTo(markDelete) > 0 && position.compareTo(read) < 0
                        && !tracker.cursor().isAcknowledged(position)) {
                    waiting.add(position);
                }
            }
            skipped = entryId - ledger.entries();
        }
        return thinnedOut(waiting);
    }

    private static List<Position> thinnedOut(List<Position> positions) {
        if (positions.size() <= SAMPLED) {
            return positions;
        }
        List<Position> some = new ArrayList<>(SAMPLED);
        for (int i = 0; i < SAMPLED; i++) {
            some.add(positions.get((int) ((long) i * positions.size() / SAMPLED)));
        }
        return some;
    }
}
