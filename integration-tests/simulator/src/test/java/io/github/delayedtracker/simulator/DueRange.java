/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.simulator.Setup.Parameter;
import java.util.BitSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.bookkeeper.mledger.Position;

/**
 * The messages that a command for all that is due in a time may find and must find, by the model. Times are rounded, so that
 * near the ends of the time both is allowed. The command may come to look later, so that only messages must be found that do not
 * change meanwhile. A message that is read meanwhile is in no schedule until it is offered.
 */
final class DueRange {

    private static final long LONGEST_ADAPTIVE_MILLIS = 1 << 16;

    private final World world;
    private final TrackerProbe tracker;
    private final long fromMillis;
    private final long untilMillis;
    private final long seeks;
    private final long askedAtMillis;
    private final BitSet certain = new BitSet();

    /** Asked now of a tracker. */
    DueRange(World world, TrackerProbe tracker, long fromMillis, long untilMillis) {
        this.world = world;
        this.fromMillis = fromMillis;
        this.untilMillis = untilMillis;
        this.tracker = tracker;
        this.seeks = world.userAcks().seeks();
        this.askedAtMillis = world.scheduler().nowMillis();
        for (int entry = tracker.nextHeld(0); entry >= 0; entry = tracker.nextHeld(entry + 1)) {
            certain.set(entry, mustBeFound(entry));
        }
    }

    private boolean mustBeFound(int entry) {
        return world.storage().isEmpty() && seeks == world.userAcks().seeks() && !tracker.isPaused() && tracker.holds(entry)
                && !tracker.wasOpen(entry) && isInside(entry) && !world.userAcks().cancels().mayBePutBack(entry);
    }

    private long slackMillis() {
        Setup setup = world.setup();
        return 3 * world.longestTickMillis() + 2 * setup.get(Parameter.PRECISION)
                + (setup.is(Parameter.ADAPTIVE) ? LONGEST_ADAPTIVE_MILLIS : 0);
    }

    private boolean isInside(int entry) {
        Moves moves = world.userAcks().moves();
        return moves.earliestMillis(entry) == moves.latestMillis(entry)
                && moves.earliestMillis(entry) > fromMillis + slackMillis()
                && moves.latestMillis(entry) < untilMillis - slackMillis();
    }

    /** What is overdue is due now, by a clock that may have been set meanwhile. */
    private boolean mayBeInside(int entry) {
        Moves moves = world.userAcks().moves();
        long nowMillis = world.scheduler().wallMillis();
        return moves.mayBeTwice(entry) || world.scheduler().wasWallClockSet() || tracker.mayReread()
                || moves.earliestMillis(entry) <= untilMillis + slackMillis()
                && Math.max(moves.latestMillis(entry), nowMillis) >= fromMillis - slackMillis();
    }

    /** The entries of what was found, by their number; fails if they are not what may and must be found. */
    <T> Map<Integer, T> entries(Map<Position, T> found) {
        Map<Integer, T> byEntry = found.entrySet().stream().collect(Collectors.toMap(each ->
                world.topic().entryAt(each.getKey().getLedgerId(), each.getKey().getEntryId()), Map.Entry::getValue));
        for (int entry : byEntry.keySet()) {
            if (entry < 0 || world.topic().isPlain(entry) || !mayBeInside(entry)) {
                throw broken("found entry " + entry + ", which is not due then");
            }
        }
        Set<Integer> missed = certain.stream().filter(entry -> !byEntry.containsKey(entry) && mustBeFound(entry))
                .filter(entry -> !tracker.gate().wasOfferedSince(entry, askedAtMillis)).boxed().collect(Collectors.toSet());
        if (!missed.isEmpty()) {
            throw broken("did not find entries " + missed);
        }
        return byEntry;
    }

    private Violation broken(String what) {
        return new Violation(DueRange.class.getSimpleName(), world.describe("a command for all due from " + fromMillis + " to "
                + untilMillis + " " + what), null);
    }
}
