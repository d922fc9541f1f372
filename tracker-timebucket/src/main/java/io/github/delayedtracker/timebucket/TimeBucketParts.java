/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DueRows;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.LatestDue;
import io.github.delayedtracker.index.PositionWalk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The parts of a {@link TimeBucketIndex}, and what is told of all of them together without a change. */
abstract class TimeBucketParts implements DelayIndex {

    /** The object itself, with what its only subclass adds. */
    private static final int SHELL_BYTES = Footprint.object(6 * Footprint.REFERENCE + 2 * Integer.BYTES);

    Tail tail = new Tail();
    /** Null unless a full part waits to be sealed. */
    PackingTail frozen;
    /** Null while the tail is enough. */
    LatePart late;
    /** Null while nothing is sealed. */
    SegmentList segments;
    /** Null while the positions are so few that all are looked at. */
    LatestDue latest;
    /** What was added lately, to any part; null while few come out of order. */
    RecentPositions recent;

    @Override
    public long size() {
        return tail.count() + (frozen == null ? 0 : frozen.size()) + (late == null ? 0 : late.count())
                + (segments == null ? 0 : segments.size());
    }

    @Override
    public long retainedBytes() {
        return SHELL_BYTES + (latest == null ? 0 : LatestDue.BYTES) + tail.retainedBytes()
                + (frozen == null ? 0 : frozen.retainedBytes()) + (recent == null ? 0 : recent.retainedBytes())
                + (late == null ? 0 : late.retainedBytes()) + (segments == null ? 0 : segments.retainedBytes());
    }

    @Override
    public long positionSetBytes() {
        return segments == null ? 0 : segments.positionSetBytes();
    }

    @Override
    public final long lastDueMillis() {
        return size() == 0 ? NO_TIME : latest != null ? latest.dueMillis() : latestUnsealed().dueMillis();
    }

    /** Looks for the latest due time if the position that had it has left, in one segment at most; true if it is exact. */
    final boolean findLatest() {
        if (latest == null || latest.isIn(this::contains)) {
            return true;
        }
        latest = latestUnsealed();
        return segments == null || segments.noteLatest(latest);
    }

    private LatestDue latestUnsealed() {
        LatestDue found = new LatestDue();
        tail.noteLatest(found);
        Optional.ofNullable(frozen).ifPresent(part -> part.noteLatest(found));
        Optional.ofNullable(late).ifPresent(part -> part.noteLatest(found));
        return found;
    }

    @Override
    public PositionWalk walk() {
        List<PositionWalk> walks = new ArrayList<>();
        walks.add(tail.walk());
        Optional.ofNullable(frozen).ifPresent(part -> walks.add(part.walk()));
        Optional.ofNullable(late).ifPresent(part -> walks.add(part.walk()));
        Optional.ofNullable(segments).ifPresent(part -> part.addWalks(walks));
        return PositionWalk.through(walks);
    }

    @Override
    public void countDueBy(long[] untilMillis, long[] counts) {
        Arrays.fill(counts, 0);
        Optional.ofNullable(late).ifPresent(part -> part.countDueBy(untilMillis, counts));
        tail.countDueBy(untilMillis, counts);
        Optional.ofNullable(frozen).ifPresent(part -> part.countDueBy(untilMillis, counts));
        Optional.ofNullable(segments).ifPresent(part -> part.countDueBy(untilMillis, counts));
    }

    @Override
    public List<DueRun> runs(long fromMillis, long untilMillis) {
        List<DueRun> runs = new ArrayList<>();
        DueRows rows = new DueRows(fromMillis, untilMillis);
        tail.forEach(rows::add);
        Optional.ofNullable(frozen).ifPresent(part -> part.copyTo(rows));
        Optional.ofNullable(late).ifPresent(part -> part.copyTo(rows));
        runs.add(rows);
        if (segments != null) {
            segments.addRuns(fromMillis, untilMillis, runs);
        }
        return runs;
    }

    @Override
    public void validate() {
        tail.validate();
        Optional.ofNullable(frozen).ifPresent(PackingTail::validate);
        Optional.ofNullable(late).ifPresent(LatePart::validate);
        Optional.ofNullable(segments).ifPresent(SegmentList::validate);
        validateLast();
    }

    private void validateLast() {
        long lastMillis = lastDueMillis();
        for (DueRun run : runs(lastMillis + 1, NEVER)) {
            while (lastMillis < NEVER && run.next()) {
                if (contains(run.ledgerId(), run.entryId())) {
                    throw new IllegalStateException("time buckets: none is due after " + lastMillis + ", but one position is at "
                            + run.dueMillis());
                }
            }
        }
    }
}
