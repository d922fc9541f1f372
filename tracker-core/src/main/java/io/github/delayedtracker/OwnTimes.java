/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionTimes;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.apache.pulsar.common.protocol.Commands;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the delivery times that messages have of their own, from the topic: the index has them rounded, and has none of what is
 * overdue. A message that cannot be read within {@value #READ_SECONDS} s of all has no time in the answer.
 */
record OwnTimes(ManagedLedger topic, Executor worker) {

    private static final Logger LOG = LoggerFactory.getLogger(OwnTimes.class);
    private static final int READ_SECONDS = 8;
    private static final long NONE = -1;

    /** The times of some positions: as given, else their own. Never fails. */
    CompletableFuture<PositionTimes> read(PositionSet positions, PositionTimes given) {
        List<Position> all = new ArrayList<>();
        List<Position> toRead = new ArrayList<>();
        positions.forEach((ledgerId, entryId) -> {
            Position position = PositionFactory.create(ledgerId, entryId);
            all.add(position);
            if (given.at(ledgerId, entryId).isEmpty()) {
                toRead.add(position);
            }
        });
        AtomicLongArray own = new AtomicLongArray(toRead.size());
        for (int i = 0; i < own.length(); i++) {
            own.set(i, NONE);
        }
        return EntryReader.readAll(topic, toRead, OwnTimes::deliverAtMillis, READ_SECONDS, worker, (i, time, failure) -> {
            if (failure == null) {
                own.set(i, time.orElse(NONE));
            } else {
                LOG.debug("[{}] Entry {} cannot tell its delivery time", topic.getName(), toRead.get(i), failure);
            }
        }).thenApply(done -> times(all, given, own));
    }

    /** The times of entries that were read. */
    record Read(int entries, PositionTimes times) {
    }

    /**
     * The times of those that wait for their time as messages of users: not of markers, nor of messages in a transaction, which
     * may be aborted. The positions ascend. Never fails.
     */
    CompletableFuture<Read> readWaiting(List<Position> positions) {
        AtomicLongArray own = new AtomicLongArray(positions.size());
        AtomicInteger entries = new AtomicInteger();
        for (int i = 0; i < own.length(); i++) {
            own.set(i, NONE);
        }
        return EntryReader.readAll(topic, positions, OwnTimes::waitsUntilMillis, READ_SECONDS, worker, (i, time, failure) -> {
            if (failure == null) {
                entries.incrementAndGet();
                own.set(i, time.orElse(NONE));
            }
        }).thenApply(done -> new Read(entries.get(), times(positions, PositionTimes.NONE, own)));
    }

    private static OptionalLong waitsUntilMillis(ByteBuf entry) {
        MessageMetadata metadata = Commands.parseMessageMetadata(entry);
        return metadata.hasDeliverAtTime() && !metadata.hasTxnidMostBits() && !metadata.hasMarkerType()
                ? OptionalLong.of(metadata.getDeliverAtTime()) : OptionalLong.empty();
    }

    /** Those that were to be read follow each other in both. */
    private static PositionTimes times(List<Position> all, PositionTimes given, AtomicLongArray own) {
        PositionTimes.Builder times = new PositionTimes.Builder();
        int read = 0;
        for (Position position : all) {
            OptionalLong before = given.at(position.getLedgerId(), position.getEntryId());
            long atMillis = before.isPresent() ? before.getAsLong() : own.get(read++);
            if (atMillis >= 0) {
                times.add(position.getLedgerId(), position.getEntryId(), Math.min(atMillis, PositionTimes.LATEST_MILLIS));
            }
        }
        return times.build();
    }

    private static OptionalLong deliverAtMillis(ByteBuf entry) {
        MessageMetadata metadata = Commands.parseMessageMetadata(entry);
        return metadata.hasDeliverAtTime() ? OptionalLong.of(metadata.getDeliverAtTime()) : OptionalLong.empty();
    }
}
