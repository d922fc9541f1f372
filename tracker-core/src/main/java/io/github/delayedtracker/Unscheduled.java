/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.MessageName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.pulsar.common.protocol.Commands;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells why messages are not in the schedule of a subscription.
 *
 * <p>Policy. The cursor is asked first. A message that it has not acknowledged, and has read, is read from the topic to tell
 * whether it has a delivery time: {@value #MOST_READS} of one command at most, for {@value #READ_SECONDS} s in all. Thread safe.
 */
record Unscheduled(CursorView cursor, ManagedLedger topic) {

    private static final Logger LOG = LoggerFactory.getLogger(Unscheduled.class);
    private static final int MOST_READS = 1_000;
    private static final int READ_SECONDS = 10;

    /** Answers those that have no answer yet; the array is the result. */
    CompletableFuture<List<Answer>> explain(List<MessageName> ids, Answer[] answers) {
        List<Integer> toRead = new ArrayList<>();
        List<Position> positions = new ArrayList<>();
        for (int i = 0; i < answers.length; i++) {
            if (answers[i] == null) {
                Position position = PositionFactory.create(ids.get(i).ledgerId(), ids.get(i).entryId());
                answers[i] = known(position).orElse(Answer.NOT_SCHEDULED);
                if (answers[i] == Answer.NOT_SCHEDULED && toRead.size() < MOST_READS) {
                    toRead.add(i);
                    positions.add(position);
                }
            }
        }
        return EntryReader.readAll(topic, positions, entry -> Commands.parseMessageMetadata(entry).hasDeliverAtTime(),
                READ_SECONDS, cursor.services().worker(),
                (number, isDelayed, failure) -> answers[toRead.get(number)] = answer(positions.get(number), isDelayed, failure))
                .thenApply(done -> Arrays.asList(answers.clone()));
    }

    private Optional<Answer> known(Position position) {
        Position last = topic.getLastConfirmedEntry();
        if (last != null && position.compareTo(last) > 0) {
            return Optional.of(Answer.UNKNOWN);
        }
        if (cursor.isAcknowledged(position)) {
            return Optional.of(Answer.ALREADY_ACKNOWLEDGED);
        }
        NavigableMap<Long, ?> ledgers = topic.getLedgersInfo();
        if (!ledgers.isEmpty() && !ledgers.containsKey(position.getLedgerId())) {
            return Optional.of(Answer.UNKNOWN);
        }
        Position read = cursor.readPosition();
        return read != null && position.compareTo(read) >= 0 ? Optional.of(Answer.NOT_READ_YET) : Optional.empty();
    }

    private Answer answer(Position position, Boolean isDelayed, Throwable failure) {
        if (failure == null) {
            return isDelayed ? Answer.ALREADY_HANDED_OUT : Answer.NOT_DELAYED;
        }
        LOG.debug("[{}] Entry {} cannot tell whether it is delayed", topic.getName(), position, failure);
        return failure instanceof ManagedLedgerException.NonRecoverableLedgerException ? Answer.UNKNOWN : Answer.NOT_SCHEDULED;
    }
}
