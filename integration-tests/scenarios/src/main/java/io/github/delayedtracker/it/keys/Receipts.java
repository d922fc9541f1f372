/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.keys;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** What became of the messages of one subscription. A message is a number, counted from 0. Thread safe. */
final class Receipts {

    /** Lateness of a message that has not come. */
    static final long NEVER_MILLIS = Long.MAX_VALUE;

    private final Map<Integer, Wanted> wanted = new ConcurrentHashMap<>();
    private final Map<Integer, Receipt> receipts = new ConcurrentHashMap<>();
    private final AtomicInteger repeated = new AtomicInteger();

    /**
     * A message that was sent.
     *
     * @param key its key
     * @param atMillis when it should come, epoch milliseconds: its deliverAt, or when a plain one was sent
     * @param delayed whether it has a deliverAt
     */
    record Wanted(String key, long atMillis, boolean delayed) {
    }

    private record Receipt(String consumer, long atMillis) {
    }

    /** Notes a message that is about to be sent. */
    void sending(int number, Wanted message) {
        wanted.put(number, message);
    }

    /** Notes that a consumer got a message. */
    void received(String consumer, int number) {
        if (receipts.putIfAbsent(number, new Receipt(consumer, System.currentTimeMillis())) != null) {
            repeated.incrementAndGet();
        }
    }

    /** How many messages were sent. */
    int sentCount() {
        return wanted.size();
    }

    /** How many of them came. */
    int receivedCount() {
        return receipts.size();
    }

    /** How many of them a consumer got. */
    long receivedBy(String consumer) {
        return receipts.values().stream().filter(receipt -> receipt.consumer().equals(consumer)).count();
    }

    /** How often a message came that had come before. */
    int repeatedCount() {
        return repeated.get();
    }

    /** What was sent under a number. */
    Wanted wanted(int number) {
        return wanted.get(number);
    }

    /** The keys of the messages that a consumer got. */
    List<String> keysOf(String consumer) {
        return receipts.entrySet().stream().filter(entry -> entry.getValue().consumer().equals(consumer))
                .map(entry -> wanted.get(entry.getKey()).key()).distinct().sorted().toList();
    }

    /** Milliseconds between the time at which a message should have come and the time it came. */
    long latenessMillis(int number) {
        Receipt receipt = receipts.get(number);
        return receipt == null ? NEVER_MILLIS : receipt.atMillis() - wanted.get(number).atMillis();
    }

    /** The numbers of all messages, in the order of sending. */
    IntStream numbers() {
        return IntStream.range(0, wanted.size());
    }
}
