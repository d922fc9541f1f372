/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.keys;

import io.github.delayedtracker.it.Await;
import io.github.delayedtracker.it.Broker;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * One of two Key_Shared consumers is slower than the plain messages of its keys, so that they pile up in the replay queue, up to
 * the look-ahead limit beyond which the broker reads on only as fast as that consumer takes them. The other one has all the
 * delayed messages: until when do these come in time, and until when do its plain messages?
 *
 * @param seconds for how long messages are sent
 * @param plainRate plain messages a second, over all keys
 * @param delayedRate delayed messages a second, of keys of the fast consumer
 * @param delayMillis their delay
 */
public record SlowConsumer(int seconds, int plainRate, int delayedRate, long delayMillis) {

    private static final int KEYS = 300;
    private static final long SLOW_WORK_MILLIS = 50;
    private static final long NOISE_MILLIS = 1_000;
    private static final long LATE_MILLIS = 1_000;
    private static final long PLAIN_LATE_MILLIS = 2_000;

    /**
     * What the fast consumer got. Times are milliseconds since the first message was sent.
     *
     * @param tracker the broker's tracker
     * @param delayed the delayed messages
     * @param firstLateMillis when the first delayed message was due that came more than a second late; the whole time if none
     * @param lateCount how many delayed messages came more than a second late or not at all
     * @param plainFlowMillis when the first plain message of its keys was sent that came more than two seconds late
     */
    public record Figures(String tracker, int delayed, long firstLateMillis, int lateCount, long plainFlowMillis) {

        /** Whether a message was late while they were in time with another tracker at the same time; give or take the noise. */
        public boolean isLaterThan(Figures other) {
            return firstLateMillis < other.firstLateMillis() - NOISE_MILLIS
                    || plainFlowMillis < other.plainFlowMillis() - 2 * NOISE_MILLIS;
        }

        /** The first lines of a table. */
        public static String header() {
            return """
                    | line | tracker | delayed | late by more than 1 s | first due after, s | plain in time for, s |
                    |---|---|--:|--:|--:|--:|
                    """;
        }

        /** One line of it. */
        public String row(String line) {
            return String.format(Locale.ROOT, "| %s | %s | %,d | %,d | %.1f | %.1f |%n", line, tracker, delayed, lateCount,
                    firstLateMillis / 1e3, plainFlowMillis / 1e3);
        }
    }

    /** Plays it on a broker that runs, on a topic of that name. */
    public Figures play(Broker broker, String name) throws Exception {
        Receipts receipts = new Receipts();
        try (TwoConsumers consumers = new TwoConsumers(broker, "persistent://public/default/" + name, receipts,
                TwoConsumers.USUAL_QUEUE)) {
            List<String> fastKeys = consumers.fastKeys(KEYS);
            consumers.slowWork(SLOW_WORK_MILLIS);
            long beganMillis = System.currentTimeMillis();
            send(consumers, fastKeys);
            long endMillis = System.currentTimeMillis() + delayMillis + PLAIN_LATE_MILLIS;
            Await.until(2 * (delayMillis + PLAIN_LATE_MILLIS), () -> "the last to be due",
                    () -> System.currentTimeMillis() > endMillis);
            return figures(broker.settings().tracker(), receipts, Set.copyOf(fastKeys), beganMillis);
        }
    }

    private void send(TwoConsumers consumers, List<String> fastKeys) {
        int rate = plainRate + delayedRate;
        long beganNanos = System.nanoTime();
        for (int i = 0; i < seconds * rate; i++) {
            long dueNanos = beganNanos + i * 1_000_000_000L / rate;
            while (dueNanos - System.nanoTime() > 0) {
                LockSupport.parkNanos(dueNanos - System.nanoTime());
            }
            int number = KEYS + i;
            // Evenly between the plain ones.
            boolean delayed = (long) (i + 1) * delayedRate / rate > (long) i * delayedRate / rate;
            if (delayed) {
                consumers.send(number, fastKeys.get(i % fastKeys.size()), System.currentTimeMillis() + delayMillis);
            } else {
                consumers.send(number, TwoConsumers.key(number % KEYS), 0);
            }
        }
    }

    private Figures figures(String tracker, Receipts receipts, Set<String> fastKeys, long beganMillis) {
        int delayed = 0;
        int late = 0;
        long firstLateMillis = seconds * 1_000L + delayMillis;
        long plainFlowMillis = seconds * 1_000L;
        for (int number = KEYS; number < receipts.sentCount(); number++) {
            Receipts.Wanted wanted = receipts.wanted(number);
            long lateMillis = receipts.latenessMillis(number);
            if (wanted.delayed()) {
                delayed++;
                if (lateMillis > LATE_MILLIS) {
                    late++;
                    firstLateMillis = Math.min(firstLateMillis, wanted.atMillis() - beganMillis);
                }
            } else if (fastKeys.contains(wanted.key()) && lateMillis > PLAIN_LATE_MILLIS) {
                plainFlowMillis = Math.min(plainFlowMillis, wanted.atMillis() - beganMillis);
            }
        }
        return new Figures(tracker, delayed, firstLateMillis, late, plainFlowMillis);
    }
}
