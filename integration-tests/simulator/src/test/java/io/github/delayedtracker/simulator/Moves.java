/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.command.Answer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.bookkeeper.mledger.Position;

/**
 * The user's commands to give entries another due time, and the books of them: between which times an entry may be due. The two
 * are the same but for an entry of which a command is under way, or of unknown outcome, or whose times a load could not read.
 */
final class Moves {

    private final World world;
    private final Map<Integer, Due> moved = new HashMap<>();
    private final Map<DueRange, Long> timesUnderWay = new LinkedHashMap<>();
    /** Acknowledged while a command for a time was under way, which may have forgotten what it gave them. */
    private final BitSet ackedMeanwhile = new BitSet();
    private long answers;
    private boolean isWithoutStorage;
    /** Whether a topic was closed while its first times were being stored. */
    private boolean isClosedUnderWay;

    Moves(World world) {
        this.world = world;
    }

    /** The due times of an entry, epoch milliseconds, and when the last was given. */
    private static final class Due {
        long earliestMillis;
        long latestMillis;
        long sinceMillis;
        int underWay;
        boolean isUnknown;
        Due(long ownMillis) {
            earliestMillis = ownMillis;
            latestMillis = ownMillis;
        }

        void widen(long dueMillis) {
            earliestMillis = Math.min(earliestMillis, dueMillis);
            latestMillis = Math.max(latestMillis, dueMillis);
        }
    }

    private long own(int entry) {
        return world.topic().deliverAtMillis(entry);
    }

    /** Gives entries that are delayed, and not for ever, a due time. */
    void ask(int first, int count, long dueMillis) {
        TrackerProbe tracker = world.dispatcher().tracker();
        if (tracker == null || tracker.isClosed() || world.dispatcher().isClosed()) {
            return;
        }
        List<Integer> entries = delayed(first, Math.min(first + count, world.topic().size()));
        if (entries.isEmpty()) {
            return;
        }
        List<Position> positions = entries.stream().map(world.topic()::position).toList();
        Map<Integer, Due> before = begin(entries, dueMillis);
        Answers.take(world, tracker.life.shop().move(tracker.tracker, positions, dueMillis), (answered, failure) -> {
            isClosedUnderWay |= tracker.isClosed();
            for (int i = 0; i < entries.size() && !tracker.isClosed(); i++) {
                answered(entries.get(i), before.get(entries.get(i)), dueMillis,
                        failure == null ? answered.get(i) : Answers.of(failure));
            }
        });
    }

    private List<Integer> delayed(int from, int to) {
        List<Integer> entries = new ArrayList<>();
        for (int entry = from; entry < to; entry++) {
            if (own(entry) > 0 && own(entry) != Long.MAX_VALUE) {
                entries.add(entry);
            }
        }
        return entries;
    }

    /** A command for them is under way; their times before. */
    private Map<Integer, Due> begin(List<Integer> entries, long dueMillis) {
        Map<Integer, Due> before = new HashMap<>();
        for (int entry : entries) {
            Due due = moved.computeIfAbsent(entry, known -> new Due(own(known)));
            Due was = new Due(due.earliestMillis);
            was.latestMillis = due.latestMillis;
            before.put(entry, was);
            due.isUnknown |= due.underWay > 0;
            due.underWay++;
            due.widen(dueMillis);
        }
        return before;
    }

    /** Gives all that is due in a time another: whatever is delayed when the command is done, which may be later. */
    void askDue(long fromMillis, long untilMillis, long dueMillis) {
        TrackerProbe tracker = world.dispatcher().tracker();
        if (tracker == null || tracker.isClosed() || world.dispatcher().isClosed()) {
            return;
        }
        DueRange range = new DueRange(world, tracker, fromMillis, untilMillis);
        if (timesUnderWay.isEmpty()) {
            ackedMeanwhile.clear();
        }
        timesUnderWay.put(range, dueMillis);
        var moving = tracker.life.shop().moveDue(tracker.tracker, fromMillis, untilMillis, dueMillis);
        Answers.take(world, moving, (found, failure) -> {
            world.tell("a command to move what is due in a time: %s", failure == null ? found.keySet() : failure);
            isClosedUnderWay |= tracker.isClosed();
            if (timesUnderWay.remove(range) == null) {
                return;
            }
            Map<Integer, Answer> answers = failure == null && !tracker.isClosed() ? range.entries(found) : Map.of();
            answers.forEach((entry, answer) -> answeredOfTime(entry, dueMillis, answer));
            if (tracker.isClosed() || failure != null && Answers.of(failure) != Answer.REFUSED) {
                mayBeMoved(dueMillis);
            }
        });
    }

    private void answeredOfTime(int entry, long dueMillis, Answer answer) {
        Due due = moved.computeIfAbsent(entry, known -> new Due(own(known)));
        Due before = new Due(due.earliestMillis);
        before.latestMillis = due.latestMillis;
        due.isUnknown |= due.underWay > 0 || ackedMeanwhile.get(entry);
        due.underWay++;
        due.widen(dueMillis);
        due.widen(own(entry));
        answered(entry, before, dueMillis, answer);
    }

