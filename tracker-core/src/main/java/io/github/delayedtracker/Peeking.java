/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.command.DelayedCommands.Content;
import io.github.delayedtracker.command.DelayedCommands.Listed;
import io.github.delayedtracker.command.DelayedCommands.Peeked;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.apache.pulsar.common.protocol.Commands;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what scheduled messages are, from the topic: {@value #READS_AT_A_TIME} entries at a time, since an entry may have
 * megabytes, for {@value #READ_SECONDS} s in all, until their properties have {@value #MOST_CHARS} characters. An entry that is
 * not read so has no content in the answer.
 */
record Peeking(ManagedLedger topic, Executor worker) {

    private static final Logger LOG = LoggerFactory.getLogger(Peeking.class);
    private static final int READS_AT_A_TIME = 8;
    private static final int READ_SECONDS = 10;
    private static final int MOST_CHARS = 1_000_000;

    /** Reads them; one answer each, in their order. Never fails. */
    CompletableFuture<List<Peeked>> read(List<Listed> listed) {
        AtomicReferenceArray<Peeked> answers = new AtomicReferenceArray<>(listed.size());
        for (int i = 0; i < listed.size(); i++) {
            answers.set(i, new Peeked(listed.get(i), Optional.empty()));
        }
        return readFrom(0, listed, answers, new AtomicInteger(MOST_CHARS)).completeOnTimeout(null, READ_SECONDS, TimeUnit.SECONDS)
                .thenApply(done -> IntStream.range(0, listed.size()).mapToObj(answers::get).toList());
    }

    private CompletableFuture<Void> readFrom(int first, List<Listed> listed, AtomicReferenceArray<Peeked> answers,
            AtomicInteger charsLeft) {
        int end = Math.min(listed.size(), first + READS_AT_A_TIME);
        if (first == end || charsLeft.get() < 0) {
            return CompletableFuture.completedFuture(null);
        }
        List<CompletableFuture<Void>> some = new ArrayList<>();
        for (int i = first; i < end; i++) {
            some.add(read(i, listed.get(i), answers, charsLeft));
        }
        return CompletableFuture.allOf(some.toArray(CompletableFuture[]::new))
                .thenComposeAsync(done -> readFrom(end, listed, answers, charsLeft), worker);
    }

    private CompletableFuture<Void> read(int i, Listed listed, AtomicReferenceArray<Peeked> answers, AtomicInteger charsLeft) {
        Position position = PositionFactory.create(listed.id().ledgerId(), listed.id().entryId());
        return EntryReader.read(topic, position, Peeking::content).handle((content, failure) -> {
            if (failure != null) {
                LOG.debug("[{}] Entry {} cannot be looked at", topic.getName(), listed.id(), failure);
            } else if (charsLeft.addAndGet(-chars(content)) >= 0) {
                answers.set(i, new Peeked(listed, Optional.of(content)));
            }
            return null;
        });
    }

    private static int chars(Content content) {
        return content.key().map(String::length).orElse(0) + content.properties().entrySet().stream()
                .mapToInt(each -> each.getKey().length() + each.getValue().length()).sum();
    }

    private static Content content(ByteBuf entry) {
        int bytes = entry.readableBytes();
        MessageMetadata metadata = Commands.parseMessageMetadata(entry);
        Map<String, String> properties = new LinkedHashMap<>();
        metadata.getPropertiesList().forEach(each -> properties.put(each.getKey(), each.getValue()));
        return new Content(metadata.getPublishTime(),
                metadata.hasDeliverAtTime() ? OptionalLong.of(metadata.getDeliverAtTime()) : OptionalLong.empty(),
                metadata.hasPartitionKey() ? Optional.of(metadata.getPartitionKey()) : Optional.empty(),
                metadata.hasProducerName() ? metadata.getProducerName() : "", metadata.getNumMessagesInBatch(), bytes,
                properties);
    }
}
