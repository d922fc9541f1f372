/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/**
 * The parts of a {@link TimeBucketIndex} and what is noted of them, in {@link RecentPositions}, while many positions come
 * out of order. The notes begin with {@link PartSizes#manyLate} positions in a late part that is not all there is. They go
 * when a tail has filled while nothing was late, or when the index is left alone.
 */
abstract class NotedParts extends TimeBucketParts {

    /** Positions in a full segment. */
    final int segment;

    NotedParts(int segment) {
        this.segment = segment;
    }

    /** Whether each position that is added is noted. */
    final boolean notesAdds() {
        return recent != null;
    }

    /** Notes a position that is about to be added, if positions are; true if it was certainly not added before. */
    final boolean noteAdd(long ledgerId, long entryId) {
        if (recent == null) {
            return false;
        }
        if (isSmall() && recent.isFull()) {
            noteRecent();
        }
        return recent.note(ledgerId, entryId);
    }

    /**
     * Notes what is added from now on, since many that are late would have to be looked for in several parts each. What there
     * is so far is noted as well while nothing is sealed, in a quarter of a millisecond at most, and left out else.
     */
    final void noteRecent() {
        long size = size();
        RecentPositions notes;
        if (isSmall()) {
            notes = new RecentPositions(segment, size + size / 4);
            notes.noteAll(tail);
            if (late != null) {
                late.noteAll(notes);
            }
        } else {
            notes = new RecentPositions(segment, size / 4);
            notes.leaveOut(tail);
            late.leaveOutOf(notes);
            if (frozen != null) {
                frozen.leaveOutOf(notes);
            }
            segments.leaveOutOf(notes);
        }
        notes.setHeld(size);
        recent = notes;
    }

    /** Gives the notes up unless something is late. */
    final void noteNoMore() {
        if (late == null) {
            recent = null;
        }
    }

    /**
     * Tells the notes how many positions there are. Notes too large for those go; while something is late new ones take
     * their place, so that no add has to put all of that in order first.
     */
    final void noteSize() {
        if (notesAdds()) {
            recent.setHeld(size());
            boolean isTooLarge = recent.retainedBytes() > PartSizes.mostNoteBytes(segment, size());
            if (isTooLarge && late == null) {
                recent = null;
            } else if (isTooLarge && (isSmall() || segments != null)) {
                noteRecent();
            }
        }
    }

    /** Whether there is nothing but what is not packed. */
    final boolean isSmall() {
        return segments == null && frozen == null;
    }

    /** The segments, which are made if there are none yet. */
    final SegmentList sealedParts() {
        segments = segments == null ? new SegmentList(segment) : segments;
        return segments;
    }
}
