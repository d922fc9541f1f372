/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * What the clients of a topic have seen while it went from tracker to tracker, and the verdict on it. A message that its
 * producer has sent twice, because the answer was lost with the broker, is two messages with one number. Thread safe.
 */
final class MigrationJudge {

    private static final int MOST_EXAMPLES = 5;
    private static final long DOUBLED_MILLIS = 100;

    private final long earlyWindowMillis;
    private final long youngMillis;
    private final Map<Integer, Long> dueMillis = new ConcurrentHashMap<>();
    private final Set<Integer> stored = ConcurrentHashMap.newKeySet();
    private final Map<Stored, Long> ackedMillis = new ConcurrentHashMap<>();
    private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
    private final List<End> ends = new ArrayList<>();

    /** Where a message is stored. */
    record Stored(long ledgerId, long entryId) {
    }

    private record Arrival(int number, Stored stored, long millis) {
    }

    private record End(long beginMillis, long endMillis) {
    }

    /**
     * The verdict. Numbers of messages, or of arrivals where it says so.
     *
     * @param lost answered as stored, and never acknowledged
     * @param early arrivals more than the allowed window before their time
     * @param sentTwice stored twice by the producer
     * @param again arrivals after an end of a tracker of what had come before it and was not acknowledged
     * @param young arrivals of what was acknowledged shortly before the last end of a tracker, or after it
     * @param old arrivals of what was acknowledged longer before, or with no end of a tracker since
     * @param twice arrivals of what came before, was not acknowledged, and no tracker has ended in between
     * @param doubled arrivals within a tenth of a second of the one before, and no tracker has ended in between: a dispatcher
     *     that reads for two reasons at a time sends twice what both have read, with any tracker
     */
    record Verdict(int lost, int early, int sentTwice, int again, int young, int old, int twice, int doubled,
            List<String> examples) {

        @Override
        public String toString() {
            return "lost " + lost + ", early " + early + ", sent twice by the producer " + sentTwice + "; came again: "
                    + again + " not acknowledged, " + young + " acknowledged just before, " + old + " acknowledged before, "
                    + twice + " under one tracker, " + doubled + " doubled" + (examples.isEmpty() ? "" : "; " + examples);
        }
    }

    /**
     * A judge of what is yet to come.
     *
     * @param earlyWindowMillis how long before its time a message may come
     * @param youngMillis how old an acknowledgement may be that the end of a broker undoes
     */
    MigrationJudge(long earlyWindowMillis, long youngMillis) {
        this.earlyWindowMillis = earlyWindowMillis;
        this.youngMillis = youngMillis;
    }

    /** A message is about to be sent. */
    void sending(int number, long deliverAtMillis) {
        dueMillis.put(number, deliverAtMillis);
    }

    /** The broker has said that it has it. */
    void stored(int number) {
        stored.add(number);
    }

    void arrived(int number, Stored where, long millis) {
        arrivals.add(new Arrival(number, where, millis));
    }

    /** The broker has said that it is acknowledged; the first time counts. */
    void acked(Stored where, long millis) {
        ackedMillis.putIfAbsent(where, millis);
    }

    /** The end of a tracker begins: what comes after that may come from it, or from the next one. */
    synchronized void trackerEnds(long millis) {
        ends.add(new End(millis, millis));
    }

    /** It is over: what comes after that comes from the next one. */
    synchronized void trackerEnded(long millis) {
        ends.add(new End(ends.remove(ends.size() - 1).beginMillis(), millis));
    }

    int sentCount() {
        return dueMillis.size();
    }

    int storedCount() {
        return stored.size();
    }

    int ackedCount() {
        return ackedMillis.size();
    }

    /** Whether every message that is stored was acknowledged, in one of its copies at least. */
    boolean allAcked() {
        return lost().isEmpty();
    }

    private Set<Integer> lost() {
        Set<Integer> left = new HashSet<>(stored);
        for (Arrival arrival : arrivals) {
            if (ackedMillis.containsKey(arrival.stored())) {
                left.remove(arrival.number());
            }
        }
        return left;
    }

