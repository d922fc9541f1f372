/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.e2e;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** What became of the messages of one cell. A message is a number; all arrays are indexed by it. Thread safe. */
final class Tally {

    private static final int PAIRS_TOLD = 10;

    private final long[] sendingMillis;
    private final long[] wantedMillis;
    private final long[] deliverAtMillis;
    private final long[] receivedMillis;
    private final long[] doneMillis;
    private final Map<String, Integer> lastOfKeyAndTime = new ConcurrentHashMap<>();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger received = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger duplicated = new AtomicInteger();
    private final AtomicInteger outOfOrder = new AtomicInteger();
    private final Queue<String> pairsOutOfOrder = new ConcurrentLinkedQueue<>();

    Tally(int messages) {
        sendingMillis = new long[messages];
        wantedMillis = new long[messages];
        deliverAtMillis = new long[messages];
        receivedMillis = new long[messages];
        doneMillis = new long[messages];
    }

    /** The broker has a message; deliverAt is 0 for one without a delay. */
    void sent() {
        sent.incrementAndGet();
    }

    /** A message is about to be sent. */
    void sending(int message, long nowMillis, long deliverAt) {
        sendingMillis[message] = nowMillis;
        deliverAtMillis[message] = deliverAt;
        wantedMillis[message] = Math.max(nowMillis, deliverAt);
    }

    /** A message came; messages of a topic are numbered in the order of sending. */
    void received(int topic, String key, int message, long nowMillis) {
        if (receivedMillis[message] != 0) {
            duplicated.incrementAndGet();
            return;
        }
        receivedMillis[message] = nowMillis;
        received.incrementAndGet();
        String group = topic + "/" + key + "/" + deliverAtMillis[message];
        lastOfKeyAndTime.merge(group, message, (last, now) -> {
            if (now < last && outOfOrder.incrementAndGet() <= PAIRS_TOLD) {
                pairsOutOfOrder.add(group + ": " + times(last) + " came before " + times(now));
            }
            return Math.max(last, now);
        });
    }

    private String times(int message) {
        return "message " + message + " sent at " + sendingMillis[message] + ", received at " + receivedMillis[message];
    }

    /** The work on a message began at its end's time less what it takes. */
    void done(int message, long begunMillis) {
        if (doneMillis[message] == 0) {
            doneMillis[message] = begunMillis;
            done.incrementAndGet();
        }
    }

    int sentCount() {
        return sent.get();
    }

    int doneCount() {
        return done.get();
    }

    int lost() {
        return sent.get() - received.get();
    }

    int duplicated() {
        return duplicated.get();
    }

    int outOfOrder() {
        return outOfOrder.get();
    }

    /** The first few of those out of order, each as topic/key/deliverAt and the times of the two messages. */
    List<String> pairsOutOfOrder() {
        return List.copyOf(pairsOutOfOrder);
    }

    /** How many delayed ones came earlier than a tick before their time. */
    long early(long windowMillis) {
        long early = 0;
        for (int i = 0; i < receivedMillis.length; i++) {
            early += receivedMillis[i] != 0 && receivedMillis[i] < deliverAtMillis[i] - windowMillis ? 1 : 0;
        }
        return early;
    }

    /** Quantiles of the time from when a message should have come until it came. */
    long[] lateness(double... quantiles) {
        return quantiles(receivedMillis, quantiles);
    }

    /** The same until its work began: with waiting for messages of the same key, or thread. */
    long[] endToEnd(double... quantiles) {
        return quantiles(doneMillis, quantiles);
    }

    private long[] quantiles(long[] atMillis, double... quantiles) {
        long[] sorted = new long[atMillis.length];
        int count = 0;
        for (int i = 0; i < atMillis.length; i++) {
            if (atMillis[i] != 0) {
                sorted[count++] = atMillis[i] - wantedMillis[i];
            }
        }
        Arrays.sort(sorted, 0, count);
        long[] answer = new long[quantiles.length];
        for (int i = 0; i < quantiles.length && count > 0; i++) {
            answer[i] = sorted[(int) Math.min(count - 1, (long) (quantiles[i] * count))];
        }
        return answer;
    }
}
