/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** What reached the consumers of one subscription, and when: every hand-out counts, also of a message handed out before. */
final class Arrivals {

    private final Map<String, List<Long>> arrivedMillis = new ConcurrentHashMap<>();
    private final Map<String, Long> ackedMillis = new ConcurrentHashMap<>();

    void arrived(String id, long nowMillis) {
        arrivedMillis.computeIfAbsent(id, key -> new CopyOnWriteArrayList<>()).add(nowMillis);
    }

    void acked(String id, long nowMillis) {
        ackedMillis.putIfAbsent(id, nowMillis);
    }

    /** How often a message arrived. */
    int count(String id) {
        return arrivedMillis.getOrDefault(id, List.of()).size();
    }

    /** Whether a message arrived after a time. */
    boolean cameAfter(String id, long millis) {
        return arrivedMillis.getOrDefault(id, List.of()).stream().anyMatch(arrived -> arrived > millis);
    }

    int distinct() {
        return arrivedMillis.size();
    }

    int total() {
        return arrivedMillis.values().stream().mapToInt(List::size).sum();
    }

    int ackedCount() {
        return ackedMillis.size();
    }

    /** When it was acknowledged first. */
    Optional<Long> firstAckedAtMillis(String id) {
        return Optional.ofNullable(ackedMillis.get(id));
    }

    boolean allArrived(Collection<Sent> sent) {
        return sent.stream().allMatch(message -> arrivedMillis.containsKey(message.id()));
    }

    boolean allAcked(Collection<Sent> sent) {
        return sent.stream().allMatch(message -> ackedMillis.containsKey(message.id()));
    }

    /** Milliseconds between due time and first arrival; negative when early. */
    long latenessMillis(Sent message) {
        return arrivedMillis.get(message.id()).get(0) - message.deliverAtMillis();
    }

    /** Every message of the list exactly once, nothing else. */
    void mustBeExactlyOnce(Collection<Sent> sent) {
        mustBeTimes(sent, 1);
        Set<String> known = sent.stream().map(Sent::id).collect(Collectors.toSet());
        List<String> strangers = arrivedMillis.keySet().stream().filter(id -> !known.contains(id)).toList();
        if (!strangers.isEmpty()) {
            throw new AssertionError(strangers.size() + " messages arrived that must not: " + head(strangers));
        }
    }

    /** How many arrivals of messages of the list were not their first. */
    long repeats(Collection<Sent> sent) {
        return sent.stream().mapToLong(message -> Math.max(0, count(message.id()) - 1)).sum();
    }

    /** Every message of the list that many times. */
    void mustBeTimes(Collection<Sent> sent, int times) {
        List<String> wrong = new ArrayList<>();
        for (Sent message : sent) {
            int count = count(message.id());
            if (count != times) {
                wrong.add(message.id() + " at " + message.messageId() + " came " + count + " times" + history(message));
            }
        }
        if (!wrong.isEmpty()) {
            throw new AssertionError(wrong.size() + " of " + sent.size() + " messages did not come " + times + " times: "
                    + head(wrong));
        }
    }

    /** When it came and was acknowledged, in milliseconds after its due time. */
    private String history(Sent message) {
        List<Long> arrivals = arrivedMillis.getOrDefault(message.id(), List.of());
        return arrivals.isEmpty() ? "" : " (" + arrivals.stream().map(at -> at - message.deliverAtMillis()).toList()
                + " ms, acknowledged " + firstAckedAtMillis(message.id()).map(at -> at - message.deliverAtMillis()).orElse(null)
                + " ms after its time)";
    }

    /** No message of the list may have arrived. */
    void mustBeNone(Collection<Sent> sent) {
        mustBeTimes(sent, 0);
    }

    /** No arrival, also no later one, before deliverAt less the allowed window; none later than the given bound. */
    void mustBeInTime(Collection<Sent> sent, long earlyWindowMillis, long latestMillis) {
        List<String> wrong = new ArrayList<>();
        for (Sent message : sent) {
            for (long arrived : arrivedMillis.getOrDefault(message.id(), List.of())) {
                long lateness = arrived - message.deliverAtMillis();
                if (lateness < -earlyWindowMillis || lateness > latestMillis) {
                    wrong.add(message.id() + " at " + message.messageId() + " came " + lateness + " ms after its time");
                }
            }
        }
        if (!wrong.isEmpty()) {
            throw new AssertionError(wrong.size() + " of " + sent.size() + " messages outside [-" + earlyWindowMillis + ", "
                    + latestMillis + "] ms: " + head(wrong));
        }
    }

    @Override
    public String toString() {
        return total() + " arrivals of " + distinct() + " messages, " + ackedCount() + " acknowledged";
    }

    private static String head(List<String> all) {
        return String.join("; ", all.subList(0, Math.min(5, all.size())));
    }
}
