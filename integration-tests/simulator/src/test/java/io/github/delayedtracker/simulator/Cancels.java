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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.bookkeeper.mledger.Position;

/**
 * The user's commands to cancel entries, and the books of them: which are under way, which are answered, which may have been put
 * back into the index.
 */
final class Cancels {

    private final World world;
    private final Map<Integer, Integer> underWay = new HashMap<>();
    private final Set<DueRange> timesUnderWay = new HashSet<>();
    private final BitSet cancelled = new BitSet();
    private final BitSet everAsked = new BitSet();
    private long answers;
    /** Seeks, and loads without the journal. */
    private int sought;

    Cancels(World world) {
        this.world = world;
    }

    /** Cancels entries; the acknowledgement by the tracker may be made to fail. */
    void ask(int first, int count, boolean fails) {
        TrackerProbe tracker = world.dispatcher().tracker();
        if (tracker == null || tracker.isClosed() || world.dispatcher().isClosed()) {
            return;
        }
        List<Integer> entries = new ArrayList<>();
        List<Position> positions = new ArrayList<>();
        for (int entry = first; entry < Math.min(first + count, world.topic().size()); entry++) {
            entries.add(entry);
            positions.add(world.topic().position(entry));
            underWay.merge(entry, 1, Integer::sum);
            everAsked.set(entry);
        }
        if (entries.isEmpty()) {
            return;
        }
        // While a journal is restored the failure would be the restore's.
        if (fails && !tracker.isPaused()) {
            world.cursor().failNextDeleteOf(entries);
        }
        int before = sought;
        Answers.take(world, tracker.life.shop().cancel(tracker.tracker, positions), (answered, failure) -> {
            for (int i = 0; i < entries.size() && !tracker.isClosed(); i++) {
                ended(entries.get(i));
                answered(entries.get(i), failure == null ? answered.get(i) : Answer.OUTCOME_UNKNOWN, before);
            }
        });
    }

    /** Cancels all that is due in a time: whatever is delayed when the command is done, which may be later. */
    void askDue(long fromMillis, long untilMillis) {
        TrackerProbe tracker = world.dispatcher().tracker();
        if (tracker == null || tracker.isClosed() || world.dispatcher().isClosed()) {
            return;
        }
        DueRange range = new DueRange(world, tracker, fromMillis, untilMillis);
        timesUnderWay.add(range);
        int before = sought;
        Answers.take(world, tracker.life.shop().cancelDue(tracker.tracker, fromMillis, untilMillis), (found, failure) -> {
            world.tell("a command to cancel what is due in a time: %s", failure == null ? found.keySet() : failure);
            if (timesUnderWay.remove(range)) {
                Map<Integer, Answer> answers = failure == null && !tracker.isClosed() ? range.entries(found) : Map.of();
                answers.keySet().forEach(everAsked::set);
                answers.forEach((entry, answer) -> answered(entry, answer, before));
                if (failure != null || tracker.isClosed()) {
                    everAsked.set(0, world.topic().size());
                }
            }
        });
    }

    private void ended(int entry) {
        underWay.computeIfPresent(entry, (known, calls) -> calls == 1 ? null : calls - 1);
    }

    /** An answer to what was asked after so many seeks. A seek in between may have brought the message to a consumer again. */
    private void answered(int entry, Answer answer, int soughtBefore) {
        world.tell("entry %d: %s", entry, answer.text());
        if (answer == Answer.CANCELLED) {
            answers++;
            cancelled.set(entry, world.cursor().isDeleted(entry));
            if (sought == soughtBefore) {
                world.check(invariant -> invariant.cancelled(world, entry));
            }
            world.scheduler().after(world.latency(), () -> world.topic().trimBelow(world.cursor().passedForGood()));
        }
    }

    /** A seek is answered, the topic is loaded without its journal: what was cancelled may come. */
    void forget() {
        cancelled.clear();
        sought++;
    }

    /** Another owner: nobody hears what the one before would have answered. */
    void loaded() {
        underWay.clear();
        if (!timesUnderWay.isEmpty()) {
            everAsked.set(0, world.topic().size());
            timesUnderWay.clear();
        }
    }

    boolean isUnderWay(int entry) {
        return underWay.containsKey(entry) || !timesUnderWay.isEmpty() && !world.topic().isPlain(entry);
    }

    /** Whether the entry is not to be delivered. */
    boolean isCancelled(int entry) {
        return cancelled.get(entry);
    }

    /** Whether the entry may have been taken out of the index for a while, and been put back to be read again. */
    boolean mayBePutBack(int entry) {
        return everAsked.get(entry) || isUnderWay(entry);
    }

    /** How many were answered to be cancelled. */
    long cancelledAnswers() {
        return answers;
    }
}
