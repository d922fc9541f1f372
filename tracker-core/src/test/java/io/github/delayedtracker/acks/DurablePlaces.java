/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import io.github.delayedtracker.index.PositionSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The places that are durable, so that no load may forget one until there was a seek: after calm ticks, or by an answer. */
final class DurablePlaces {

    /** Durable since some calm ticks, as long as the journal counts. */
    private final TreeSet<Integer> calmed = new TreeSet<>();
    /** Those that a journal has answered for. */
    private final TreeSet<Integer> promised = new TreeSet<>();
    /** How many were asked for since the last seek: whether they are durable is not known. */
    private int asked;
    private int seeks;
    long answers;

    /** The tracker has the cursor write its record as often as it ticks. */
    void recordIsWritten(ScenarioCursor cursor) {
        var unused = cursor.journalCursor().excluded(excluded -> {
            excluded.stamp(excluded.moment().stamp(), () -> { });
            return true;
        });
    }

    /** Some ticks have ended without an acknowledgement. What mark-delete has passed by now is up to the broker's own flush. */
    void calmed(Set<Integer> acked, AckJournal journal, ScenarioCursor cursor) {
        if (journal.isActive() && !journal.isUnsettled()) {
            acked.stream().filter(index -> index > cursor.markDelete()).forEach(calmed::add);
        }
        calmed.removeIf(index -> !cursor.isAcked(index));
    }

    /** Asks for a place that is acknowledged. An answer in the middle of a seek promises nothing: the seek takes it back. */
    void persist(int index, AckJournal journal, ScenarioCursor cursor, long nowMillis) {
        int before = seeks;
        asked++;
        ModelCursor.Place place = ModelCursor.Place.at(index);
        PositionSet positions = new PositionSet();
        positions.add(place.ledgerId(), place.entryId());
        var unused = journal.persist(positions, nowMillis).thenRun(() -> {
            answers++;
            if (seeks == before && !cursor.isResetting()) {
                promised.add(index);
            }
        });
    }

    /** A seek, or something else after which nothing is promised. */
    void forgetAll() {
        seeks++;
        asked = 0;
        calmed.clear();
        promised.clear();
    }

    /** The topic is loaded: a journal that was stamped under another limit is not applied. */
    void loaded(ScenarioCursor cursor) {
        if (cursor.hasAnotherLimit()) {
            forgetAll();
        }
    }

    /** Another owner: what the one before was about to write may be lost. */
    void forgetCalmed() {
        calmed.clear();
    }

    /** A place was acknowledged. Before a restore has ended that may make one range of two, and a record look as after a seek. */
    void isAcknowledged(AckJournal journal, ScenarioCursor cursor) {
        if (journal == null) {
            calmed.clear();
        }
        mayBeCutOff(journal, cursor);
    }

    /**
     * A record may be written now. Without a journal that is recorded it may leave out old ones for new ones, and promises among
     * them where the journal of before does not count any more.
     */
    void mayBeCutOff(AckJournal journal, ScenarioCursor cursor) {
        boolean isRecorded = journal != null && journal.missing(new AckedPositions(Map.of(), true)).isPresent();
        boolean hasRoom = cursor.journalCursor().moment().map(now -> now.size() <= now.most()).orElse(false);
        if (!isRecorded && !hasRoom) {
            calmed.clear();
            boolean isForKeptOnly = cursor.journalCursor().moment().flatMap(JournalCursor.Moment::stamp)
                    .map(JournalCursor.Stamp::isForKeptOnly).orElse(false);
            if (isForKeptOnly) {
                promised.clear();
            }
        }
    }

    /** Whether any may have been promised: the answer to a former owner may come after the next one has loaded the topic. */
    boolean mayHavePromised() {
        return asked > 0;
    }

    boolean areAcked(ScenarioCursor cursor) {
        return calmed.stream().allMatch(cursor::isAcked) && promised.stream().allMatch(cursor::isAcked);
    }

    @Override
    public String toString() {
        return calmed + " promised " + promised;
    }
}
