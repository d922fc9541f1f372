/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The places that are durable, so that no load may forget one until there was a seek: after calm ticks, or by an answer. */
final class DurablePlaces {

    /** Durable since some calm ticks, as long as the journal counts. */
    private final TreeSet<Integer> calmed = new TreeSet<>();
    /** Those that a journal has answered for. */
    private final TreeSet<Integer> promised = new TreeSet<>();
    private int seeks;
    long answers;

    /** Some ticks have ended without an acknowledgement. Where mark-delete stands is up to the broker's own flush. */
    void calmed(Set<Integer> acked, AckJournal journal, ScenarioCursor cursor) {
        calmed.clear();
        if (journal.isActive() && !journal.isUnsettled()) {
            calmed.addAll(acked);
        }
        calmed.removeIf(index -> index <= cursor.markDelete() || !cursor.isAcked(index));
    }

    /** Asks for a place that is acknowledged. */
    void persist(int index, AckJournal journal, long nowMillis) {
        int before = seeks;
        ModelCursor.Place place = ModelCursor.Place.at(index);
        AckedPositions positions = new AckedPositions(Map.of(place.ledgerId(), new long[] {1L << place.entryId()}), true);
        var unused = journal.persist(positions, nowMillis).thenRun(() -> {
            answers++;
            if (seeks == before) {
                promised.add(index);
            }
        });
    }

    /** A seek, or something else after which nothing is promised. */
    void forgetAll() {
        seeks++;
        calmed.clear();
        promised.clear();
    }

    /** Another owner: what the one before was about to write may be lost. */
    void forgetCalmed() {
        calmed.clear();
    }

    /** The broker is about to end. Without a journal that is recorded the record may leave out old ones for new ones. */
    void isEnding(AckJournal journal) {
        if (journal == null || journal.missing(new AckedPositions(Map.of(), true)).isEmpty()) {
            calmed.clear();
        }
    }

    boolean hasPromised() {
        return !promised.isEmpty();
    }

    boolean areAcked(ScenarioCursor cursor) {
        return calmed.stream().allMatch(cursor::isAcked) && promised.stream().allMatch(cursor::isAcked);
    }

    @Override
    public String toString() {
        return calmed + " promised " + promised;
    }
}