    /** When the first message of those below a number came after a time. */
    OptionalLong firstAfter(long millis, int belowNumber) {
        return arrivals.stream().filter(arrival -> arrival.millis() > millis && arrival.number() < belowNumber)
                .mapToLong(Arrival::millis).min();
    }

    synchronized Verdict verdict() {
        List<String> examples = new ArrayList<>();
        Set<Integer> lost = lost();
        lost.stream().limit(MOST_EXAMPLES).forEach(number -> examples.add("lost: " + number + " due " + dueMillis.get(number)));
        Map<Integer, Set<Stored>> copies = new HashMap<>();
        Map<Stored, List<Arrival>> byPlace = arrivals.stream().collect(Collectors.groupingBy(Arrival::stored));
        Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
        byPlace.values().forEach(each -> {
            each.sort((one, other) -> Long.compare(one.millis(), other.millis()));
            copies.computeIfAbsent(each.get(0).number(), number -> new HashSet<>()).add(each.get(0).stored());
            for (int i = 0; i < each.size(); i++) {
                count(each.subList(0, i + 1), counts, examples);
            }
        });
        int sentTwice = (int) copies.values().stream().filter(places -> places.size() > 1).count();
        return new Verdict(lost.size(), counts.getOrDefault(Kind.EARLY, 0), sentTwice, counts.getOrDefault(Kind.AGAIN, 0),
                counts.getOrDefault(Kind.YOUNG, 0), counts.getOrDefault(Kind.OLD, 0), counts.getOrDefault(Kind.TWICE, 0),
                counts.getOrDefault(Kind.DOUBLED, 0), examples);
    }

    private enum Kind { EARLY, AGAIN, YOUNG, OLD, TWICE, DOUBLED }

    /** Counts the last of the arrivals of a message so far. */
    private void count(List<Arrival> soFar, Map<Kind, Integer> counts, List<String> examples) {
        Arrival arrival = soFar.get(soFar.size() - 1);
        if (arrival.millis() < dueMillis.get(arrival.number()) - earlyWindowMillis) {
            counted(Kind.EARLY, soFar, counts, examples);
        }
        if (soFar.size() > 1) {
            counted(kindOfReturn(arrival, soFar.get(soFar.size() - 2)), soFar, counts, examples);
        }
    }

    private Kind kindOfReturn(Arrival arrival, Arrival before) {
        End last = ends.stream().filter(end -> end.beginMillis() <= arrival.millis()).reduce((one, later) -> later)
                .orElse(new End(0, 0));
        if (before.millis() > last.endMillis() && arrival.millis() - before.millis() <= DOUBLED_MILLIS) {
            return Kind.DOUBLED;
        }
        Long acked = ackedMillis.get(arrival.stored());
        if (acked == null || acked > arrival.millis()) {
            return before.millis() <= last.endMillis() ? Kind.AGAIN : Kind.TWICE;
        }
        return last.endMillis() == 0 || acked < last.beginMillis() - youngMillis ? Kind.OLD : Kind.YOUNG;
    }

    private void counted(Kind kind, List<Arrival> soFar, Map<Kind, Integer> counts, List<String> examples) {
        boolean wrong = kind != Kind.AGAIN && kind != Kind.YOUNG;
        if (counts.merge(kind, 1, Integer::sum) <= MOST_EXAMPLES && wrong) {
            Arrival arrival = soFar.get(soFar.size() - 1);
            long due = dueMillis.get(arrival.number());
            Long acked = ackedMillis.get(arrival.stored());
            examples.add(kind + ": " + arrival.number() + " at " + arrival.stored() + " came "
                    + soFar.stream().map(each -> each.millis() - due).toList() + " ms after its time, acknowledged "
                    + (acked == null ? "never" : acked - due + " ms after it") + ", trackers ended "
                    + ends.stream().map(end -> end.endMillis() - due).toList() + " ms after it");
        }
    }
}