    /** Nobody hears what became of a command for a time. */
    private void mayBeMoved(long dueMillis) {
        delayed(0, world.topic().size()).forEach(entry -> {
            Due due = moved.computeIfAbsent(entry, known -> new Due(own(known)));
            due.widen(dueMillis);
            due.isUnknown = true;
        });
    }

    private void answered(int entry, Due before, long dueMillis, Answer answer) {
        world.tell("entry %d, to be due in %d ms: %s", entry, dueMillis - world.scheduler().wallMillis(), answer.text());
        Due due = moved.get(entry);
        due.underWay--;
        due.sinceMillis = world.scheduler().nowMillis();
        due.isUnknown |= answer == Answer.OUTCOME_UNKNOWN || !timesUnderWay.isEmpty();
        if (due.isUnknown || due.underWay > 0) {
            return;
        }
        boolean isMoved = answer == Answer.MOVED;
        answers += isMoved ? 1 : 0;
        due.earliestMillis = isMoved ? dueMillis : before.earliestMillis;
        due.latestMillis = isMoved ? dueMillis : before.latestMillis;
        if (isMoved && world.cursor().isDeleted(entry)) {
            acknowledged(entry);
        }
    }

    /** An entry is acknowledged: it has its own time again sooner or later, should a seek bring it back. */
    void acknowledged(int entry) {
        ackedMeanwhile.set(entry);
        moved.computeIfPresent(entry, (known, due) -> {
            due.widen(own(entry));
            due.isUnknown = true;
            return due;
        });
    }

    /** The topic is loaded, and its tracker may not know what was moved. */
    void mayNotBeKnown() {
        ackedMeanwhile.set(0, world.topic().size());
        moved.forEach((entry, due) -> {
            due.widen(own(entry));
            due.isUnknown = true;
        });
    }

    /** The subscription is made anew. */
    void forget() {
        moved.clear();
    }

    /** Another owner: nobody hears what the one before would have answered. */
    void loaded() {
        moved.values().forEach(due -> {
            due.isUnknown |= due.underWay > 0;
            due.underWay = 0;
        });
        List<Long> unheard = List.copyOf(timesUnderWay.values());
        timesUnderWay.clear();
        unheard.forEach(this::mayBeMoved);
    }

    /** When the entry may be due at the earliest. */
    long earliestMillis(int entry) {
        Due due = moved.get(entry);
        long earliestMillis = due == null ? own(entry) : due.earliestMillis;
        return mayBeMovedNow(entry) ? Math.min(earliestMillis, Collections.min(timesUnderWay.values())) : earliestMillis;
    }

    /** When it is due at the latest. */
    long latestMillis(int entry) {
        Due due = moved.get(entry);
        long latestMillis = due == null ? own(entry) : due.latestMillis;
        return mayBeMovedNow(entry) ? Math.max(latestMillis, Collections.max(timesUnderWay.values())) : latestMillis;
    }

    private boolean mayBeMovedNow(int entry) {
        return !timesUnderWay.isEmpty() && !world.topic().isPlain(entry) && own(entry) != Long.MAX_VALUE;
    }

    /** How far away its time was when it was indexed, at most. A command may have been done after the clock was set back. */
    long remainingMillis(int entry, long addedMillis) {
        return mayBeTwice(entry) && world.scheduler().wasWallClockSet() ? Long.MAX_VALUE : latestMillis(entry) - addedMillis;
    }

    /** Since when it could have been handed out, by the clock of the scheduler. */
    long dueSinceMillis(int entry) {
        Due due = moved.get(entry);
        boolean isUnderWay = due != null && due.underWay > 0 || mayBeMovedNow(entry);
        long givenMillis = isUnderWay ? world.scheduler().nowMillis() : due == null ? 0 : due.sinceMillis;
        return Math.max(givenMillis, world.scheduler().whenWallShows(latestMillis(entry)));
    }

    /** The longest tick by which its times may be rounded, since a tracker hears of another with an offer; 0 for its own time. */
    long tickMillis(int entry) {
        return moved.containsKey(entry) || mayBeMovedNow(entry) ? world.longestTickMillis() : 0;
    }

    /** Whether it may be in the index at its own time, or one given before, as well. */
    boolean mayBeTwice(int entry) {
        return moved.containsKey(entry) || mayBeMovedNow(entry);
    }

    /** A topic could not be closed: its tracker has let go of its ledgers, and is in use again. */
    void closeFails() {
        isWithoutStorage = true;
    }

    /** Whether a ledger may be left to the sweeper. */
    boolean mayBeLeft() {
        return isWithoutStorage && !moved.isEmpty() || isClosedUnderWay;
    }

    /** How many were answered to be moved. */
    long movedAnswers() {
        return answers;
    }
}
